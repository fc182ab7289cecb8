#include "tasks/ccg/training.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/processes.h"
#include "learn/lbfgs.h"
#include "oracle/hypergraph/corpus_f.h"

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
  // All sentences are kept, some with hundreds of thousands of edges.
  out.forest.shrink();
  out.first.shrink_to_fit();
  out.features.shrink_to_fit();
  out.log_probability.shrink_to_fit();
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

bool is_mine(int sentence) { return sentence % kHeaps % processes().size() == processes().rank(); }

namespace {

void add_edge(const PackedSentence& sentence, int e, double times, std::span<double> gradient) {
  for (std::uint32_t f = sentence.first[e]; f < sentence.first[e + 1]; ++f)
    gradient[sentence.features[f]] += times;
  gradient.back() += times * sentence.log_probability[e];
}

// What the gold derivation scores; its features are taken from the gradient.
double take_gold(const PackedSentence& sentence, std::span<const double> score,
                 std::span<double> gradient) {
  double value = 0;
  for (const std::int32_t e : sentence.gold) {
    value += score[e];
    add_edge(sentence, e, -1, gradient);
  }
  return value;
}

}  // namespace

void add_features(const PackedSentence& sentence, std::span<const double> times,
                  std::span<double> gradient) {
  for (int e = 0; e < sentence.forest.edges(); ++e) {
    if (std::abs(times[e]) > 1e-9) add_edge(sentence, e, times[e], gradient);
  }
}

double sentence_objective(const PackedSentence& sentence, std::span<const double> weights,
                          const Loss& loss, LossSums& sums, std::vector<double>& score,
                          std::span<double> gradient) {
  score_edges(sentence, weights, score);
  const double log_z =
      sums.run(sentence.forest, score, loss, sentence.counts, sentence.gold_dependencies);
  add_features(sentence, sums.marginals(), gradient);
  return log_z - take_gold(sentence, score, gradient);
}

namespace {

class WeightsObjective {
 public:
  WeightsObjective(std::span<const PackedSentence> sentences, const WeightsOptions& options,
                   Monitor& monitor)
      : sentences_(sentences),
        options_(options),
        monitor_(monitor),
        size_((std::size_t{1} << options.bits) + 1),
        heaps_(kHeaps) {
    options_.loss.error = kTrainingError;
    for (const PackedSentence& s : sentences_) heaps_[s.number % kHeaps].mine.push_back(&s);
  }

  double operator()(std::span<const double> at, std::span<double> gradient) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    double value =
        options_.loss.kind == LossKind::corpus_f1 ? corpus(at, gradient) : plain(at, gradient);
    // The weight of the supertagger's own opinion is drawn to 1, not to 0.
    if (!options_.supertags) gradient.back() = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const double away = i + 1 < size_ ? at[i] : options_.supertags ? at[i] - 1 : 0;
      value += options_.l2 / 2 * away * away;
      gradient[i] += options_.l2 * away;
    }
    monitor_.advance(1);
    return value;
  }

 private:
  struct Heap {
    std::vector<const PackedSentence*> mine;
    std::vector<double> gradient, score, shifted, marginals, totals;
    LossSums sums;
    ForestSums plain_sums;
  };

  // body(heap) for every heap of this process.
  template <typename Body>
  void for_each_heap(Body body) {
    parallel_for(
        kHeaps, options_.threads,
        [&](int h, int) {
          if (is_mine(h)) body(heaps_[h]);
        },
        1);
  }
  // Adds up what the heaps have, in their order, whichever process has it.
  void add_up(std::vector<double> Heap::*what, std::span<double> out) {
    Processes& all = processes();
    for (int h = 0; h < kHeaps; ++h) {
      (heaps_[h].*what).resize(out.size());
      all.broadcast(heaps_[h].*what, h % all.size());
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += (heaps_[h].*what)[i];
    }
  }

  double plain(std::span<const double> at, std::span<double> gradient) {
    for_each_heap([&](Heap& heap) {
      heap.gradient.assign(size_, 0);
      heap.totals.assign(1, 0);
      for (const PackedSentence* s : heap.mine) {
        if (monitor_.stopped()) break;
        heap.totals[0] +=
            sentence_objective(*s, at, options_.loss, heap.sums, heap.score, heap.gradient);
      }
    });
    add_up(&Heap::gradient, gradient);
    double value = 0;
    add_up(&Heap::totals, std::span(&value, 1));
    return value;
  }

  // A plain pass over a sentence with x and y on its counts; returns log Z.
  static double tilt(const PackedSentence& s, double log_x, double log_y, Heap& heap) {
    heap.shifted.resize(heap.score.size());
    for (std::size_t e = 0; e < heap.score.size(); ++e)
      heap.shifted[e] = heap.score[e] + log_x * s.counts.correct[e] + log_y * s.counts.total[e];
    return heap.plain_sums.inside(s.forest, heap.shifted);
  }

  // Where the counts of the corpus are under a loss that is linear around where they were.
  CountMoments find_moments(std::span<const double> at, double log_x, double log_y) {
    for_each_heap([&](Heap& heap) {
      CountMoments sum;
      for (const PackedSentence* s : heap.mine) {
        if (monitor_.stopped()) break;
        score_edges(*s, at, heap.score);
        tilt(*s, log_x, log_y, heap);
        heap.plain_sums.outside(s->forest);
        sum.add(count_moments(s->forest, heap.plain_sums, s->counts.correct, s->counts.total));
      }
      heap.totals = {sum.n, sum.d, sum.nn, sum.nd, sum.dd};
    });
    double sum[5] = {};
    add_up(&Heap::totals, sum);
    return {sum[0], sum[1], sum[2], sum[3], sum[4]};
  }

  double corpus(std::span<const double> at, std::span<double> gradient) {
    double known[2] = {};  // dependencies, sentences
    for_each_heap([&](Heap& heap) {
      heap.totals.assign(2, 0);
      for (const PackedSentence* s : heap.mine) heap.totals[0] += s->gold_dependencies;
      heap.totals[1] = static_cast<double>(heap.mine.size());
    });
    add_up(&Heap::totals, known);
    const double gold = known[0], tau = options_.loss.tau * known[1];
    CountMoments centre;
    for (int round = 0; round < (slope_n_ == 0 ? 3 : 1); ++round) {
      centre = find_moments(at, slope_n_, slope_d_);
      slope_n_ = -2 * tau / (centre.d + gold);
      slope_d_ = -slope_n_ * centre.n / (centre.d + gold);
    }
    CorpusF f(gold, tau);
    f.centre(centre);
    const std::span<const CorpusF::Point> points = f.points();
    for_each_heap([&](Heap& heap) {
      heap.totals.assign(points.size(), 0);
      for (const PackedSentence* s : heap.mine) {
        if (monitor_.stopped()) break;
        score_edges(*s, at, heap.score);
        for (std::size_t k = 0; k < points.size(); ++k)
          heap.totals[k] += tilt(*s, points[k].log_x, points[k].log_y, heap);
      }
    });
    std::vector<double> log_z(points.size(), 0), share;
    add_up(&Heap::totals, log_z);
    double value = f.combine(log_z, share);
    for_each_heap([&](Heap& heap) { add_corpus_gradient(at, points, share, heap); });
    add_up(&Heap::gradient, gradient);
    double of_gold = 0;
    add_up(&Heap::totals, std::span(&of_gold, 1));
    return value - of_gold;
  }

  void add_corpus_gradient(std::span<const double> at, std::span<const CorpusF::Point> points,
                           std::span<const double> share, Heap& heap) {
    heap.gradient.assign(size_, 0);
    heap.totals.assign(1, 0);
    for (const PackedSentence* s : heap.mine) {
      if (monitor_.stopped()) break;
      score_edges(*s, at, heap.score);
      heap.marginals.assign(heap.score.size(), 0);
      for (std::size_t k = 0; k < points.size(); ++k) {
        tilt(*s, points[k].log_x, points[k].log_y, heap);
        heap.plain_sums.outside(s->forest);
        for (std::size_t e = 0; e < heap.marginals.size(); ++e)
          heap.marginals[e] += share[k] * heap.plain_sums.edge_marginal(static_cast<int>(e));
      }
      add_features(*s, heap.marginals, heap.gradient);
      heap.totals[0] += take_gold(*s, heap.score, heap.gradient);
    }
  }

  std::span<const PackedSentence> sentences_;
  WeightsOptions options_;
  Monitor& monitor_;
  std::size_t size_;
  std::vector<Heap> heaps_;
  double slope_n_ = 0, slope_d_ = 0;  // of the corpus's loss where its counts were last
};

}  // namespace

double weights_objective(std::span<const PackedSentence> sentences, const WeightsOptions& options,
                         std::span<const double> weights, std::span<double> gradient,
                         Monitor& monitor) {
  return WeightsObjective(sentences, options, monitor)(weights, gradient);
}

std::vector<double> train_weights(std::span<const PackedSentence> sentences,
                                  const WeightsOptions& options, Monitor& monitor) {
  std::vector<double> weights((std::size_t{1} << options.bits) + 1, 0);
  weights.back() = options.supertags ? 1 : 0;  // trusted to begin with
  monitor.stage("parser, weights", options.iterations);
  WeightsObjective objective(sentences, options, monitor);
  minimize_lbfgs(weights,
                 [&](std::span<const double> at, std::span<double> gradient) {
                   return objective(at, gradient);
                 },
                 {.iterations = options.iterations, .memory = 6, .tolerance = options.tolerance});
  return weights;
}

}  // namespace entente::ccg
