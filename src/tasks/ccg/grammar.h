// The grammar of a treebank: which rule instances, type changes and roots it has, and the normal
// form that keeps one derivation of each reading.
//
//   Grammar grammar = learn_grammar(derivations, table, {});
//   RuleCache rules(grammar, false);                 // one a thread; true: every combinator
//   for (const Combination& c : rules.binary(left, right)) ...
//
// Instances seen in training are the default, as in Clark and Curran (2007); with `all` whatever
// the combinators allow comes beside them, as long as the treebank has the category they make.
// Looking up a seen pair costs a bit and a count of bits (with `all` a bit and a row); the rules
// have the treebank's frequencies, by which coarse.h prunes. A Grammar is immutable once learned or
// loaded: thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/layers/ccg/category.h"
#include "corpus/layers/ccg/derivation.h"
#include "learn/model_file.h"
#include "tasks/ccg/rules.h"

namespace entente::ccg {

struct GrammarOptions {
  int least_count = 1;  // of a rule instance
};

struct Grammar {
  struct Binary {
    CategoryId left = kNoCategory, right = kNoCategory;
    Combination rule;
  };
  struct Unary {
    CategoryId child = kNoCategory;
    Combination rule;
  };
  CategoryTable table;
  std::vector<Binary> binaries;  // sorted by left, right; the more frequent first
  std::vector<Unary> unaries;    // sorted by child
  std::vector<CategoryId> roots;
  std::vector<float> log_counts;  // of each category: nodes of the treebank that have it
  bool plain_conjuncts = false;   // the treebank writes conj NP -> NP

  void save(ModelWriter& writer) const;
  static Grammar load(const ModelFile& file);
};

// The derivations are marked (mark_conjuncts) where the treebank needs it, so that they fit.
Grammar learn_grammar(std::vector<Derivation>& derivations, CategoryTable table,
                      const GrammarOptions& options);

// What a normal form forbids. Eisner (1996): what composition made does not take an argument by the
// same direction again; and what type raising made does not apply. Where composition has a largest
// degree, that loses readings: Hockenmaier and Bisk (2010) go by the degrees and lose none.
bool in_normal_form(NormalForm form, const Combination& rule, std::int32_t left_origin,
                    std::int32_t right_origin);

// std::popcount calls a function where the processor may lack the instruction.
inline int count_bits(std::uint64_t bits) {
  bits -= (bits >> 1) & 0x5555555555555555ull;
  bits = (bits & 0x3333333333333333ull) + ((bits >> 2) & 0x3333333333333333ull);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0full;
  return static_cast<int>((bits * 0x0101010101010101ull) >> 56);
}

class RuleCache {
 public:
  RuleCache(const Grammar& grammar, bool all);
  std::span<const Combination> binary(CategoryId left, CategoryId right) {
    return all_ ? any(left, right) : seen(left, right);
  }
  std::span<const Combination> unary(CategoryId child) const;
  // exp(log_probability) of what binary() or unary() gave.
  double probability(const Combination& of_binary) const {
    return found_probability_[&of_binary - found_.data()];
  }
  double unary_probability(const Combination& of_unary) const {
    return unary_probability_[&of_unary - unaries_.data()];
  }
  // The categories that may stand right of this one, a bit each; categories beyond them may too.
  // With `all` those that were asked for in vain are no longer among them.
  std::span<const std::uint64_t> partners(CategoryId left) const;
  bool only_seen() const { return !all_; }
  CategoryTable& table() { return table_; }
  const CategoryTable& table() const { return table_; }

 private:
  static constexpr std::uint32_t kNotAsked = ~std::uint32_t{0};
  struct Range {
    std::uint32_t begin = 0, count = 0;
  };
  std::span<const Combination> any(CategoryId left, CategoryId right);
  Range find_binary(CategoryId left, CategoryId right);
  std::span<const Combination> seen(CategoryId left, CategoryId right) const {
    if (left >= grammar_.table.size() || right >= grammar_.table.size()) return {};
    const std::size_t word = left * partner_words_ + right / 64;
    const std::uint64_t bit = std::uint64_t{1} << (right % 64);
    if ((partners_[word] & bit) == 0) return {};
    const std::uint32_t pair =
        pairs_before_[word] + static_cast<std::uint32_t>(count_bits(partners_[word] & (bit - 1)));
    return std::span(found_).subspan(first_rule_[pair], first_rule_[pair + 1] - first_rule_[pair]);
  }

  const Grammar& grammar_;
  bool all_;
  CategoryTable table_;  // a copy: the combinators may need categories that nobody has seen
  // With `all`: by left and right category, a row when a left one is first asked for.
  std::vector<std::vector<Range>> ranges_;
  std::vector<Combination> found_, made_, unaries_;
  std::vector<double> found_probability_, unary_probability_;
  std::vector<Range> unary_ranges_;
  std::size_t partner_words_ = 0;
  std::vector<std::uint64_t> partners_;      // partner_words_ a category
  std::vector<std::uint32_t> pairs_before_;  // seen pairs before each word of partners_
  std::vector<std::uint32_t> first_rule_;    // of each seen pair, in found_
};

}  // namespace entente::ccg
