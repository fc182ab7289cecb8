// The rules that make entities and relations agree, each with a name that can be switched off.
//
//   RuleSet rules;                              // all of them
//   rules.one_way = false;
//   add_rules(graph, variables, labels, TypeTables(labels), rules);
//
//   head_type        a relation's head is of a type the relation allows (C1 of Roth and Yih 2004)
//   tail_type        and so is its tail (C2)
//   one_way          two mentions are related in one direction at most
//   no_overlap       mentions do not overlap (where spans are candidates, not given)
//   (always)         what stands in a relation is a mention (where spans are candidates)
//   require NAME     some pair stands in this relation (the forced decision)
//   once NAME        exactly one pair does (the forced decision as the paper writes it)
//
// A pair's states are signatures (scores.h), so each needs one type of head and one of tail: a
// table of state and type that all pairs share. As rows for an LP that is the paper's relaxation
// with its pair variables projected out, and as tight. O(pairs * (signatures + types)).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "entente/graph.h"
#include "tasks/relations/types.h"

namespace entente::relations {

struct RuleSet {
  bool head_type = true, tail_type = true, one_way = true, no_overlap = true;
  std::vector<int> required;  // relations
  std::vector<int> once;      // relations in which exactly one pair stands
  // Where mentions are candidates: their places, and the label that says "no mention".
  std::vector<Interval> places;
  int no_mention = -1;
};

// The names of those that can be switched off, and switching by name: an Error if there is none so
// called.
std::vector<std::string> rule_names();
void switch_off(RuleSet& rules, std::string_view name);
// The relation called `name`, whatever its case: an Error that says which there are.
int find_relation(const LabelSet& labels, std::string_view name);

// Where the variables of a passage stand in a Graph: a group of types a mention, then a group of
// states (scores.h) for each of `pairs`, which are ordered pairs as pair_index numbers them. Pairs
// that are not among them are unrelated.
struct PassageVariables {
  int mentions = 0, types = 0, states = 0;
  std::vector<int> pairs;
  std::vector<int> place;  // of every ordered pair: where it stands in `pairs`, or -1
  Group entity(int m) const { return {m * types, types}; }
  Group pair(int at) const { return {mentions * types + at * states, states}; }
};

// Which state of a pair goes with which type of its arguments. Made once for a LabelSet.
struct TypeTables {
  explicit TypeTables(const LabelSet& labels);
  std::vector<double> head, tail;
};

void add_rules(Graph& graph, const PassageVariables& variables, const LabelSet& labels,
               const TypeTables& tables, const RuleSet& rules);

// Do a passage's labels obey the rules?
bool obeys(const std::vector<int>& entities, const std::vector<int>& relations,
           const LabelSet& labels, const RuleSet& rules);

}  // namespace entente::relations
