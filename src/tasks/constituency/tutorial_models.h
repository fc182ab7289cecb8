// Models small enough to write down, for the worked examples of Rush and Collins' tutorial.
//
//   ForestModel parser = toy_parser(grammar, words, indicators);   // any chart will do
//   Agreement(parser, tagger).run({});
//   parser.text();                                                // (S (NP (N United)) ...)
//
// Every one is a forest whose edges may turn an indicator on; prices are added to those edges.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entente/agreement.h"
#include "oracle/hypergraph/best.h"

namespace entente::constituency {

// What indicators mean: the column (a word) and what is chosen for it there (a tag, a head).
struct IndicatorTable {
  struct Entry {
    int column;
    std::string label;
  };
  std::vector<std::string> columns;
  std::vector<Entry> entries;

  int add(int column, const std::string& label);         // the number, new or not
  int find(int column, const std::string& label) const;  // -1: none
};

class ForestModel : public AgreementModel {
 public:
  explicit ForestModel(int size) : size_(size) {}
  // Nodes must be added tails first. `label`: what text() opens a bracket with; empty: none.
  int add_node(std::string label = "");
  void add_edge(int node, std::vector<std::int32_t> tails, double score, int indicator = -1,
                std::string text = "");
  void finish(int goal);
  int nodes() const { return graph_.nodes(); }

  int size() const override { return size_; }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override;
  double score(std::span<const std::uint8_t> on) override;
  std::string text() const;  // of the last search

 private:
  int size_;
  Hypergraph graph_;
  std::vector<std::string> labels_, texts_;
  std::vector<std::int32_t> indicator_;
  std::vector<double> priced_;
  BestPass best_;
  Derivation derivation_;
};

struct ToyRule {
  std::string parent, left, right;  // right empty: a unary rule; those of a parent in this order
  double score;
  bool head_left = true;
};
struct ToyTag {
  std::string word, tag;
  double score;
};
struct ToyGrammar {
  std::vector<ToyRule> rules;
  std::vector<ToyTag> tags;
};
struct ToyChain {  // a first-order tagger: "*" is the edge of the sentence
  struct Step {
    std::string from, to;
    double score;
  };
  std::vector<Step> steps;
  std::vector<ToyTag> tags;
  double step(const std::string& from, const std::string& to) const;  // 0 where none is named
};

using Words = std::vector<std::string>;
// S over all words; indicators y(i, t).
ForestModel toy_parser(const ToyGrammar& grammar, const Words& words, const IndicatorTable& table);
ForestModel toy_tagger(const ToyChain& chain, const Words& words, const IndicatorTable& table,
                       int first_column = 0);
// Both at once by S -> S(N, N): every symbol with the first and last tag of its words.
ForestModel toy_intersection(const ToyGrammar& grammar, const ToyChain& chain, const Words& words);
// Every symbol with its head word; indicators are arcs: column the modifier, label the head's word
// ("root": it hangs from none).
ForestModel toy_lexical(const ToyGrammar& grammar, const Words& words, const IndicatorTable& table);
// Position i of `from` takes one of `to`: score(i, j), and `jump` times how far j is from the next
// place after the one before. indicator(i, j) says which.
template <typename Score, typename Indicator>
ForestModel toy_aligner(int from, int to, double jump, Score score, Indicator indicator, int size);

template <typename Score, typename Indicator>
ForestModel toy_aligner(int from, int to, double jump, Score score, Indicator indicator, int size) {
  ForestModel out(size);
  std::vector<std::int32_t> before, here;
  for (int i = 0; i < from; ++i) {
    here.clear();
    for (int j = 0; j < to; ++j) {
      here.push_back(out.add_node());
      for (int k = 0; k < (i == 0 ? 1 : to); ++k) {
        const int wide = i == 0 ? j : j - k - 1;
        std::vector<std::int32_t> tails;
        if (i > 0) tails.push_back(before[k]);
        out.add_edge(here[j], tails, score(i, j) + jump * (wide < 0 ? -wide : wide),
                     indicator(i, j), std::to_string(j + 1));
      }
    }
    before = here;
  }
  const int goal = out.add_node();
  for (const std::int32_t v : before) out.add_edge(goal, {v}, 0);
  out.finish(goal);
  return out;
}

}  // namespace entente::constituency
