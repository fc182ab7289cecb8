// Training of the parser's weights on charts that are made once and kept packed in memory.
//
//   std::vector<PackedSentence> packed;         // from pack(), sentence by sentence
//   std::vector<double> weights = train_weights(packed, {.loss = parse_loss("decf1")}, monitor);
//
// Minimises sum over sentences of log Z_loss - score(gold) + l2/2 |w|^2 by L-BFGS, where Z_loss
// sums exp(score + tau loss) over all derivations of the chart (softmax-margin; Auli and Lopez
// 2011). Sentences are dealt to a fixed number of heaps whose gradients are added in order, so that
// the weights do not depend on the number of threads or processes (base/processes.h). Cost:
// iterations * edges * features, times the passes of an exact loss. With corpus_f1 the loss is that
// of all sentences together, times their number (oracle/hypergraph/corpus_f.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/monitor.h"
#include "tasks/ccg/edge_features.h"
#include "tasks/ccg/losses.h"

namespace entente::ccg {

// A chart with what its edges see, without the chart's own tables.
struct PackedSentence {
  Hypergraph forest;
  std::vector<std::uint32_t> first, features;  // of edge e: features[first[e]] up to first[e + 1]
  std::vector<float> log_probability;          // the supertagger's, of lexical edges
  std::vector<std::int32_t> gold;              // edges of the gold derivation
  EdgeCounts counts;
  int gold_dependencies = 0;
  int number = 0;          // of the sentence, among all
  bool by_oracle = false;  // `gold` is the best derivation of the chart, not the treebank's
};

// Heaps of sentences, and whose they are: those of sentence i are in heap i % kHeaps.
inline constexpr int kHeaps = 16;
bool is_mine(int sentence);

void pack(const Chart& chart, const Choices& choices, EdgeFeatures& features, PackedSentence& out);

// How exact the exact losses are in training: a thousandth of a point of F1 at tau 1.
inline constexpr double kTrainingError = 1e-5;

struct WeightsOptions {
  int bits = 20;
  Loss loss;
  bool supertags = true;  // the supertagger's probabilities are a feature
  double l2 = 0.1;
  int iterations = 80;
  double tolerance = 2e-3;
  int threads = 1;
};

// 2^bits weights and, last, that of the supertagger's logarithm (0: it is not used). Stops early (with what it has) if
// the monitor says so.
std::vector<double> train_weights(std::span<const PackedSentence> sentences,
                                  const WeightsOptions& options, Monitor& monitor);

// What train_weights minimises, at these weights, and its gradient.
double weights_objective(std::span<const PackedSentence> sentences, const WeightsOptions& options,
                         std::span<const double> weights, std::span<double> gradient,
                         Monitor& monitor);

// The objective without regularisation and its gradient (added to `gradient`).
double sentence_objective(const PackedSentence& sentence, std::span<const double> weights,
                          const Loss& loss, LossSums& sums, std::vector<double>& score,
                          std::span<double> gradient);

// Adds `times` marginals' worth of features, edge by edge.
void add_features(const PackedSentence& sentence, std::span<const double> times,
                  std::span<double> gradient);

// Scores of all edges.
void score_edges(const PackedSentence& sentence, std::span<const double> weights,
                 std::vector<double>& score);

}  // namespace entente::ccg
