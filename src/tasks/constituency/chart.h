// Which symbols can stand over which spans: sums over all trees of a base grammar, kept where they
// are likely. This decides the speed of everything after it.
//
//   ChartPruner pruner(grammar);
//   pruner.run(tags, {.threshold = 1e-4}, scratch, allowed);      // false: the grammar has no tree
//
// Plain numbers, one scale a span; symbols that are unlikely within their span are dropped on the
// way up, those that are unlikely on the whole on the way down. Products of two children are summed
// over the splits of a span before rules look at them. Cost: O(n^3) times pairs of symbols left. No allocation once warm. Immutable; thread-safe
// with one scratch a thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tasks/constituency/grammar.h"

namespace entente::constituency {

// A tag that a word may have: a symbol of the base grammar, and its weight.
struct LeafTag {
  std::int32_t symbol;
  double weight;
  float score;  // what the log-linear model counts it with
};

struct Leaves {
  std::vector<LeafTag> tags;
  std::vector<std::int32_t> first;  // of each word, and the end

  int size() const { return static_cast<int>(first.size()) - 1; }
};

// Symbols of spans, bottom and top layer; lists ascending.
class AllowedSymbols {
 public:
  void clear(int words);
  int size() const { return words_; }
  // Spans come in any order, each once.
  void add(int begin, int end, std::span<const std::int32_t> bottoms,
           std::span<const std::int32_t> tops);
  std::span<const std::int32_t> bottoms(int begin, int end) const {
    return list(2 * place(begin, end));
  }
  std::span<const std::int32_t> tops(int begin, int end) const {
    return list(2 * place(begin, end) + 1);
  }
  std::int64_t total() const { return static_cast<std::int64_t>(symbols_.size()); }
  // Makes sure that these are allowed.
  void merge(std::span<const BinaryNode> nodes);

 private:
  std::size_t place(int begin, int end) const {
    return static_cast<std::size_t>(begin) * (words_ + 1) + end;
  }
  std::span<const std::int32_t> list(std::size_t at) const {
    return {symbols_.data() + ranges_[at].begin,
            static_cast<std::size_t>(ranges_[at].end - ranges_[at].begin)};
  }
  struct Range {
    std::int32_t begin = 0, end = 0;
  };
  int words_ = 0;
  std::vector<Range> ranges_;
  std::vector<std::int32_t> symbols_;
};

struct ChartOptions {
  double threshold = 1e-4;  // of the probability of a symbol over a span
  double beam = 1e-3;       // against the best of the span, times how common the symbol is; 0: none
  std::span<const char> open = {};  // [begin * (words + 1) + end]: spans to look at; empty: all
};

class ChartScratch {
 private:
  friend class ChartPruner;
  struct Entry {
    std::int32_t symbol;
    double in, out;
  };
  struct Cell {
    std::int32_t bottom = 0, middle = 0, end = 0;  // bottoms, then tops
    int scale = 0;
  };
  std::vector<Entry> entries_;
  std::vector<Cell> cells_;
  std::vector<double> sum_;
  std::vector<double> pair_;  // of each pair of children, for the span in hand
  std::vector<std::int32_t> touched_, pairs_, bottoms_, tops_;
};

class ChartPruner {
 public:
  explicit ChartPruner(const Grammar& grammar);
  bool run(const Leaves& leaves, const ChartOptions& options, ChartScratch& scratch,
           AllowedSymbols& allowed) const;

 private:
  void close_cell(ChartScratch& s, ChartScratch::Cell& cell, double beam) const;
  void up(const Leaves& leaves, const ChartOptions& options, ChartScratch& s) const;
  void join(int begin, int end, int words, ChartScratch::Cell& cell, ChartScratch& s) const;
  void down(int words, double least, ChartScratch& s) const;
  void split(int begin, int end, int words, ChartScratch& s) const;
  double above(int pair, ChartScratch& s) const;

  const Grammar* grammar_;
  std::vector<double> binary_, chain_, prior_;  // probabilities
  std::vector<std::int32_t> pair_of_;           // [left * symbols + right]; -1: has no rule
  std::vector<Grammar::Range> rules_of_;        // of each pair
};

}  // namespace entente::constituency
