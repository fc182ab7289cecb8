// Random forests small enough to write out every derivation, for tests.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "oracle/hypergraph/hypergraph.h"

namespace entente {

// Nodes in layers of one to three, each with up to three edges of none to three tails below.
inline void random_forest(Random& r, Hypergraph& h, bool in_order = true) {
  h.clear();
  const int nodes = r.between(2, 9);
  h.add_nodes(nodes);
  std::vector<std::pair<int, std::vector<std::int32_t>>> edges;
  for (int v = 0; v < nodes; ++v) {
    for (int left = r.between(v < 2 ? 1 : 0, 3); left > 0; --left) {
      std::vector<std::int32_t> tails;
      if (v > 0) {
        for (int t = r.between(0, v < 6 ? 3 : 2); t > 0; --t) tails.push_back(r.below(v));
      }
      edges.emplace_back(v, tails);
    }
  }
  if (!in_order) {
    for (std::size_t i = edges.size(); i > 1; --i)
      std::swap(edges[i - 1], edges[r.below(static_cast<int>(i))]);
  }
  for (const auto& [head, tails] : edges) h.add_edge(head, tails, r.normal(0, 1.5));
  h.finish(nodes - 1);
}

// Every derivation of a node as its edges from the root down; empty (false) if there are too many.
inline bool all_derivations(const Hypergraph& h, std::size_t most, std::vector<Derivation>& out) {
  std::vector<std::vector<Derivation>> of(h.nodes());
  for (int v = 0; v < h.nodes(); ++v) {
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      std::vector<Derivation> made{{e}};
      for (const std::int32_t tail : h.tails(e)) {
        std::vector<Derivation> longer;
        for (const Derivation& a : made) {
          for (const Derivation& b : of[tail]) {
            longer.push_back(a);
            longer.back().insert(longer.back().end(), b.begin(), b.end());
          }
        }
        made = std::move(longer);
        if (made.size() > most) return false;
      }
      of[v].insert(of[v].end(), made.begin(), made.end());
    }
    if (of[v].size() > most) return false;
  }
  out = std::move(of[h.goal()]);
  return true;
}

template <typename Values>
double total(const Derivation& d, const Values& values) {
  double sum = 0;
  for (const std::int32_t e : d) sum += values[e];
  return sum;
}

// Calls body(h, derivations, r) for `count` random forests with 1 to 400 derivations.
template <typename Body>
void for_random_forests(std::uint64_t seed, int count, Body body) {
  Random r(seed);
  Hypergraph h;
  std::vector<Derivation> all;
  while (count > 0) {
    random_forest(r, h, r.chance(0.5));
    if (!all_derivations(h, 400, all) || all.empty()) continue;
    --count;
    body(h, all, r);
  }
}

}  // namespace entente
