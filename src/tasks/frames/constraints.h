// The rules that the arguments of one predicate obey, by name, and the problem they make.
//
//   RuleSet rules;
//   rules.switch_rule("overlap", false);                             // --without overlap
//   rules.require.push_back(parse_role_rule("Collaboration:Partner_2", lexicon));
//   ArgumentGraph builder;  Graph graph;
//   builder.build(frame, problem, rules, Names::kNone, graph);       // for solve()
//
// Whatever is switched, a role has one span or none (`exactly_one`). Beyond that:
//
//   overlap    no two arguments share a word
//   excludes   two roles that the frame declares to exclude each other are not both overt
//   requires   of two roles where one is declared to require the other, both are overt or neither;
//              the paper (Das, Martins and Smith 2012, eq. 10) reads the declaration as symmetric,
//              and so does kSymmetric, the default; kOneWay: the first only with the second
//   core_sets  the frame declares sets of core roles of which one is enough (Source, Path, Goal):
//              a set without an overt member costs `core_set_cost`. Soft and off by default, since
//              a text may leave the whole set to be understood
//
// `require` and `forbid` name roles that must or must not be overt, whatever their scores. Only
// `require` can make a problem that has no solution: all else holds when every role is empty.
//
// Building costs O(roles * spans + rules) and no allocation once builder and graph are warm and
// nothing is named. One builder a thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/framenet/lexicon.h"
#include "entente/graph.h"
#include "tasks/frames/types.h"

namespace entente::frames {

// A role that is spoken of by name; an empty frame stands for every frame that has the role.
struct RoleRule {
  std::string frame, role;

  bool applies(const framenet::Frame& f, const framenet::Role& r) const {
    return role == r.name && (frame.empty() || frame == f.name);
  }
};

bool any_applies(const std::vector<RoleRule>& list, const framenet::Frame& frame, int role);

// "Frame:Role" or "Role". Throws Error if the lexicon has no such frame or role, with the nearest.
RoleRule parse_role_rule(std::string_view text, const framenet::Lexicon& lexicon);

enum class RequiresReading : std::uint8_t { kSymmetric, kOneWay };

struct RuleSet {
  bool overlap = true, excludes = true, requires_ = true, core_sets = false;
  RequiresReading reading = RequiresReading::kSymmetric;
  double core_set_cost = 1;  // >= 0, in the unit of the scores
  std::vector<RoleRule> require, forbid;

  // Throws Error on a name that is not one of switchable_rules(), with the nearest.
  void switch_rule(std::string_view name, bool on);
  static bool has_rule(std::string_view name);

  const std::vector<std::pair<int, int>>& requires_of(const framenet::Frame& frame) const {
    return reading == RequiresReading::kSymmetric ? frame.requires_ : frame.requires_one_way;
  }
  // Is there any rule but overlap that could matter to this frame?
  bool beyond_overlap(const framenet::Frame& frame) const {
    return (excludes && !frame.excludes.empty()) || (requires_ && !requires_of(frame).empty()) ||
           (core_sets && !frame.core_sets.empty()) || !require.empty() || !forbid.empty();
  }
};
std::span<const std::string_view> switchable_rules();

// The rules of a frame that are on, for display: "Entity_1 excludes Entities", "no overlap".
std::vector<std::string> rules_in_words(const framenet::Frame& frame, const RuleSet& rules);

enum class Names : std::uint8_t { kNone, kAll };
// No overlap as one factor over intervals, or as an at-most-one factor a position, as in the paper.
enum class Overlap : std::uint8_t { kIntervals, kPositions };

// The problem as the engine sees it. Group i is role i of the problem: its state 0 is the null
// span, state 1 + s is span s. kAll: rules are called "Similarity: Entity_1 excludes Entities",
// groups after their roles, states "none" and "3-5" (words, from 0).
class ArgumentGraph {
 public:
  // with_required = false leaves `require` aside: the problem has a solution then.
  void build(const framenet::Frame& frame, const ArgumentProblem& problem, const RuleSet& rules,
             Names names, Graph& out, bool with_required = true,
             Overlap overlap = Overlap::kIntervals);

  static Var null_of(const ArgumentProblem& problem, int role) {
    return Var{role * (static_cast<int>(problem.spans.size()) + 1)};
  }

 private:
  struct Context;
  void add_roles(const Context& c, Graph& out);
  void add_positions(const Context& c, Graph& out);
  void add_pairs(const Context& c, Graph& out);
  void add_core_sets(const Context& c, Graph& out);
  void add_wishes(const Context& c, Graph& out, bool with_required);
  Rule rule(const Context& c, Graph& out, std::initializer_list<std::string_view> words,
            double cost = kHard);

  std::vector<int> position_;  // role of the frame -> of the problem, -1: none
  std::vector<double> row_;
  std::vector<Interval> intervals_;
  std::vector<Literal> literals_;
  std::vector<std::string> states_;
  std::string text_;
};

// ---- counting what a choice of arguments breaks, by the lexicon and nothing else

// An argument: a role of the frame and the words that fill it.
struct Filled {
  int role = 0;
  Span span;
};

// As in Table 1 of the paper: pairs of arguments that share a word, pairs of roles that require
// each other of which one is overt, pairs that exclude each other of which both are.
struct Violations {
  int overlap = 0, requires_ = 0, excludes = 0;

  int total() const { return overlap + requires_ + excludes; }
  Violations& operator+=(const Violations& o);
  friend bool operator==(const Violations&, const Violations&) = default;
};
Violations count_violations(const framenet::Frame& frame, std::span<const Filled> arguments);
Violations count_violations(const framenet::Frame& frame, const ArgumentProblem& problem,
                            std::span<const int> span_of);

}  // namespace entente::frames
