// Support vector machines over any kernel, by sequential minimal optimisation.
//
//   class Gram : public KernelRows { ... };                 // diagonal and rows of the kernel
//   matrix const Svm svm = train_svm(gram, labels, {.c = 12});     // labels +1 and -1 double s =
//   svm.bias;  for (i) s += svm.weights[i] * K(x_i, x);       // > 0: positive const Sigmoid
//   sigmoid = fit_sigmoid(scores, labels);    // Platt's, for probabilities
//
// Solves min 1/2 a'Qa - sum a with 0 <= a <= c, y'a = 0, Q_ij = y_i y_j K_ij. The working set is
// chosen by second-order information (Fan, Chen and Lin 2005); rows are kept in a cache of bounded
// size, least recently used go first; examples that are stuck at a bound are left out and looked at
// again before the end (shrinking). Several examples' rows may come at once, where that is
// cheaper. The result does not depend on the cache or on threads. Stops when the largest
// violation of optimality is below the tolerance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/monitor.h"

namespace entente {

class KernelRows {
 public:
  virtual ~KernelRows() = default;
  virtual int size() const = 0;
  virtual double diagonal(int i) const = 0;
  // Examples whose rows are cheaply computed with that of i, i among them, in increasing order.
  virtual void together(int i, std::vector<int>& rows) { rows.assign(1, i); }
  // The rows of these examples, each of size() numbers.
  virtual void compute(std::span<const int> rows, std::span<float* const> out) = 0;
};

struct SvmOptions {
  double c = 1;
  double tolerance = 1e-3;
  bool shrinking = true;
  std::size_t cache_bytes = std::size_t{1} << 30;
  std::int64_t iterations = 10'000'000;  // at most
};

struct Svm {
  std::vector<double> weights;  // y_i alpha_i; 0: not a support vector
  double bias = 0;
  double objective = 0;
  std::int64_t iterations = 0, rows = 0;  // steps made, rows computed
  bool converged = false;
};

// Labels are +1 or -1, both there. Monitor::stopped ends it early (converged is false then).
Svm train_svm(KernelRows& kernel, std::span<const int> labels, const SvmOptions& options,
              Monitor& monitor);

// p(positive) = 1 / (1 + exp(a * score + b)).
struct Sigmoid {
  double a = -1, b = 0;
  double probability(double score) const;
};
// Maximum likelihood with Platt's targets, by Newton's method (Lin, Lin and Weng 2007).
Sigmoid fit_sigmoid(std::span<const double> scores, std::span<const int> labels);

}  // namespace entente
