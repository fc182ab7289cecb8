// The combinators of CCG: what two neighbouring categories may become.
//
//   std::vector<Combination> found;
//   combinations(table, left, right, found);      // NP/N + N: forward application to NP
//   Combination c = classify(table, left, right, parent);    // which of them a treebank's node is
//
// Application, composition up to degree 3, straight and crossed, coordination in two steps
// (conj X -> X[conj], X X[conj] -> X), punctuation. What a treebank has beyond them (rule
// `treebank`, and `juxtaposition` X X -> X) exists only as instances seen in training.
// combinations: O(size of the categories). Thread-safe for different tables.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "corpus/layers/ccg/category.h"

namespace entente::ccg {

enum class Rule : std::uint8_t {
  lexical,  // a word
  forward_application,
  backward_application,
  forward_composition,  // straight and crossed: `crossed` tells
  backward_composition,
  conjunction,        // conj X -> X[conj]
  coordination,       // X X[conj] -> X
  left_punctuation,   // , X -> X
  right_punctuation,  // X . -> X
  juxtaposition,      // X X -> X, as converted treebanks write lists
  treebank,           // any other rule seen in training
  type_raising,       // NP -> S/(S\NP)
  type_change,        // N -> NP, S[ng]\NP -> NP\NP
};
std::string_view rule_name(Rule rule);

// Of a rule that the treebank does not have.
inline constexpr float kUnseen = -14;

struct Combination {
  Rule rule = Rule::treebank;
  std::uint8_t degree = 0;  // of composition
  bool crossed = false;
  // The arguments of an instance whose slashes or features do not fit, put together all the same.
  bool loose = false;
  CategoryId result = kNoCategory;
  float log_probability = kUnseen;  // of the rule given its result, in the treebank
};

inline constexpr int kLargestDegree = 3;

// Which derivations of the same reading are left out (grammar.h).
enum class NormalForm : std::uint8_t { none, eisner, hockenmaier_bisk };

// Is it a category of punctuation: ",", ".", ":", "lrb"?
bool is_punctuation(const CategoryTable& table, CategoryId category);
bool is_conjunction(const CategoryTable& table, CategoryId category);

// All that the combinators make of the two; appends nothing for punctuation and coordination
// unless `absorb`.
void combinations(CategoryTable& table, CategoryId left, CategoryId right, bool absorb,
                  std::vector<Combination>& out);

// How left and right became parent, whose category the result gets as it stands there.
Combination classify(CategoryTable& table, CategoryId left, CategoryId right, CategoryId parent);

// Of one child: type raising if the parent is T/(T\X) or T\(T/X), else a change of type.
Combination classify(CategoryTable& table, CategoryId child, CategoryId parent);

// The same atoms at the same places, whatever the features and the slashes' directions.
bool same_shape(const CategoryTable& table, CategoryId a, CategoryId b);

}  // namespace entente::ccg
