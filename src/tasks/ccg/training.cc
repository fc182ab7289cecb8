#include "tasks/ccg/training.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "learn/lbfgs.h"

namespace entente::ccg {

void pack(const Chart& chart, const Choices& choices, EdgeFeatures& features, PackedSentence& out) {
  out.forest = chart.forest();
  out.first.assign(1, 0);
  out.features.clear();
  out.log_probability.clear();
  for (int e = 0; e < out.forest.edges(); ++e) {
    const Chart::Edge& edge = chart.edge(e);
    features.find(chart, e, out.features);
    out.first.push_back(static_cast<std::uint32_t>(out.features.size()));
    out.log_probability.push_back(
        edge.rule.rule == Rule::lexical
            ? static_cast<float>(choices[edge.word][edge.choice].log_probability)
            : 0.0f);
  }
}

void score_edges(const PackedSentence& sentence, std::span<const double> weights,
                 std::vector<double>& score) {
  const int edges = sentence.forest.edges();
  score.resize(edges);
  const double by_tagger = weights.back();
  for (int e = 0; e < edges; ++e) {
    double s = by_tagger * sentence.log_probability[e];
    for (std::uint32_t f = sentence.first[e]; f < sentence.first[e + 1]; ++f)
      s += weights[sentence.features[f]];
    score[e] = s;
  }
}

double sentence_objective(const PackedSentence& sentence, std::span<const double> weights,
                          const Loss& loss, LossSums& sums, std::vector<double>& score,
                          std::span<double> gradient) {
  score_edges(sentence, weights, score);
  double value =
      sums.run(sentence.forest, score, loss, sentence.counts, sentence.gold_dependencies);
  const auto add = [&](int e, double times) {
    for (std::uint32_t f = sentence.first[e]; f < sentence.first[e + 1]; ++f)
      gradient[sentence.features[f]] += times;
    gradient.back() += times * sentence.log_probability[e];
  };
  const std::span<const double> marginals = sums.marginals();
  for (int e = 0; e < sentence.forest.edges(); ++e) {
    if (std::abs(marginals[e]) > 1e-9) add(e, marginals[e]);
  }
  for (const std::int32_t e : sentence.gold) {
    value -= score[e];
    add(e, -1);
  }
  return value;
}

std::vector<double> train_weights(std::span<const PackedSentence> sentences,
                                  const WeightsOptions& options, Monitor& monitor) {
  constexpr int kHeaps = 8;
  struct Heap {
    std::vector<double> gradient, score;
    LossSums sums;
    double value = 0;
  };
  const std::size_t size = (std::size_t{1} << options.bits) + 1;
  std::vector<double> weights(size, 0);
  weights.back() = 1;  // the supertagger is trusted to begin with
  std::vector<Heap> heaps(kHeaps);
  const int n = static_cast<int>(sentences.size());
  monitor.stage("parser, weights", options.iterations);
  const auto objective = [&](std::span<const double> at, std::span<double> gradient) {
    parallel_for(
        kHeaps, options.threads,
        [&](int h, int) {
          Heap& heap = heaps[h];
          heap.gradient.assign(size, 0);
          heap.value = 0;
          for (int i = h; i < n && !monitor.stopped(); i += kHeaps)
            heap.value += sentence_objective(sentences[i], at, options.loss, heap.sums, heap.score,
                                             heap.gradient);
        },
        1);
    double value = 0;
    std::fill(gradient.begin(), gradient.end(), 0.0);
    for (const Heap& heap : heaps) {
      value += heap.value;
      for (std::size_t i = 0; i < size; ++i) gradient[i] += heap.gradient[i];
    }
    // The weight of the supertagger's own opinion is drawn to 1, not to 0.
    for (std::size_t i = 0; i < size; ++i) {
      const double away = i + 1 == size ? at[i] - 1 : at[i];
      value += options.l2 / 2 * away * away;
      gradient[i] += options.l2 * away;
    }
    monitor.advance(1);
    return value;
  };
  minimize_lbfgs(weights, objective,
                 {.iterations = options.iterations, .memory = 6, .tolerance = options.tolerance});
  return weights;
}

}  // namespace entente::ccg
