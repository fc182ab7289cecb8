#include "oracle/hypergraph/state_split.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "oracle/hypergraph/scaled.h"

namespace entente {

namespace {
constexpr double kNone = -std::numeric_limits<double>::infinity();
}

double StateSplitSums::loss(int n, int d) const {
  const double below = d + loss_.gold_weight * loss_.gold;
  return 1 - (below == 0 ? 0 : loss_.gain * n / below);
}

void StateSplitSums::find_boxes(const Hypergraph& h) {
  boxes_.assign(h.nodes(), {std::numeric_limits<std::int32_t>::max(), -1,
                            std::numeric_limits<std::int32_t>::max(), -1, 0});
  std::int64_t at = 0;
  for (int v = 0; v < h.nodes(); ++v) {
    Box& box = boxes_[v];
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      if (shifts_[e] == 0) continue;
      Box sum{loss_.correct[e], loss_.correct[e], loss_.total[e], loss_.total[e], 0};
      for (const std::int32_t tail : h.tails(e)) {
        sum.n0 += boxes_[tail].n0;
        sum.n1 += boxes_[tail].n1;
        sum.d0 += boxes_[tail].d0;
        sum.d1 += boxes_[tail].d1;
      }
      box.n0 = std::min(box.n0, sum.n0);
      box.n1 = std::max(box.n1, sum.n1);
      box.d0 = std::min(box.d0, sum.d0);
      box.d1 = std::max(box.d1, sum.d1);
    }
    box.at = at;
    if (box.n1 >= 0) at += static_cast<std::int64_t>(box.n1 - box.n0 + 1) * (box.d1 - box.d0 + 1);
  }
  number_.assign(at, -1);
}

// body(n, d, product) for every choice of one state a tail; picked_ says which.
template <typename Body>
void StateSplitSums::for_each_pair(const Hypergraph& h, int edge, Body body) {
  const auto tails = h.tails(edge);
  const std::int32_t n = loss_.correct[edge], d = loss_.total[edge];
  picked_.resize(tails.size());
  if (tails.size() == 2) {
    for (std::int32_t a = first_[tails[0]]; a < first_[tails[0] + 1]; ++a) {
      const State& left = states_[a];
      picked_[0] = a;
      for (std::int32_t b = first_[tails[1]]; b < first_[tails[1] + 1]; ++b) {
        picked_[1] = b;
        body(n + left.n + states_[b].n, d + left.d + states_[b].d, left.in * states_[b].in);
      }
    }
    return;
  }
  for (std::size_t i = 0; i < tails.size(); ++i) picked_[i] = first_[tails[i]];
  while (true) {
    std::int32_t all_n = n, all_d = d;
    double product = 1;
    for (const std::int32_t s : picked_) {
      all_n += states_[s].n;
      all_d += states_[s].d;
      product *= states_[s].in;
    }
    body(all_n, all_d, product);
    std::size_t i = 0;
    while (i < tails.size() && ++picked_[i] == first_[tails[i] + 1]) {
      picked_[i] = first_[tails[i]];
      ++i;
    }
    if (i == tails.size()) return;
  }
}

void StateSplitSums::pass_up(const Hypergraph& h) {
  states_.clear();
  first_.assign(1, 0);
  for (int v = 0; v < h.nodes(); ++v) {
    const Box& box = boxes_[v];
    if (box.n1 >= 0) {
      const int width = box.d1 - box.d0 + 1;
      grid_.assign(static_cast<std::size_t>(box.n1 - box.n0 + 1) * width, 0.0);
      for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
        if (shifts_[e] == 0) continue;
        const double shift = shifts_[e];
        for_each_pair(
            h, e, [&](int n, int d, double product) { grid_[place(v, n, d)] += shift * product; });
      }
      for (std::size_t i = 0; i < grid_.size(); ++i) {
        if (grid_[i] == 0) continue;
        number_[box.at + static_cast<std::int64_t>(i)] = static_cast<std::int32_t>(states_.size());
        states_.push_back({box.n0 + static_cast<std::int32_t>(i) / width,
                           box.d0 + static_cast<std::int32_t>(i) % width, grid_[i], 0});
      }
    }
    first_.push_back(static_cast<std::int32_t>(states_.size()));
  }
}

void StateSplitSums::pass_down(const Hypergraph& h) {
  total_ = 0;
  for (std::int32_t s = first_[h.goal()]; s < first_[h.goal() + 1]; ++s) {
    State& state = states_[s];
    state.out = std::exp(loss_.tau * loss(state.n, state.d));
    total_ += state.in * state.out;
  }
  for (int v = h.goal(); v >= 0; --v) {
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      if (shifts_[e] == 0) continue;
      double sum = 0;
      for_each_pair(h, e, [&](int n, int d, double product) {
        const std::int32_t at = number_[boxes_[v].at + place(v, n, d)];
        const double out = at < 0 ? 0 : states_[at].out * shifts_[e];
        if (out == 0 || product == 0) return;
        sum += out * product;
        for (const std::int32_t s : picked_) states_[s].out += out * (product / states_[s].in);
      });
      marginal_[e] = sum;
    }
  }
}

double StateSplitSums::run(const Hypergraph& h, std::span<const double> score) {
  marginal_.assign(h.edges(), 0.0);
  first_.assign(h.nodes() + 1, 0);
  if (sums_.inside(h, score) == kNone) return kNone;
  shifts_.resize(h.edges());
  for (int e = 0; e < h.edges(); ++e) {
    int scale = sums_.weight_scale(e) - sums_.scale(h.head(e));
    bool possible = sums_.weight(e) > 0;
    for (const std::int32_t tail : h.tails(e)) {
      scale += sums_.scale(tail);
      possible &= sums_.log_inside(tail) != kNone;
    }
    shifts_[e] = possible ? sums_.weight(e) * power_of_two(scale) : 0;
  }
  find_boxes(h);
  pass_up(h);
  pass_down(h);
  for (double& m : marginal_) m /= total_;
  log_unit_ = sums_.scale(h.goal()) * std::numbers::ln2;
  return std::log(total_) + log_unit_;
}

}  // namespace entente
