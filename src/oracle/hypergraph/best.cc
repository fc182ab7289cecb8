#include "oracle/hypergraph/best.h"

#include <limits>

namespace entente {

namespace {
constexpr double kNone = -std::numeric_limits<double>::infinity();
}

double BestPass::run_again(const Hypergraph& h, std::span<const double> score, int first) {
  in_.resize(h.nodes());
  best_.resize(h.nodes());
  for (int v = first; v < h.nodes(); ++v) {
    double best = kNone;
    int best_edge = -1;
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      double sum = score[e];
      for (const std::int32_t tail : h.tails(e)) sum += in_[tail];
      if (sum > best) {
        best = sum;
        best_edge = e;
      }
    }
    in_[v] = best;
    best_[v] = best_edge;
  }
  return in_[h.goal()];
}

void BestPass::derivation(const Hypergraph& h, Derivation& edges) {
  derivation(h, h.goal(), edges);
}

void BestPass::derivation(const Hypergraph& h, int node, Derivation& edges) {
  edges.clear();
  if (best_[node] < 0) return;
  stack_.assign(1, node);
  while (!stack_.empty()) {
    const int edge = best_[stack_.back()];
    stack_.pop_back();
    edges.push_back(edge);
    const auto tails = h.tails(edge);
    stack_.insert(stack_.end(), tails.rbegin(), tails.rend());
  }
}

void BestPass::max_marginals(const Hypergraph& h, std::span<const double> score,
                             std::vector<double>& through) {
  out_.assign(h.nodes(), kNone);
  through.assign(h.edges(), kNone);
  out_[h.goal()] = 0;
  for (int v = h.goal(); v >= 0; --v) {
    if (out_[v] == kNone) continue;
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      double sum = out_[v] + score[e];
      for (const std::int32_t tail : h.tails(e)) sum += in_[tail];
      through[e] = sum;
      if (sum == kNone) continue;
      for (const std::int32_t tail : h.tails(e)) {
        const double above = sum - in_[tail];
        if (above > out_[tail]) out_[tail] = above;
      }
    }
  }
}

}  // namespace entente
