#include "oracle/hypergraph/max_f.h"

#include <algorithm>
#include <limits>

namespace entente {

void MaxF::offer(Entry& at, const Entry& made) {
  if (made.n > at.n || (made.n == at.n && made.score > at.score)) at = made;
}

double MaxF::run(const Hypergraph& h, const FMeasureLoss& measure, std::span<const double> score) {
  constexpr double kStruckOut = -std::numeric_limits<double>::infinity();
  measure_ = measure;
  low_.assign(h.nodes(), std::numeric_limits<std::int32_t>::max());
  high_.assign(h.nodes(), -1);
  first_.assign(1, 0);
  entries_.clear();
  const auto usable = [&](int e) {
    if (score[e] == kStruckOut) return false;
    const auto tails = h.tails(e);
    return std::all_of(tails.begin(), tails.end(), [&](int t) { return high_[t] >= 0; });
  };
  for (int v = 0; v < h.nodes(); ++v) {
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      ENTENTE_CHECK(h.tails(e).size() <= 2);
      if (!usable(e)) continue;
      std::int32_t low = measure.total[e], high = low;
      for (const std::int32_t tail : h.tails(e)) {
        low += low_[tail];
        high += high_[tail];
      }
      low_[v] = std::min(low_[v], low);
      high_[v] = std::max(high_[v], high);
    }
    entries_.resize(entries_.size() + (high_[v] < 0 ? 0 : high_[v] - low_[v] + 1));
    first_.push_back(static_cast<std::int64_t>(entries_.size()));
    const auto entry = [&](int node, int d) -> Entry& {
      return entries_[first_[node] + d - low_[node]];
    };
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      if (!usable(e)) continue;
      const auto tails = h.tails(e);
      const std::int32_t n = measure.correct[e], d = measure.total[e];
      if (tails.empty()) {
        offer(entry(v, d), {n, e, 0, score[e]});
        continue;
      }
      for (std::int32_t a = low_[tails[0]]; a <= high_[tails[0]]; ++a) {
        const Entry& left = entry(tails[0], a);
        if (left.n < 0) continue;
        if (tails.size() == 1) {
          offer(entry(v, d + a), {n + left.n, e, a, score[e] + left.score});
          continue;
        }
        for (std::int32_t b = low_[tails[1]]; b <= high_[tails[1]]; ++b) {
          const Entry& right = entry(tails[1], b);
          if (right.n >= 0)
            offer(entry(v, d + a + b),
                  {n + left.n + right.n, e, a, score[e] + left.score + right.score});
        }
      }
    }
  }
  best_ = -1;
  double best = -1, best_score = 0;
  const int goal = h.goal();
  for (std::int32_t d = low_[goal]; d <= high_[goal]; ++d) {
    const Entry& at = entries_[first_[goal] + d - low_[goal]];
    if (at.n < 0) continue;
    const double below = d + measure.gold_weight * measure.gold;
    const double f = below == 0 ? 0 : measure.gain * at.n / below;
    if (f > best || (f == best && at.score > best_score)) {
      best = f;
      best_score = at.score;
      best_ = d;
      correct_ = at.n;
      total_ = d;
    }
  }
  return best;
}

void MaxF::derivation(const Hypergraph& h, Derivation& edges) const {
  edges.clear();
  if (best_ < 0) return;
  std::vector<std::pair<std::int32_t, std::int32_t>> stack{{h.goal(), best_}};
  while (!stack.empty()) {
    const auto [v, d] = stack.back();
    stack.pop_back();
    const Entry& at = entries_[first_[v] + d - low_[v]];
    edges.push_back(at.edge);
    const auto tails = h.tails(at.edge);
    if (tails.size() == 2) stack.emplace_back(tails[1], d - measure_.total[at.edge] - at.left);
    if (!tails.empty()) stack.emplace_back(tails[0], at.left);
  }
}

}  // namespace entente
