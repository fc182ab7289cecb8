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
#include "learn/model_file.h"
#include "tasks/constituency/grammar.h"
#include "tasks/constituency/head_table.h"
#include "tasks/constituency/lexicon.h"
#include "tasks/constituency/scorer.h"
#include "tasks/constituency/scratch.h"
#include "tasks/constituency/span_filter.h"

namespace entente::constituency {

// Edges are dropped below this part of the threshold for symbols.
inline constexpr double kEdgeShare = 0.1;

enum class Decoder { kCoarse, kBest, kRisk };

struct ParseOptions {
  Decoder decoder = Decoder::kRisk;
  double threshold = 1e-3;    // of pruning
  double temperature = 1;     // scores are multiplied by it before probabilities are taken
  double bracket_cost = 0.5;  // of minimum risk: what a bracket must be likely by to be worth it
  double likely = 0.03;       // brackets of this probability are kept beside the tree's
  int draws = 16;             // trees drawn beside it
};

struct ConstituencyModel {
  static constexpr std::string_view kSection = "constituency";
  Grammar base, fine;  // fine: markovised, with parents; the coarse decoder's
  Lexicon lexicon;
  int bits = 22;
  bool contexts = false;  // does the log-linear model see labels above and siblings?
  std::vector<std::int8_t> tagger_weights, weights, filter_weights;  // the filter's may be empty
  float tagger_scale = 1, scale = 1, filter_scale = 1;
  double filter_cut = 0;
  HeadTable heads;                             // of the lexicalised grammar; may be empty
  double arc_weight = 1;                       // of dependency scores where both agree
  double bracket_cost = 0.5, temperature = 1;  // as chosen on held-out trees

  void write(ModelWriter& writer) const;
  static ConstituencyModel read(const ModelFile& file);
};

class ConstituencyParser {
 public:
  explicit ConstituencyParser(const ConstituencyModel& model);
  ConstituencyParser(const Grammar& base, const Grammar& fine, const Lexicon& lexicon,
                     WeightReader tagger_weights, const ForestScorer& scorer, SpanFilter filter);

  PhraseTree parse(std::span<const std::string> words, const ParseOptions& options,
                   ParserScratch& scratch) const;
  std::vector<PhraseTree> k_best(std::span<const std::string> words, int k,
                                 const ParseOptions& options, ParserScratch& scratch) const;

  // The steps, for training and agreement.
  void tag(std::span<const std::string> words, ParserScratch& s) const;  // lattice, leaves, context
  bool prune(double threshold, ParserScratch& s) const;                  // allowed
  bool build(ParserScratch& s, double threshold = 0) const;  // whole, plain, forest, score
  // The forest without what its own scores say is unlikely: small.
  bool shrink(double threshold, ParserScratch& s) const {
    return s.likely.run(s.forest, threshold, {}, s.small);
  }
  // The tree of a derivation of `forest`, which is s.forest or s.small, with confidences.
  PhraseTree finish(std::span<const std::string> words, const ParseForest& forest,
                    std::span<const double> score, std::span<const std::int32_t> derivation,
                    ParserScratch& s) const;
  // What a tree of minimum risk gains by each edge, from the edges' probabilities: s.brackets, and
  // s.gain, which is returned.
  std::span<const double> gains(const ParseForest& forest, std::span<const double> marginals,
                                double cost, ParserScratch& s) const;
  // The tree of a derivation, its confidences from s.brackets; its score is left open.
  PhraseTree finish(std::span<const std::string> words, const ParseForest& forest,
                    std::span<const std::int32_t> derivation, const ParserScratch& s) const;
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
  void find_brackets(const ParseForest& f, std::span<const double> marginals,
                     ParserScratch& s) const;
  void find_brackets(ParserScratch& s) const {
    find_brackets(s.forest, s.sums.edge_marginals(), s);
  }
  void set_confidence(const ParserScratch& s, PhraseTree& tree) const;
  void keep_likely(const ParserScratch& s, double least, PhraseTree& tree) const;
  void draw_others(std::span<const std::string> words, int draws, ParserScratch& s,
                   PhraseTree& tree) const;
  bool forest_of(std::span<const std::string> words, const ParseOptions& options,
                 ParserScratch& s) const;

  const Grammar *base_, *fine_;
  const Lexicon* lexicon_;
  Tagger tagger_;
  ForestScorer scorer_;
  SpanFilter filter_;
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

}  // namespace entente::constituency
