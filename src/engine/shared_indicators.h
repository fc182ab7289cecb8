// The inner loop of agreement: indicators that several parts of a problem see, each part with a
// share of the score and an answer of its own. Flat arrays of the caller's, the number of copies
// known when compiling, no virtual call: what two models (agreement.cc) and the parser of crossing
// arcs (tasks/dependency/joint.cc: a tree, and two automata an arc) have in common.
//
//   const SharedIndicators<3> shared{{tree, lower, upper}, {tree_on, ...}, {nullptr, at, at2}, n};
//   int split = shared.count(votes);                       // indicators on which copies differ
//   shared.move(votes, size, [&](int i) { ... });          // shares, against the differences
//   strike_out_of(group, floor, ...);                      // what no better answer can have
//
// With any shares that sum to the scores, the sum of the parts' best values is a bound. A step moves
// every copy's share by `size` times how far its answer is from the mean of all, which keeps the
// sum; for two copies that is the tutorial's u <- u - a (y - z) with a = size / 2. Linear, no
// allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace entente {

template <int kCopies>
struct SharedIndicators {
  std::array<double*, kCopies> share;
  std::array<const std::uint8_t*, kCopies> on;
  std::array<const std::int32_t*, kCopies> at;  // of each indicator; null: in the same order
  int size = 0;

  int place(int copy, int i) const { return at[copy] == nullptr ? i : at[copy][i]; }

  // votes[i]: how many have it on. Returns how many indicators they differ on.
  int count(double* votes) const {
    int split = 0;
    for (int i = 0; i < size; ++i) {
      int sum = 0;
      for (int c = 0; c < kCopies; ++c) sum += on[c][place(c, i)];
      votes[i] = sum;
      split += sum != 0 && sum != kCopies ? 1 : 0;
    }
    return split;
  }

  // changed(i): its shares are others now.
  template <typename Changed>
  void move(const double* votes, double by, Changed changed) const {
    for (int i = 0; i < size; ++i) {
      if (votes[i] == 0 || votes[i] == kCopies) continue;
      move_one(i, votes[i], by);
      changed(i);
    }
  }
  void move_one(int i, double votes, double by) const {
    const double mean = votes / kCopies;
    for (int c = 0; c < kCopies; ++c) {
      const int p = place(c, i);
      share[c][p] -= by * (on[c][p] - mean);
    }
  }
};

// Of the answers, the mean so far; `weight` is how many there were, this one included.
inline void add_to_average(const double* votes, int copies, double weight, double* average,
                           std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) average[i] += (votes[i] / copies - average[i]) / weight;
}

// Of indicators [first, last) of which every answer has exactly one: without(i) is what the parts
// lose by not taking i, and with(i, x) is x and what they lose by taking it. All are different terms
// of the bound, so they add up; where they lose `most` or more, no better answer has i: strike(i).
template <typename Without, typename With, typename Strike>
void strike_out_of(int first, int last, double most, Without without, With with, Strike strike) {
  double off = 0;
  for (int i = first; i < last; ++i) off += without(i);
  for (int i = first; i < last; ++i) {
    if (with(i, off - without(i)) >= most) strike(i);
  }
}

// Polyak's steps, smaller while the bound does not fall.
class DampedSteps {
 public:
  struct Rules {
    int patience = 6;  // rounds without a better bound before steps are damped
    double damping = 0.7, least = 0.05;
  };
  void start(const Rules& rules) {
    rules_ = rules;
    damping_ = 1;
    idle_ = 0;
  }
  // A round with this bound; `best` is the lowest so far. False: steps would be too small.
  bool next(double bound, double& best) {
    if (bound < best) {
      best = bound;
      idle_ = 0;
    } else if (++idle_ >= rules_.patience) {
      damping_ *= rules_.damping;
      idle_ = 0;
      if (damping_ < rules_.least) return false;
    }
    return true;
  }
  double size(double bound, double value, double square) const {
    return damping_ * (bound - value) / square;
  }

 private:
  Rules rules_;
  double damping_ = 1;
  int idle_ = 0;
};

}  // namespace entente
