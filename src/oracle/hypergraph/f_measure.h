// Sums over the derivations of a forest, each weighing exp(score + tau * loss) where the loss is
// 1 - F1 of the whole derivation: softmax-margin with the exact F-measure (Auli and Lopez 2011),
// without splitting nodes by counts.
//
//   FMeasureSums f;
//   f.set({.correct = n, .total = d, .gold = 17, .tau = 1.5});  // n[e], d[e]: what an edge adds
//   double log_z = f.run(h, h.score);            // log of the sum
//   f.edge_marginal(e);                          // d log_z / d score[e]
//
// The loss of a derivation with n correct things of d is 1 - 2n / (d + gold). For a fixed d its
// weight e^(tau loss) is a power of one number, x_d = exp(-2 tau / (d + gold)), so
//
//   Z = e^tau sum_d [y^d] Z(x_d, y) = sum over points (r, b) of W[r, b] Z(x_r, y_b)
//
// where Z(x, y) is the plain inside value with x^n y^d on the edges, the y_b stand on the unit
// circle (a discrete Fourier transform over the range of d; conjugates halve it) and the x_r are
// Chebyshev nodes between the smallest and the largest x_d (interpolation in log x). All weights
// lie between 1 and e^tau, so the transform loses nothing that matters; the error of the
// interpolation is about 1e-10 with the nodes chosen here.
//
// Where an error of 1e-5 or so will do, as in training, there are fewer points, and real ones: e^(tau
// loss) is a sum of some 12 real exponentials c x^n y^d (exponential_fit.h), found once for each
// set of ranges of n, d and d - n.
//
// There derivations that have next to nothing of the sum are left out, too: the plain marginals say
// which edges matter (weights lie between 1 and e^tau), and the points see a forest of these alone.
//
// No derivation may have more correct things than there are gold ones, nor than it has: then the
// nodes needed grow with tau only. Where the range of d is too wide for few nodes (precision of few
// things) it is cut into pieces with nodes of their own.
//
// Cost: some 12 real points of two passes each, side by side (real_passes.h); or (range of d)/2 *
// nodes complex ones. No allocation once warm, but for ranges not seen before. One thread at a time.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "oracle/hypergraph/exponential_fit.h"
#include "oracle/hypergraph/hypergraph.h"
#include "oracle/hypergraph/prune.h"
#include "oracle/hypergraph/real_passes.h"
#include "oracle/hypergraph/sums.h"

namespace entente {

struct FMeasureLoss {
  std::span<const std::int32_t> correct, total;  // of each edge, not negative
  int gold = 0;                                  // how many there are in the answer
  double tau = 1;                                // 0: no loss
  // The loss is 1 - gain n / (d + gold_weight gold): F1 as it stands; F_beta with 1 + beta^2 and
  // beta^2, precision with 1 and 0.
  double gain = 2, gold_weight = 1;
  // How far the weight of a derivation may be from e^(tau loss), relatively. Sums and marginals are
  // those of a loss that differs by no more than this over tau, whatever the scores, over
  // derivations that have all but a fiftieth of this of the sum.
  double error = 1e-10;
};

class FMeasureSums {
 public:
  void set(const FMeasureLoss& loss) { loss_ = loss; }
  // -infinity: no derivation.
  double run(const Hypergraph& h, std::span<const double> score);
  double edge_marginal(int edge) const { return marginal_[edge]; }
  std::span<const double> edge_marginals() const { return marginal_; }
  // Passes of the last run.
  int points() const { return static_cast<int>(fit_ != nullptr ? fit_->size() : points_.size()); }
  int smallest_total() const { return smallest_; }
  int largest_total() const { return largest_; }

 private:
  static constexpr int kLanes = 4;
  struct Point {
    double log_x, angle;
    std::complex<double> coefficient;  // of this point's Z
  };
  struct Lanes {
    double re[kLanes], im[kLanes];
  };

  // Smallest values of d, n and d - n, of their negatives, and two that do not count.
  struct Ranges {
    std::int32_t least[8];
  };
  using Fit = std::vector<ExponentialFit::Point>;

  void find_range(const Hypergraph& h, bool only_kept);
  bool leave_out(const Hypergraph& h, std::span<const double> score);
  void find_kinds(const Hypergraph& h, const Hypergraph& seen);
  void find_fit();
  double log_x(int d) const;
  void make_points();
  void add_points(int first, int last, int nodes);
  void make_powers(int first);
  void pass_up(const Hypergraph& h);
  void pass_down(const Hypergraph& h, int first, std::span<double> marginals);

  FMeasureLoss loss_;
  ForestSums sums_;
  int smallest_ = 0, largest_ = 0, fewest_correct_ = 0, most_correct_ = 0;
  int fewest_wrong_ = 0, most_wrong_ = 0;
  std::vector<Ranges> ranges_;
  std::vector<Point> points_;
  // What the points see, if not the forest itself, and which of its edges these are.
  Hypergraph small_;
  ForestPruner pruner_;
  std::vector<char> kept_;          // of the forest's edges
  std::vector<double> shifts_;      // of each edge seen: 2^(its scale against its head's)
  std::vector<std::int32_t> kind_;  // of each edge seen: which pair (n, d beyond the head's least)
  std::vector<std::pair<std::int32_t, std::int32_t>> kinds_;
  std::vector<std::int32_t> kind_of_;  // by n and d; -1: not seen
  std::vector<Lanes> power_, in_, out_;
  std::vector<double> marginal_, small_marginal_;
  double total_ = 0;  // Z in units of the goal's scale
  ExponentialFit fitter_;
  std::map<std::array<double, 11>, Fit> fits_;  // by ranges and loss; empty: there is none
  const Fit* fit_ = nullptr;                    // of the last run; nullptr: complex points
  RealPasses real_;
};

}  // namespace entente
