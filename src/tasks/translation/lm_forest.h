// Forests of partial translations that know some words at their ends: what the
// language model needs.
//
//   Scorer scorer(grammar, lm, weights);                // of all sentences;
//   immutable Scoring s(scorer, chart);                            // of one
//   Part part = s.compose(edge, tails, keep);            // one rule over
//   parts, LM at the seams LmForest forest; // parts as nodes, and how they
//   were made
//
// A Part keeps its first `keep.left` and last `keep.right` words. Words whose left context is not
// known yet are scored by the greatest probability they can have
// (language_model.h), so that a part's score is a bound on what it will be
// worth, and composing parts never costs less than was promised. With both
// order - 1 the bound is the score itself once <s> stands before it. `keep`
// grows from forest to forest in exact.h: since more words known only lower
// scores, each forest bounds the next, from outside as well as from inside.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "oracle/hypergraph/hypergraph.h"
#include "tasks/translation/chart.h"
#include "tasks/translation/language_model.h"
#include "tasks/translation/prices.h"

namespace entente::translation {

// Weights by name: the grammar's features, and "lm" (log10), "words", "glue",
// "pass", "unknown" (words that the language model does not know).
using Weights = std::map<std::string, double>;

class Scorer {
 public:
  // lm: may have order 0 (no model). Error: a weight of no feature, or a
  // negative one of lm.
  Scorer(const Grammar& grammar, const LanguageModel& lm, const Weights& weights);

  const Grammar& grammar() const { return grammar_; }
  const LanguageModel& lm() const { return lm_; }
  double lm_weight() const { return lm_weight_; }
  // Names in the order of features(), "lm" last.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<double>& weights() const { return weights_; }

  WordHash word(int target_word) const { return words_[target_word]; }
  bool known(int target_word) const { return known_[target_word]; }
  double rule_score(int rule) const { return rule_scores_[rule]; }
  double fixed_weight(int which) const { return weights_[grammar_.feature_names().size() + which]; }
  enum Fixed { kWords, kGlue, kPass, kUnknown, kLm, kFixed };

 private:
  const Grammar& grammar_;
  const LanguageModel& lm_;
  std::vector<std::string> names_;
  std::vector<double> weights_;
  std::vector<WordHash> words_;
  std::vector<bool> known_;
  std::vector<double> rule_scores_;
  double lm_weight_ = 0;
};

// How many words at its ends a part knows.
struct Keep {
  int left = 0, right = 0;
};

struct Part {
  double score = 0;
  double left_score = 0;  // log10 of the left words, as scored inside
  std::int8_t left_size = 0;
  bool whole = false;  // the left words are all there are
  std::array<WordHash, kMaxOrder - 1> left{};
  Context right;
  WordHash last = 0;  // with prices and keep > 0: the last word

  bool same_ends(const Part& o) const {
    return left_size == o.left_size && whole == o.whole && left == o.left && right == o.right &&
           last == o.last;
  }
  std::uint64_t hash() const;
};

// Words put one after the other, scored as they come. With prices, a seam
// between two words that are not both known is scored as the best of what may
// follow anything, minus the price of what may precede anything: never less
// than the seam itself is worth.
class PartWriter {
 public:
  PartWriter(const LanguageModel& lm, Keep keep, const SeamPrices* prices, std::uint32_t set,
             const Context& context)
      : lm_(&lm), keep_(keep), prices_(prices), set_(set), context_(context) {}

  void word(WordHash w) {
    const bool open = prices_ && !followed_;
    float s = lm_->score(w, context_, context_);
    if (open) s = prices_->open(set_, w);
    sum_ += s;
    last_ = w;
    followed_ = true;
    if (part_.left_size < keep_.left && !cut_) {
      part_.left[part_.left_size++] = w;
      part_.left_score += s;
    } else {
      cut_ = true;
    }
  }
  void part(const Part& p, int node) {
    for (int k = 0; k < p.left_size; ++k) word(p.left[k]);
    sum_ -= p.left_score;
    if (p.whole) {
      if (prices_ && p.last != 0) sum_ += price(p.last);
      return;
    }
    if (prices_) {
      if (p.left_size == 0) pay();  // the next word is inside, nobody knows which
      if (p.last != 0) {
        sum_ += price(p.last);
        last_ = p.last;
        followed_ = true;
      } else {
        followed_ = false;
        set_ = SeamPrices::after(node);
      }
    }
    context_ = p.right;
    cut_ = true;
  }
  // <s> stands before: whatever comes first is followed from there.
  void begin() { followed_ = true; }
  Part finish() {
    part_.whole = !cut_;
    part_.right = context_;
    if (part_.right.size > keep_.right) {
      for (int k = keep_.right; k < part_.right.size; ++k) part_.right.words[k] = 0;
      part_.right.size = static_cast<std::int8_t>(keep_.right);
      part_.right.complete = false;
    }
    if (prices_) {
      pay();
      if (keep_.right > 0) part_.last = last_;
      if (keep_.right == 0)
        part_.right.complete = false;  // the price of the last word is not known
    }
    return part_;
  }
  double sum() const { return sum_; }

 private:
  float price(WordHash w) const { return prices_->price(w); }
  void pay() {
    if (followed_ && last_ != 0) sum_ -= price(last_);
  }

  const LanguageModel* lm_;
  Keep keep_;
  const SeamPrices* prices_;
  std::uint32_t set_;  // what may stand before the next word, where it is not known
  Context context_;
  Part part_;
  double sum_ = 0;
  bool cut_ = false;       // there are words after the left ones
  bool followed_ = false;  // the word before the next one is known: last_, or <s>
  WordHash last_ = 0;
};

class Scoring {
 public:
  Scoring(const Scorer& scorer, const Chart& chart);
  Scoring(const Scoring&) = delete;
  Scoring& operator=(const Scoring&) = delete;

  const Chart& chart() const { return chart_; }
  const Scorer& scorer() const { return scorer_; }
  const LanguageModel& lm() const { return *lm_; }
  // The language model of the chart's words alone: the same scores, tighter bounds.
  void localize();
  int full() const { return std::max(0, lm_->order() - 1); }
  // One edge of the chart over parts of its tails.
  Part compose(int edge, std::span<const Part* const> tails, Keep keep) const;
  // The same by steps, where many parts follow the same ones: go_on() writes the target side up to the first tail that is
  // null, and finish(c, tails) what is left, all tails known. Same bits as compose().
  struct Composing {
    int edge;
    PartWriter writer;
    std::size_t done = 0;  // symbols of the target side
  };
  Composing start(int edge, Keep keep) const;
  void go_on(Composing& c, std::span<const Part* const> tails) const;
  Part finish(Composing c, std::span<const Part* const> tails) const;
  // <s> before and </s> after a part of the goal: its final score.
  Part close(const Part& part, Keep keep) const;
  double edge_score(int edge) const { return edge_scores_[edge]; }
  // Prices from now on, or none. Whole derivations score the same with any.
  void set_prices(const SeamPrices* prices) { prices_ = prices; }
  bool alive(int edge) const { return !prices_ || prices_->alive(edge); }
  // The word of a target side as the language model knows it.
  WordHash hash_of_symbol(Symbol s) const {
    return s < chart_.first_own_word ? scorer_.word(s) : own_words_[s - chart_.first_own_word];
  }

  // The words and the features (in Scorer::names() order) of a derivation of
  // the chart.
  std::vector<std::string> words_of(std::span<const std::int32_t> derivation) const;
  std::vector<double> features_of(std::span<const std::int32_t> derivation) const;
  double score_of(std::span<const std::int32_t> derivation) const;

 private:
  void symbols_of(std::span<const std::int32_t> derivation, std::size_t& at,
                  std::vector<Symbol>& out) const;

  const Scorer& scorer_;
  const Chart& chart_;
  std::vector<double> edge_scores_;
  std::vector<WordHash> own_words_;
  std::vector<bool> own_known_;
  const SeamPrices* prices_ = nullptr;
  LanguageModel local_;
  const LanguageModel* lm_;
};

struct LmForest {
  Hypergraph graph;                       // its goal is the closed part
  std::vector<Part> parts;                // a node; the goal's is the closed one
  std::vector<std::int32_t> chart_edges;  // an edge; -1: the closing one
  std::vector<std::int32_t> chart_nodes;  // a node; -1: the goal

  void clear();
  // After graph.finish().
  void reorder();
  // A derivation of this forest as one of the chart.
  std::vector<std::int32_t> chart_derivation(std::span<const std::int32_t> derivation) const;
};

}  // namespace entente::translation
