#include "tasks/dependency/gold_trees.h"

#include <algorithm>

#include "oracle/eisner.h"

namespace entente::dependency {

std::vector<std::int32_t> gold_heads(std::span<const Word> words) {
  std::vector<std::int32_t> heads;
  for (const Word& w : words) heads.push_back(w.head);
  return heads;
}

bool is_tree(std::span<const std::int32_t> heads) {
  const int n = static_cast<int>(heads.size());
  for (int m = 1; m <= n; ++m) {
    int x = m;
    for (int steps = 0; x != 0; ++steps) {
      if (steps > n || heads[x - 1] < 0 || heads[x - 1] > n) return false;
      x = heads[x - 1];
    }
  }
  return true;
}

int crossed_arcs(std::span<const std::int32_t> heads) {
  const int n = static_cast<int>(heads.size());
  int count = 0;
  for (int m = 1; m <= n; ++m) {
    const int h = heads[m - 1];
    for (int k = std::min(h, m) + 1; k < std::max(h, m); ++k) {
      int x = k;
      while (x != 0 && x != h) x = heads[x - 1];
      if (x != h) {
        ++count;
        break;
      }
    }
  }
  return count;
}

void make_projective(bool single_root, TreeWorkspace& work, std::vector<std::int32_t>& heads) {
  const int n = static_cast<int>(heads.size());
  std::vector<double> scores(static_cast<std::size_t>(n + 1) * (n + 1), 0);
  for (int m = 1; m <= n; ++m) {
    const int h = heads[m - 1];
    scores[h * (n + 1) + m] = 1;
    if (h != 0 && (heads[h - 1] != 0 || !single_root)) scores[heads[h - 1] * (n + 1) + m] = 0.5;
  }
  best_projective_tree(n, scores, single_root, heads, work);
}

}  // namespace entente::dependency
