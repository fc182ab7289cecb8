#include "tasks/alignment/links.h"

#include <array>
#include <utility>

namespace entente::alignment {

namespace {

enum : std::uint8_t { kForwardBit = 1, kBackwardBit = 2 };

// As Moses does it: from the intersection to neighbours in the union, then what is left of each
// direction where both words are still free.
class Grower {
 public:
  Grower(int n, int m, const std::vector<std::uint8_t>& votes)
      : n_(n), m_(m), votes_(votes), on_(votes.size()), row_(n), column_(m) {}

  std::vector<std::uint8_t> grow_diag_final_and() {
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < m_; ++j) {
        if (votes_[at(i, j)] == (kForwardBit | kBackwardBit)) put(i, j);
      }
    }
    while (grow()) {
    }
    finish(kForwardBit);
    finish(kBackwardBit);
    return on_;
  }

 private:
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(i) * m_ + j; }
  void put(int i, int j) {
    on_[at(i, j)] = 1;
    row_[i] = column_[j] = 1;
  }
  bool grow() {
    static constexpr std::array<std::pair<int, int>, 8> kNeighbours{
        {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};
    bool grown = false;
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < m_; ++j) {
        if (!on_[at(i, j)]) continue;
        for (const auto& [di, dj] : kNeighbours) {
          const int x = i + di, y = j + dj;
          if (x < 0 || y < 0 || x >= n_ || y >= m_ || on_[at(x, y)] || !votes_[at(x, y)]) continue;
          if (row_[x] && column_[y]) continue;
          put(x, y);
          grown = true;
        }
      }
    }
    return grown;
  }
  void finish(std::uint8_t direction) {
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < m_; ++j) {
        if ((votes_[at(i, j)] & direction) && !row_[i] && !column_[j]) put(i, j);
      }
    }
  }

  int n_, m_;
  const std::vector<std::uint8_t>& votes_;
  std::vector<std::uint8_t> on_, row_, column_;
};

}  // namespace

std::vector<Link> symmetrize(Heuristic heuristic, std::span<const std::int32_t> forward,
                             std::span<const std::int32_t> backward) {
  const int n = static_cast<int>(backward.size()), m = static_cast<int>(forward.size());
  std::vector<std::uint8_t> votes(static_cast<std::size_t>(n) * m);
  for (int j = 0; j < m; ++j) {
    if (forward[j] >= 0) votes[static_cast<std::size_t>(forward[j]) * m + j] |= kForwardBit;
  }
  for (int i = 0; i < n; ++i) {
    if (backward[i] >= 0) votes[static_cast<std::size_t>(i) * m + backward[i]] |= kBackwardBit;
  }
  std::vector<std::uint8_t> on(votes.size());
  if (heuristic == Heuristic::kGrowDiagFinalAnd) {
    on = Grower(n, m, votes).grow_diag_final_and();
  } else {
    for (std::size_t k = 0; k < votes.size(); ++k) {
      const bool f = votes[k] & kForwardBit, b = votes[k] & kBackwardBit;
      on[k] = heuristic == Heuristic::kForward     ? f
              : heuristic == Heuristic::kBackward  ? b
              : heuristic == Heuristic::kIntersect ? (f && b)
                                                   : (f || b);
    }
  }
  std::vector<Link> links;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      if (on[static_cast<std::size_t>(i) * m + j]) links.push_back({i, j});
    }
  }
  return links;
}

}  // namespace entente::alignment
