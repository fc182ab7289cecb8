// A sign: a category over some words, with the heads its parts have so far and the dependencies
// that still wait for one. Two constituents with equal signs can stand for each other in every
// larger one, whatever is inside them: signs are what a chart packs by.
//
//   SignPool pool;                                           // one a sentence; clear() keeps
//   memory const SignId likes = pool.lexical(markup, verb, 0);                  // word 0 const
//   SignId apples = pool.lexical(noun_markup, np, 1); std::vector<Dependency> made; const SignId
//   both = pool.combine(table, likes, apples, combination, made);
//   // made: <likes, (S\NP)/NP, 2, apples>
//
// Unification after Clark and Curran (2007): every part of a category has a variable for its head;
// matching two categories makes their variables one, and a variable that gets a head fills the
// slots that wait for it, long-range ones too. Cost: linear in the signs. One thread a pool.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/layers/ccg/category.h"
#include "tasks/ccg/markup.h"
#include "tasks/ccg/rules.h"

namespace entente::ccg {

using SignId = std::int32_t;

// <head, category, slot, dependent>, words counted from 0.
struct Dependency {
  std::int32_t head = 0;
  CategoryId category = kNoCategory;
  std::int32_t slot = 0, dependent = 0;

  friend bool operator==(const Dependency&, const Dependency&) = default;
  friend auto operator<=>(const Dependency&, const Dependency&) = default;
};

// The "category" of what a conjunction joins, which no word's category says.
inline constexpr CategoryId kConjunctionSlot = -2;

// How a sign was made, where that decides what it may become.
inline constexpr std::int32_t kByOther = 0, kByForwardComposition = 1, kByBackwardComposition = 2,
                              kRaisedForward = 3, kRaisedBackward = 4, kChanged = 5,
                              kByHigherDegree = 6;  // and more: see origin_of

class SignPool {
 public:
  void clear();
  int size() const { return static_cast<int>(begin_.size()); }

  CategoryId category(SignId s) const { return data_[begin_[s]]; }
  // The rule that made it, as far as the normal form asks: one of the numbers above.
  std::int32_t origin(SignId s) const { return data_[begin_[s] + 1]; }
  // The word that heads it: the first, where several are coordinated; -1: not known yet.
  std::int32_t head(SignId s) const;
  std::span<const std::int32_t> heads(SignId s) const;  // of the whole category

  SignId lexical(const Markup& markup, CategoryId category, std::int32_t word);
  // The sign that the rule makes of two neighbours; appends the dependencies that this fills.
  SignId combine(const CategoryTable& table, SignId left, SignId right, const Combination& rule,
                 std::int32_t origin, std::vector<Dependency>& made);
  SignId unary(const CategoryTable& table, SignId child, const Combination& rule,
               std::int32_t origin, std::vector<Dependency>& made);

 private:
  struct View {
    CategoryId category;
    std::int32_t conjunction, variables;
    std::span<const std::int32_t> nodes;  // variable of each node
    const std::int32_t* rest;             // heads and waiting slots, variable by variable
  };
  // Variables of two signs while they are made one.
  struct Merge {
    std::vector<std::int32_t> parent, head_begin, head_end, wait_begin, wait_end;
    std::vector<std::int32_t> heads, waits;  // waits: word, category, slot
    std::vector<std::int32_t> root_heads, root_waits, order, encoded;
  };

  View view(SignId s) const;
  int load(const View& v, Merge& m) const;  // appends its variables; returns the first
  static std::int32_t root(Merge& m, std::int32_t v);
  static std::int32_t fresh(Merge& m);
  void unify(std::int32_t a, std::int32_t b, bool coordinate, std::vector<Dependency>& made);
  // Interns the sign whose nodes have these variables of merge_.
  SignId finish(CategoryId category, std::int32_t origin, std::int32_t conjunction,
                std::span<const std::int32_t> nodes);
  SignId intern();
  void grow();
  void begin_merge();
  void change(const CategoryTable& table, const View& child, int first, const Combination& rule,
              std::vector<Dependency>& made);

  std::vector<std::int32_t> data_, begin_;
  std::vector<std::uint64_t> hashes_;  // of each sign
  std::vector<std::int32_t> table_;    // open addressing over begin_, a power of two
  std::vector<std::uint32_t> places_;  // of table_ that are taken
  Merge merge_;
  std::vector<std::int32_t> nodes_;
};

}  // namespace entente::ccg
