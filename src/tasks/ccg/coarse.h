// What a sentence's constituents can be, seen by categories and frequencies alone: the pass that
// decides where the chart of signs looks at all.
//
//   CoarseChart coarse;                                          // scratch, kept
//   coarse.build(rules, grammar, choices, {.threshold = 1e-4});
//   if (coarse.allows(begin, end, category, kChangedStage)) ...
//
// A probabilistic grammar over categories (relative frequencies, words by the supertagger's
// probabilities): what its sums give less than the threshold is left out. Without it a chart of
// converted treebanks, where every clause may change its type, has a hundred times as many edges.
// Edges are summed up as they are made: what an edge is made of is complete before it, and what uses
// it comes after it, so that one list, read forwards and backwards, is all there is of the forest.
// Cost: cubic in the words, with a few rules a split; no allocation once warm. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/ccg/grammar.h"

namespace entente::ccg {

// A category that a word may have.
struct Choice {
  CategoryId category = kNoCategory;
  double log_probability = 0;
  std::int32_t candidate = -1;  // of the supertagger's chain; -1: it has none
};
using Choices = std::vector<std::vector<Choice>>;  // one list a word

enum class ChartResult : std::uint8_t { parsed, no_parse, too_large };

// How far a constituent is: as its parts made it, its type changed, its type raised.
inline constexpr int kPlainStage = 0, kChangedStage = 1, kRaisedStage = 2, kStages = 3;

struct CoarseOptions {
  double threshold = 1e-4;
  std::int64_t most = 4000000;  // edges
  bool any_root = false;
  bool glue = false;       // what stands at the beginning takes in whatever follows it
  bool only_glue = false;  // and nothing else is done: words one after the other
};

// Of putting together what no rule joins: less likely than any rule.
inline constexpr float kGlue = -20;
Combination glued(CategoryId left);

class CoarseChart {
 public:
  ChartResult build(RuleCache& rules, const Grammar& grammar, const Choices& choices,
                    const CoarseOptions& options);
  bool allows(int begin, int end, CategoryId category, int stage) const {
    const std::size_t at = cell(begin, end) * stride_ + category * kStages + stage;
    return category < categories_ && (allowed_[at / 64] >> (at % 64) & 1) != 0;
  }

 private:
  struct Node {
    std::int32_t begin, end;
    CategoryId category;
    std::int32_t stage;
  };
  struct Edge {  // not those of words: nothing is below them
    double weight;
    std::int32_t head, left, right;  // right -1: of one node
  };
  struct Sum {  // m * 2^k (oracle/hypergraph/scaled.h)
    double m = 0;
    int k = 0;
  };
  struct Entry {  // a category of a cell
    CategoryId category;
    std::int32_t node[kStages];  // -1: none
  };
  struct Cell {
    std::int32_t first = 0, last = 0;  // of entries_, in the order they came, and of sorted_
    std::uint64_t words = 0;           // of its bits: which 64ths of them have any
  };
  struct Likely {
    double worth;
    std::int32_t node;
  };
  std::size_t cell(int begin, int end) const {
    return static_cast<std::size_t>(end) * (end - 1) / 2 + begin;
  }
  void begin(const Grammar& grammar, const Choices& choices);
  int node(int begin, int end, CategoryId category, int stage);
  void add(int head, int left, int right, double weight);
  void complete(int first);
  void add_words(const Grammar& grammar, const std::vector<Choice>& choices, int word);
  void combine(RuleCache& rules, int begin, int middle, int end);
  void join(const RuleCache& rules, std::span<const Combination> found, const Entry& left,
            const Entry& right, int begin, int end);
  void find_likely(const Grammar& grammar, const Cell& of, std::vector<Likely>& out);
  void glue(const Grammar& grammar, int middle, int end);
  void add_unaries(RuleCache& rules, int begin, int end, int first);
  void close_cell(int begin, int end);
  bool begin_outside(const Grammar& grammar, bool any_root);
  void allow(double threshold);

  int words_ = 0;
  CategoryId categories_ = 0;
  std::size_t stride_ = 0, bit_words_ = 0, words_a_bit_ = 1;
  std::vector<Node> nodes_;
  std::vector<Sum> in_, out_;  // of nodes
  std::vector<Edge> edges_;
  std::vector<std::int32_t> here_;  // of category: its entry in the cell that is being made, or -1
  std::vector<Cell> cells_;
  std::vector<Entry> entries_;
  std::vector<std::int32_t> sorted_;       // entries by category, cell by cell
  std::vector<std::uint64_t> cell_bits_;   // of cell: categories that are there
  std::vector<std::int32_t> bits_before_;  // of cell_bits_ that are not 0: the cell's before them
  std::vector<std::uint64_t> allowed_;
  std::vector<Likely> lefts_, rights_;               // glue()
  std::vector<std::size_t> set_bits_, set_allowed_;  // where the last sentence left any
};

}  // namespace entente::ccg
