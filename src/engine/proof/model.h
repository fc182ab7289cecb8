// A problem the way proofs speak of it: nodes and their states, rows over states, intervals, tables
// between two nodes, and factors that are taken whole. Made from the Graph alone, apart from the
// solvers' own Core on purpose.
//
//   ProofModel m(graph, proof.choices);      // throws Error where choices make no nodes
//   m.open[state], m.node[state], m.rows[m.row_begin[f] + part]
//
// Rows are lower <= sum coefficient * [state chosen] <= upper. O(links) to make.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "entente/graph.h"

namespace entente {

struct ProofModel {
  struct Entry {
    std::int32_t state;
    double coefficient;
  };
  struct Row {
    std::int32_t begin, end;  // into entries, states of one node stand together
    double lower, upper;
    std::int32_t slack;  // a soft rule's state "broken", -1: hard
    std::int32_t factor = -1;
  };
  struct Span {
    std::int32_t state;
    Interval interval;
  };
  struct Table {  // over two nodes: the state of each axis and scores, last axis fastest
    std::int32_t a, b, factor;
    std::vector<std::int32_t> state_a, state_b;
    std::vector<double> score;
  };

  ProofModel(const Graph& g, std::span<const std::int32_t> choices);

  int nodes() const { return static_cast<int>(node_begin.size()) - 1; }
  bool is_state(int s) const { return s >= 0 && s < static_cast<int>(node.size()) && node[s] >= 0; }
  std::span<const std::int32_t> states_of(int n) const {
    return {states.data() + node_begin[n],
            static_cast<std::size_t>(node_begin[n + 1] - node_begin[n])};
  }
  std::span<const Entry> entries_of(const Row& r) const {
    return {entries.data() + r.begin, static_cast<std::size_t>(r.end - r.begin)};
  }
  // Further nodes and rows, as steps of the log make them. Spans of entries are not for keeping.
  int add_joint_node(std::span<const double> scores);
  int add_derived_row(std::span<const Entry> list, double lower, double upper);
  void count_row_at_nodes(int row);

  // A soft rule that is broken for good says nothing any more.
  bool speaks(const Row& r) const { return r.slack < 0 || open[r.slack + 1]; }
  int broken_state(int factor) const { return 2 * (graph.variable_count() + factor); }
  // The state that says the literal is true, or -1: where its node has more than one such state.
  int state_of(Literal l) const {
    const int s = static_cast<int>(l.code);
    return !l.negated() || node[s] >= 0 ? s : -1;
  }

  const Graph& graph;
  std::vector<std::int32_t> node;        // of each state, -1: no state
  std::vector<double> score;             // of each state
  std::vector<std::uint8_t> open;        // of each state: not closed
  std::vector<std::int32_t> open_count;  // of each node
  std::vector<std::int32_t> node_begin, states;
  std::vector<Entry> entries;
  std::vector<Row> rows;
  std::vector<std::int32_t> row_begin;                // of each factor, factors + 1
  std::vector<std::vector<std::int32_t>> node_rows;   // rows at each node
  std::vector<std::int32_t> line_of;                  // of each factor: its line, -1 none
  std::vector<std::vector<Span>> lines;               // hard disjoint factors
  std::vector<std::vector<std::int32_t>> node_lines;  // at each node
  std::vector<Table> tables;
  std::vector<std::vector<std::int32_t>> node_tables;  // at each node
  std::vector<std::int32_t> whole;                     // factors that are none of these
  std::vector<std::vector<std::int32_t>> node_whole;   // at each node
  std::vector<std::uint8_t> makes_node;                // of each factor

 private:
  void make_nodes(std::span<const std::int32_t> choices);
  void new_node(std::span<const std::int32_t> list);
  void add_factor(int f, const FactorView& view);
  void add_row(const FactorView& view, std::span<const double> coefficients, double lower,
               double upper, int slack);
  void add_or_rows(const FactorView& view, int slack);
  bool add_table(int f, const FactorView& view);
  bool axis(std::span<const Literal> links, std::vector<std::int32_t>& list, int& n) const;
  void add_whole(int f, const FactorView& view);
};

}  // namespace entente
