#include "tasks/ccg/bench_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/clock.h"
#include "oracle/hypergraph/state_split.h"

namespace entente::ccg {

namespace {

struct LengthStates {
  std::int64_t nodes = 0, states = 0;
  int most = 0;
};

// Words below each node.
std::vector<int> lengths(const Hypergraph& h) {
  std::vector<int> out(h.nodes(), 0);
  for (int v = 0; v < h.nodes(); ++v) {
    const int e = h.first_edge(v);
    if (e == h.last_edge(v)) continue;
    if (h.tails(e).empty()) out[v] = 1;
    for (const std::int32_t tail : h.tails(e)) out[v] += out[tail];
  }
  return out;
}

FMeasureLoss f1_of(const PackedSentence& s, double tau) {
  FMeasureLoss f;
  f.correct = s.counts.correct;
  f.total = s.counts.total;
  f.gold = s.gold_dependencies;
  f.tau = tau;
  return f;
}

class Splits {
 public:
  void add(const PackedSentence& s, const StateSplitSums& split) {
    const std::vector<int> length = lengths(s.forest);
    for (int v = 0; v < s.forest.nodes(); ++v) {
      LengthStates& at = by_length_[length[v]];
      ++at.nodes;
      at.states += split.splits(v);
      at.most = std::max(at.most, split.splits(v));
      ++all_.nodes;
      all_.states += split.splits(v);
      all_.most = std::max(all_.most, split.splits(v));
      split.for_each_state(v, [&](int n, int d, double) { ++pairs_[{d / 5, n / 5}]; });
    }
  }
  std::string figure_4() const {
    std::string out =
        "\nFigure 4: states a node by the length of its span\n   words    share   "
        "states    most\n";
    for (auto at = by_length_.begin(); at != by_length_.end();) {
      const int first = at->first, last = (first - 1) / 5 * 5 + 5;
      LengthStates sum;
      for (; at != by_length_.end() && at->first <= last; ++at) {
        sum.nodes += at->second.nodes;
        sum.states += at->second.states;
        sum.most = std::max(sum.most, at->second.most);
      }
      out +=
          fmt::format("{:3} to {:3} {:7.2f}% {:8.1f} {:7}\n", first, last,
                      100.0 * static_cast<double>(sum.nodes) / static_cast<double>(all_.nodes),
                      static_cast<double>(sum.states) / static_cast<double>(sum.nodes), sum.most);
    }
    out += fmt::format("all: {:.1f} states a node, at most {} (paper: 44, at most 4,888)\n",
                       static_cast<double>(all_.states) /
                           static_cast<double>(std::max<std::int64_t>(1, all_.nodes)),
                       all_.most);
    return out;
  }
  std::string figure_5() const {
    int most = 0;
    for (const auto& [at, count] : pairs_) most = std::max(most, at.first);
    std::string out = "\nFigure 5: states with d dependencies (across) of which n are right\n     ";
    for (int d = 0; d <= most; ++d)
      out += fmt::format("{:>8}", fmt::format("d {}-{}", 5 * d, 5 * d + 4));
    out += "\n";
    for (int n = most; n >= 0; --n) {
      std::string line = fmt::format("n {:<3}", 5 * n);
      bool any = false;
      for (int d = 0; d <= most; ++d) {
        const auto at = pairs_.find({d, n});
        line += at == pairs_.end() ? fmt::format("{:>8}", "") : fmt::format("{:8}", at->second);
        any = any || at != pairs_.end();
      }
      line.erase(line.find_last_not_of(' ') + 1);
      if (any) out += line + "\n";
    }
    return out;
  }

 private:
  std::map<int, LengthStates> by_length_;
  std::map<std::pair<int, int>, std::int64_t> pairs_;
  LengthStates all_;
};

}  // namespace

std::string cost_report(std::span<const PackedSentence> sentences, std::span<const double> weights,
                        double tau, bool figure_4, bool figure_5) {
  // A gradient as training asks for it, by each way; the first round warms.
  std::vector<double> gradient(weights.size()), score;
  LossSums sums;
  Loss likelihood, f1 = parse_loss("f1");
  f1.tau = tau;
  f1.error = kTrainingError;
  double plain = 0, fast = 0, edges = 0, passes = 0, spread = 0;
  for (int round = 0; round < 2; ++round) {
    plain = fast = edges = passes = spread = 0;
    for (const PackedSentence& s : sentences) {
      double start = processor_seconds();
      sentence_objective(s, weights, likelihood, sums, score, gradient);
      plain += processor_seconds() - start;
      start = processor_seconds();
      sentence_objective(s, weights, f1, sums, score, gradient);
      fast += processor_seconds() - start;
      passes += sums.passes();
      spread += sums.range();
      edges += s.forest.edges();
    }
  }
  StateSplitSums split;
  Splits splits;
  double slow = 0, worst = 0, worst_marginal = 0;
  for (const PackedSentence& s : sentences) {
    const double start = processor_seconds();
    score_edges(s, weights, score);
    split.set(f1_of(s, tau));
    const double log_z = split.run(s.forest, score);
    add_features(s, split.edge_marginals(), gradient);
    slow += processor_seconds() - start;
    splits.add(s, split);
    worst = std::max(
        worst, std::abs(log_z - sums.run(s.forest, score, f1, s.counts, s.gold_dependencies)));
    for (int e = 0; e < s.forest.edges(); ++e)
      worst_marginal =
          std::max(worst_marginal, std::abs(split.edge_marginal(e) - sums.marginals()[e]));
  }
  const double n = static_cast<double>(std::max<std::size_t>(1, sentences.size()));
  std::string out = fmt::format(
      "\nCost of one objective and gradient on the same {} charts ({:.0f} edges, d varies by "
      "{:.1f}, "
      "tau {}), processor time\n"
      "  likelihood            {:9.2f} ms a sentence\n"
      "  exact F1, passes      {:9.2f} ms a sentence, {:.1f} times likelihood ({:.1f} points)\n"
      "  exact F1, state-split {:9.2f} ms a sentence, {:.1f} times the passes\n"
      "  largest difference of log Z {:.1e}, of a marginal {:.1e}\n",
      sentences.size(), edges / n, spread / n, tau, 1e3 * plain / n, 1e3 * fast / n, fast / plain,
      passes / n, 1e3 * slow / n, slow / fast, worst, worst_marginal);
  if (figure_4) out += splits.figure_4();
  if (figure_5) out += splits.figure_5();
  return out;
}

}  // namespace entente::ccg
