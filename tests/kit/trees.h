// All trees of a few words, and dense random scores for them: the brute-force twin of the tree
// algorithms.
//
//   for (const auto& heads : kit::all_trees(4)) ...          // heads[m - 1] is the head of m
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/random.h"

namespace entente::kit {

using Heads = std::vector<std::int32_t>;

inline bool is_tree(const Heads& heads) {
  const int words = static_cast<int>(heads.size());
  for (int m = 1; m <= words; ++m) {
    int steps = 0, x = m;
    while (x != 0 && steps++ <= words) x = heads[x - 1];
    if (x != 0) return false;
  }
  return true;
}

// No two arcs cross, those from the root (left of all words) included.
inline bool is_projective(const Heads& heads) {
  const int words = static_cast<int>(heads.size());
  for (int a = 1; a <= words; ++a) {
    for (int b = 1; b <= words; ++b) {
      const int a1 = std::min(a, heads[a - 1]), a2 = std::max(a, heads[a - 1]);
      const int b1 = std::min(b, heads[b - 1]), b2 = std::max(b, heads[b - 1]);
      if (a1 < b1 && b1 < a2 && a2 < b2) return false;
    }
  }
  return true;
}

inline bool has_single_root(const Heads& heads) {
  return std::count(heads.begin(), heads.end(), 0) == 1;
}

// (words + 1)^(words - 1) of them.
inline std::vector<Heads> all_trees(int words) {
  std::vector<Heads> trees;
  Heads heads(words, 0);
  while (true) {
    if (is_tree(heads)) trees.push_back(heads);
    int m = 0;
    while (m < words && heads[m] == words) heads[m++] = 0;
    if (m == words) return trees;
    ++heads[m];
  }
}

// Dense arc scores: some forbidden, some small whole numbers (so that there are ties), some with a
// few very large ones.
inline std::vector<double> random_arcs(Random& r, int words) {
  std::vector<double> scores((words + 1) * (words + 1));
  const int kind = r.below(4);
  const double forbidden = r.chance(0.5) ? 0 : r.uniform(0, 0.6);
  for (double& x : scores) {
    x = kind == 0 ? r.between(-1, 1) : r.normal(0, kind == 3 && r.chance(0.3) ? 60 : 2);
    if (r.chance(forbidden)) x = -std::numeric_limits<double>::infinity();
  }
  return scores;
}

inline double score_of(const Heads& heads, const std::vector<double>& scores) {
  double total = 0;
  for (std::size_t m = 1; m <= heads.size(); ++m) {
    total += scores[heads[m - 1] * (heads.size() + 1) + m];
  }
  return total;
}

}  // namespace entente::kit
