// The constituency parser: a tagger, a base grammar that prunes, and a log-linear model over what
// is left.
//
//   ConstituencyModel model = ConstituencyModel::read(file);     // or from train_parser()
//   ConstituencyParser parser(model);
//   ParserScratch scratch;                                       // one a thread
//   PhraseTree tree = parser.parse(words, {.decoder = Decoder::kRisk}, scratch);
//   std::vector<PhraseTree> trees = parser.k_best(words, 10, {}, scratch);
//
// Phrases carry as confidence the probability of their bracket; parse() also gives likely brackets
// that are not in the tree. A sentence for which the grammar
// has no tree gets a flat one. Deterministic. Cost: about a millisecond for 16 words. Immutable;
// thread-safe with one scratch a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "corpus/layers/constituency/phrase_tree.h"
#include "learn/hash.h"
#include "learn/model_file.h"
#include "oracle/hypergraph/best.h"
#include "oracle/hypergraph/k_best.h"
#include "oracle/hypergraph/sums.h"
#include "tasks/constituency/chart.h"
#include "tasks/constituency/features.h"
#include "tasks/constituency/forest.h"
#include "tasks/constituency/grammar.h"
#include "tasks/constituency/lexicon.h"
#include "tasks/constituency/tagger.h"

namespace entente::constituency {

enum class Decoder { kCoarse, kBest, kRisk };

struct ParseOptions {
  Decoder decoder = Decoder::kRisk;
  double threshold = 1e-3;    // of pruning
  double temperature = 1;     // scores are multiplied by it before probabilities are taken
  double bracket_cost = 0.5;  // of minimum risk: what a bracket must be likely by to be worth it
  double likely = 0.03;       // brackets of this probability are kept beside the tree's
};

struct ConstituencyModel {
  static constexpr std::string_view kSection = "constituency";
  Grammar base, fine;  // fine: markovised, with parents; the coarse decoder's
  Lexicon lexicon;
  int bits = 22;
  std::vector<std::int8_t> tagger_weights, weights;
  float tagger_scale = 1, scale = 1;
  double bracket_cost = 0.5, temperature = 1;  // as chosen on held-out trees

  void write(ModelWriter& writer) const;
  static ConstituencyModel read(const ModelFile& file);
};

struct ParserScratch {
  TagLattice lattice;
  Leaves leaves;
  ChartScratch chart;
  AllowedSymbols allowed;
  ParseForest forest;
  SpanContext context;
  std::vector<std::uint64_t> features, split;
  std::vector<std::int32_t> span_first;  // of each node: where its span's features begin
  std::vector<double> score, gain, node_score;
  ForestSums sums;
  BestPass best;
  KBest list;
  Derivation derivation;
  struct Bracket {
    std::int32_t begin, end;
    std::int32_t label;  // see ConstituencyParser::brackets_of
    double p;
  };
  std::vector<Bracket> brackets;
  int features_per_span = 0;
};

// The scorer of a forest of the base grammar, for parsing and training.
class ForestScorer {
 public:
  ForestScorer(const Grammar& base, WeightReader weights) : base_(&base), weights_(weights) {}
  // Fills s.score; s.context must be set. s.features keeps what the gradient needs.
  void score(const Leaves& leaves, ParserScratch& s) const;
  // Calls step(feature, gradient) for every feature of every edge with a gradient.
  template <typename Step>
  void spread_gradient(ParserScratch& s, std::span<const double> edge_gradient, Step step) const;
  static std::uint64_t of_symbol(std::uint64_t feature, int symbol) { return mix(feature, symbol); }
  static std::uint64_t of_chain(std::uint64_t feature, int rule) {
    return mix(feature, 0x10000 + rule);
  }
  static std::uint64_t of_rule(std::uint64_t feature, int rule) {
    return mix(feature, 0x1000000 + rule);
  }

 private:
  const Grammar* base_;
  WeightReader weights_;
};

class ConstituencyParser {
 public:
  explicit ConstituencyParser(const ConstituencyModel& model);
  ConstituencyParser(const Grammar& base, const Grammar& fine, const Lexicon& lexicon,
                     WeightReader tagger_weights, WeightReader weights);

  PhraseTree parse(std::span<const std::string> words, const ParseOptions& options,
                   ParserScratch& scratch) const;
  std::vector<PhraseTree> k_best(std::span<const std::string> words, int k,
                                 const ParseOptions& options, ParserScratch& scratch) const;

  // The steps, for training and agreement.
  void tag(std::span<const std::string> words, ParserScratch& s) const;    // lattice, leaves
  bool prune(double threshold, ParserScratch& s) const;                    // allowed
  bool build(std::span<const std::string> words, ParserScratch& s) const;  // forest, score
  const Tagger& tagger() const { return tagger_; }
  const Grammar& base() const { return *base_; }
  std::span<const std::int32_t> tag_symbols() const { return tag_symbol_; }
  const ForestScorer& scorer() const { return scorer_; }
  const ForestBuilder& builder() const { return base_builder_; }
  // Brackets of an edge: calls use(label). A label that a chain has again over itself is another,
  // symbols() higher for every time.
  template <typename Use>
  void brackets_of(const ParseForest& f, int edge, Use use) const;

 private:
  PhraseTree flat(std::span<const std::string> words, const ParserScratch& s) const;
  void find_brackets(ParserScratch& s) const;
  void set_gains(double cost, ParserScratch& s) const;
  void set_confidence(const ParserScratch& s, PhraseTree& tree) const;
  void keep_likely(const ParserScratch& s, double least, PhraseTree& tree) const;
  bool forest_of(std::span<const std::string> words, const ParseOptions& options,
                 ParserScratch& s) const;

  const Grammar *base_, *fine_;
  const Lexicon* lexicon_;
  Tagger tagger_;
  ForestScorer scorer_;
  ChartPruner pruner_;
  ForestBuilder base_builder_, fine_builder_;
  std::vector<std::int32_t> tag_symbol_;                // of the lexicon's tags
  std::vector<std::vector<std::int32_t>> chain_label_;  // of each chain rule
};

template <typename Use>
void ConstituencyParser::brackets_of(const ParseForest& f, int edge, Use use) const {
  const ParseForest::Edge& e = f.edges[edge];
  if (e.split == ParseForest::Edge::kLeaf) return;
  if (e.split == ParseForest::Edge::kChain) {
    for (const std::int32_t label : chain_label_[e.rule]) use(label);
    return;
  }
  const std::int32_t symbol = f.nodes[f.graph.head(edge)].symbol;
  if (base_->kind(symbol) == Grammar::kLabel) use(symbol);
}

template <typename Step>
void ForestScorer::spread_gradient(ParserScratch& s, std::span<const double> gradient,
                                   Step step) const {
  const ParseForest& f = s.forest;
  constexpr double kSmall = 1e-4;
  for (int v = 0; v < f.graph.nodes(); ++v) {
    double sum = 0;
    const ParseForest::Node& node = f.nodes[v];
    for (int e = f.graph.first_edge(v); e < f.graph.last_edge(v); ++e) {
      const double g = gradient[e];
      if (std::abs(g) < kSmall) continue;
      const ParseForest::Edge& edge = f.edges[e];
      if (edge.split == ParseForest::Edge::kLeaf) continue;
      if (edge.split == ParseForest::Edge::kChain) {
        const int first = s.span_first[v];
        if (base_->chains()[edge.rule].chain == 0) {
          step(of_chain(s.features[first], edge.rule), static_cast<float>(g));
          continue;
        }
        for (int i = 0; i < s.features_per_span; ++i) {
          step(of_chain(s.features[first + i], edge.rule), static_cast<float>(g));
        }
        continue;
      }
      sum += g;
      s.split.clear();
      s.context.split_features(node.begin, edge.split, node.end, s.split);
      for (std::size_t i = 0; i < s.split.size(); ++i) {
        step(i < SpanContext::kOfRule ? of_rule(s.split[i], edge.rule)
                                      : of_symbol(s.split[i], node.symbol),
             static_cast<float>(g));
      }
    }
    if (std::abs(sum) < kSmall) continue;
    for (int i = 0; i < s.features_per_span; ++i) {
      step(of_symbol(s.features[s.span_first[v] + i], node.symbol), static_cast<float>(sum));
    }
  }
}

}  // namespace entente::constituency
