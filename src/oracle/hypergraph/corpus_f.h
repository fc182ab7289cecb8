// Sums over all ways to parse a corpus, each weighing exp(score + tau (1 - F1 of the whole corpus)):
// softmax-margin with the corpus's F-measure (Auli and Lopez 2011, appendix A).
//
//   CorpusF f(gold, tau);                                 // things in the whole answer
//   f.centre(moments);                                    // where counts are: added-up forests'
//   for (const CorpusF::Point& p : f.points()) ...        // a plain pass over every forest with
//                                                         // p.log_x n + p.log_y d added to scores
//   double log_z = f.combine(log_z_of_points, share);     // shares of the points' marginals
//
// Sentences are independent given x and y, so the generating functions of the counts multiply:
// Z(x, y) = prod_s Z_s(x, y). The weight of a corpus with N correct things of D is
// exp(tau (1 - 2 N / (D + gold))), which around the means is nearly the exponential of something
// linear. It is written as a sum of exponentials of linear functions, c_k x_k^N y_k^D, fitted over
// five standard deviations of the counts; each needs one plain pass. One point is the decomposed
// loss with weights a = 2 tau / (D + gold) and b = a N / (D + gold). The error falls with
// the size of the corpus: what is not linear shrinks as 1 / sentences.
// Cost: points^2 equations of points^2 unknowns. One thread at a time.
#pragma once

#include <span>
#include <vector>

#include "oracle/hypergraph/hypergraph.h"
#include "oracle/hypergraph/sums.h"

namespace entente {

// Means and covariances of the counts of correct and of all things. They add up over forests.
struct CountMoments {
  double n = 0, d = 0, nn = 0, nd = 0, dd = 0;
  void add(const CountMoments& other);
};

// Of a forest's derivations under the scores of the last sums.inside() and outside().
CountMoments count_moments(const Hypergraph& h, ForestSums& sums,
                           std::span<const std::int32_t> correct,
                           std::span<const std::int32_t> total);

class CorpusF {
 public:
  struct Point {
    double log_x, log_y;
    double log_size, sign;  // of its coefficient
  };
  // per_axis points along each of the two directions: 1, 3, 5, ...
  CorpusF(double gold, double tau, int per_axis = 3)
      : gold_(gold), tau_(tau), per_axis_(per_axis) {}

  // The counts under the loss, as far as known. Fewer points where fewer are as good.
  void centre(const CountMoments& at);
  std::span<const Point> points() const { return points_; }
  // log_z[k]: of point k, summed over the forests. share: how much each point's marginals count;
  // they add up to 1 and may be negative.
  double combine(std::span<const double> log_z, std::vector<double>& share) const;
  double loss(double n, double d) const { return 1 - (d + gold_ == 0 ? 0 : 2 * n / (d + gold_)); }

 private:
  void fit(const CountMoments& at, double slope_n, double slope_d, double wide, double deep,
           double lean);

  double gold_, tau_;
  int per_axis_;
  std::vector<Point> points_;
};

}  // namespace entente
