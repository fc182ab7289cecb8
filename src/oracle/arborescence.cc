#include "oracle/arborescence.h"

#include <algorithm>
#include <limits>

namespace entente {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

// The first of the largest; the maximum is found four at a time, since one running maximum would
// wait for itself.
int first_largest(const double* x, int count) {
  double best[4] = {kNone, kNone, kNone, kNone};
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    for (int lane = 0; lane < 4; ++lane) best[lane] = std::max(best[lane], x[i + lane]);
  }
  for (; i < count; ++i) best[0] = std::max(best[0], x[i]);
  const double top = std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
  for (i = 0; x[i] != top;) ++i;
  return i;
}

// Grows a path backwards from a node along best entering arcs. Where it meets itself the cycle
// becomes one node; where it meets the root, or a path that did, it is finished. A node of the
// contraction forest is a word (0..words) or a cycle (words + 1, ...). Rows hold the best arc from
// each word into a node of the path or one not yet visited; a cycle takes over the row of one of
// its members, so that all rows together are words^2 and all merging costs O(words^2).
class Contraction {
 public:
  Contraction(int words, TreeWorkspace& w)
      : size_(words + 1),
        entering_(w.a),
        chosen_(w.b),
        target_(w.i),
        node_of_(w.j),
        row_(w.k),
        from_(w.l),
        to_(w.m),
        forest_(w.n),
        state_(w.marks) {}

  // Arcs of the root count as worth `penalty` less.
  bool run(std::span<const double> scores, double penalty, std::span<std::int32_t> heads) {
    setup(scores, penalty);
    for (int word = 1; word < size_; ++word) {
      if (state_[node_of_[word]] == kFresh && !grow(node_of_[word])) return false;
    }
    expand(heads);
    return true;
  }

 private:
  enum : std::uint8_t { kFresh, kOnPath, kDone };
  // forest_: parent of each node, then the end of each cycle's members, the members, the path.
  std::int32_t& parent(int node) { return forest_[node]; }
  std::int32_t& members_end(int node) { return forest_[2 * size_ + node]; }
  std::int32_t& member(int i) { return forest_[4 * size_ + i]; }
  std::int32_t& path(int i) { return forest_[6 * size_ + i]; }

  void setup(std::span<const double> scores, double penalty) {
    const std::size_t n = size_;
    entering_.resize(n * n);
    target_.resize(n * n);
    for (std::size_t m = 1; m < n; ++m) {
      for (std::size_t h = 0; h < n; ++h) entering_[m * n + h] = scores[h * n + m];
      entering_[m * n] -= penalty;
      entering_[m * n + m] = kNone;
      std::fill_n(target_.begin() + m * n, n, static_cast<std::int32_t>(m));
    }
    node_of_.resize(n);
    row_.resize(2 * n);
    for (int x = 0; x < size_; ++x) node_of_[x] = row_[x] = x;
    from_.resize(2 * n);
    to_.resize(2 * n);
    chosen_.resize(2 * n);
    forest_.assign(8 * n, -1);
    state_.assign(2 * n, kFresh);
    state_[0] = kDone;
    nodes_ = size_;
    members_ = 0;
  }

  // Chooses the best arc into a node; false if there is none.
  bool choose(int node) {
    const double* row = entering_.data() + static_cast<std::size_t>(row_[node]) * size_;
    const int best = first_largest(row, size_);
    if (row[best] == kNone) return false;
    chosen_[node] = row[best];
    from_[node] = best;
    to_[node] = target_[static_cast<std::size_t>(row_[node]) * size_ + best];
    return true;
  }

  bool grow(int node) {
    int length = 0;
    while (true) {
      path(length++) = node;
      state_[node] = kOnPath;
      if (!choose(node)) return false;
      node = node_of_[from_[node]];
      if (state_[node] == kDone) break;
      if (state_[node] == kFresh) continue;
      int first = length - 1;
      while (path(first) != node) --first;
      node = contract(first, length);
      length = first;
    }
    for (int x = 0; x < length; ++x) state_[path(x)] = kDone;
    return true;
  }

  // Makes one node of path(first), ..., path(end - 1).
  int contract(int first, int end) {
    const int made = nodes_++;
    const std::size_t kept = static_cast<std::size_t>(row_[path(first)]) * size_;
    for (int x = first; x < end; ++x) {
      const int node = path(x);
      const std::size_t base = static_cast<std::size_t>(row_[node]) * size_;
      const double out = chosen_[node];
      for (int h = 0; h < size_; ++h) {
        const double arc = entering_[base + h] - out;
        if (x == first) {
          entering_[kept + h] = arc;
        } else if (arc > entering_[kept + h]) {
          entering_[kept + h] = arc;
          target_[kept + h] = target_[base + h];
        }
      }
      parent(node) = made;
      member(members_++) = node;
    }
    members_end(made) = members_;
    row_[made] = row_[path(first)];
    for (int h = 0; h < size_; ++h) {
      const int top = node_of_[h];
      if (parent(top) != made) continue;
      node_of_[h] = made;
      entering_[kept + h] = kNone;
    }
    return made;
  }

  // An arc into a cycle takes the place of the cycle's own arc into the same member, all the way
  // down to a word; the other members keep theirs and are roots of what is left of the forest.
  void expand(std::span<std::int32_t> heads) {
    int waiting = 0;
    for (int node = 1; node < nodes_; ++node) {
      if (parent(node) == -1) path(waiting++) = node;
    }
    while (waiting > 0) {
      const int node = path(--waiting);
      const int word = to_[node];
      heads[word - 1] = from_[node];
      for (int x = word; x != node; x = parent(x)) {
        const int cycle = parent(x);
        const int begin = cycle == size_ ? 0 : members_end(cycle - 1);
        for (int i = begin; i < members_end(cycle); ++i) {
          if (member(i) != x) path(waiting++) = member(i);
        }
      }
    }
  }

  int size_, nodes_ = 0, members_ = 0;
  std::vector<double>&entering_, &chosen_;
  std::vector<std::int32_t>&target_, &node_of_, &row_, &from_, &to_, &forest_;
  std::vector<std::uint8_t>& state_;
};

// More than any two trees can differ by.
double root_penalty(int words, std::span<const double> scores) {
  double least = std::numeric_limits<double>::infinity(), most = kNone;
  for (int h = 0; h <= words; ++h) {
    for (int m = 1; m <= words; ++m) {
      const double x = scores[static_cast<std::size_t>(h) * (words + 1) + m];
      if (h == m || x == kNone) continue;
      least = std::min(least, x);
      most = std::max(most, x);
    }
  }
  return (words + 1) * (most - least) + 1;
}

}  // namespace

double best_arborescence(int words, std::span<const double> scores, bool single_root,
                         std::span<std::int32_t> heads, TreeWorkspace& work) {
  if (words == 0) return single_root ? kNone : 0;
  heads = heads.first(words);
  auto roots = [&] { return std::count(heads.begin(), heads.end(), 0); };
  Contraction contraction(words, work);
  if (!contraction.run(scores, 0, heads)) return kNone;
  if (single_root && roots() > 1) {
    contraction.run(scores, root_penalty(words, scores), heads);
    if (roots() > 1) return kNone;
  }
  double value = 0;
  for (int m = 1; m <= words; ++m) {
    value += scores[static_cast<std::size_t>(heads[m - 1]) * (words + 1) + m];
  }
  return value;
}

}  // namespace entente
