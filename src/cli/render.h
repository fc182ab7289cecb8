// An answer as text: one line of JSON, or a table for people.
//
//   std::cout << render_json({.graph = g, .solution = s, .method = Method::exact}, {});
//
// JSON numbers read back to the same bits; nothing depends on the clock unless `timing` is set.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "entente/graph.h"
#include "entente/options.h"
#include "entente/solution.h"

namespace entente::cli {

struct Answer {
  const Graph& graph;
  const Solution& solution;
  Method method = Method::exact;
  const std::vector<Solution>* k_best = nullptr;  // if asked for
  std::span<const double> margins{};              // one a variable; empty: not asked for
  std::string problem{};                          // where it came from; empty: not to be said
  bool incomplete = false;  // a certificate was asked for, and what there is proves less
};

struct RenderOptions {
  bool timing = false;   // say how long it took
  bool explain = false;  // the solution has active rules and conflicts to tell
  bool color = false;
  bool decisions = true;  // table: the decisions, not only the summary
};

std::string render_json(const Answer& answer, const RenderOptions& options);  // ends in a newline
std::string render_table(const Answer& answer, const RenderOptions& options);

// {"role": "span3", "x": 1}: a group gives its state (its number if the state has no name), a
// variable outside groups 0 or 1. A group of which not exactly one state holds gives the list of
// those that do.
std::string assignment_json(const Graph& graph, std::span<const std::uint8_t> assignment);

// Names, each once, in order of first appearance.
std::vector<std::string> rule_names(const Graph& graph, std::span<const std::int32_t> factors);
// Factors that do not hold: hard ones (`hard` true) or soft ones.
std::vector<std::int32_t> broken_factors(const Graph& graph,
                                         std::span<const std::uint8_t> assignment, bool hard);
std::string state_name(const Graph& graph, int group, int state);
// "overlap: at_most_one(a, !b)"
std::string describe_factor(const Graph& graph, int factor);

std::string trace_json_lines(std::span<const TraceRow> trace, bool timing);

}  // namespace entente::cli
