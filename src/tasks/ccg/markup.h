// Which parts of a lexical category share a head, and which arguments are dependencies: worked out
// from the category alone, so that no hand-made list is needed.
//
//   const Markup m = mark_up(table, table.parse("(S[dcl]\NP)/NP"));
//   // S[dcl] and the verb phrase have the word itself as head, variable 0; the subject is variable
//   // 1 and slot 1, the object variable 2 and slot 2
//
// The rules, after the markup of Clark and Curran (2007):
// - X|X modifies: both X share all their heads, and what is modified is the slot;
// - NP/N has the head of its noun;
// - the subject of a verb phrase that is an argument is the nearest noun phrase among the arguments
//   taken before it ("persuade him to go"), else after it ("want to go", "will go"), else what is
//   modified ("a man who goes", "goes smiling");
// - in everything else the word itself is the head.
// Linear in the category but for shared parts. Thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "corpus/layers/ccg/category.h"

namespace entente::ccg {

struct Markup {
  struct Slot {
    std::int32_t variable = 0, number = 0;  // numbered from 1, innermost argument first
  };
  std::vector<std::int32_t> variables;  // one a node of the category, in preorder
  int count = 0;                        // of variables; 0 is the word itself
  std::vector<Slot> slots;
};

Markup mark_up(const CategoryTable& table, CategoryId category);

// Is it X|X, features included: (S[dcl]\NP)/(S[ng]\NP) is a verb, not a modifier.
bool is_modifier(const CategoryTable& table, CategoryId category);
// The node of the noun phrase that a clause still wants: S\NP, (S\NP)/NP; -1 if it wants none.
int subject_node(const CategoryTable& table, CategoryId category);

}  // namespace entente::ccg
