#include "learn/svm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "learn/kernel_cache.h"

namespace entente {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Smo {
 public:
  Smo(KernelRows& kernel, std::span<const int> labels, const SvmOptions& options, Monitor& monitor)
      : kernel_(kernel),
        labels_(labels),
        options_(options),
        monitor_(monitor),
        cache_(kernel, options.cache_bytes),
        alpha_(labels.size(), 0.0),
        gradient_(labels.size(), -1.0),
        active_(labels.size()) {
    std::iota(active_.begin(), active_.end(), 0);
    for (int i = 0; i < kernel.size(); ++i) diagonal_.push_back(kernel.diagonal(i));
  }

  Svm run();

 private:
  struct Choice {
    int i = -1, j = -1;
    double violation = 0;
  };
  bool may_grow(int i) const { return labels_[i] > 0 ? alpha_[i] < options_.c : alpha_[i] > 0; }
  bool may_fall(int i) const { return labels_[i] > 0 ? alpha_[i] > 0 : alpha_[i] < options_.c; }
  double slope(int i) const { return -labels_[i] * gradient_[i]; }
  Choice choose();
  void step(int i, int j);
  void shrink();
  void restore();
  double bias() const;

  KernelRows& kernel_;
  std::span<const int> labels_;
  const SvmOptions& options_;
  Monitor& monitor_;
  KernelCache cache_;
  std::vector<double> alpha_, gradient_, diagonal_;
  std::vector<int> active_;
  bool restored_ = false;  // everything was looked at again near the end
};

Smo::Choice Smo::choose() {
  Choice out;
  double most = -kInfinity, least = kInfinity;
  for (int t : active_) {
    if (may_grow(t) && slope(t) > most) {
      most = slope(t);
      out.i = t;
    }
    if (may_fall(t)) least = std::min(least, slope(t));
  }
  out.violation = out.i < 0 || least == kInfinity ? 0 : most - least;
  if (out.violation < options_.tolerance) return out;
  const float* row = cache_.row(out.i);
  double best = 0;
  for (int t : active_) {
    if (!may_fall(t) || slope(t) >= most) continue;
    const double gain = most - slope(t);
    const double curve = std::max(diagonal_[out.i] + diagonal_[t] - 2.0 * row[t], 1e-12);
    if (gain * gain / curve > best) {
      best = gain * gain / curve;
      out.j = t;
    }
  }
  return out;
}

// Moves y_i alpha_i up and y_j alpha_j down by the same amount, as far as it helps.
void Smo::step(int i, int j) {
  const float* row_i = cache_.row(i);
  const float* row_j = cache_.row(j);
  const double curve = std::max(diagonal_[i] + diagonal_[j] - 2.0 * row_i[j], 1e-12);
  const double room_i = labels_[i] > 0 ? options_.c - alpha_[i] : alpha_[i];
  const double room_j = labels_[j] > 0 ? alpha_[j] : options_.c - alpha_[j];
  const double wanted = (slope(i) - slope(j)) / curve;
  const double move = std::min({wanted, room_i, room_j});
  // A bound that is met is met exactly.
  alpha_[i] = move == room_i ? (labels_[i] > 0 ? options_.c : 0) : alpha_[i] + labels_[i] * move;
  alpha_[j] = move == room_j ? (labels_[j] > 0 ? 0 : options_.c) : alpha_[j] - labels_[j] * move;
  for (int t : active_) gradient_[t] += labels_[t] * move * (row_i[t] - row_j[t]);
}

// Leaves out examples at a bound whose slope is beyond what the working set reaches.
void Smo::shrink() {
  double most = -kInfinity, least = kInfinity;
  for (int t : active_) {
    if (may_grow(t)) most = std::max(most, slope(t));
    if (may_fall(t)) least = std::min(least, slope(t));
  }
  if (!restored_ && most - least <= 10 * options_.tolerance) {
    restored_ = true;
    restore();
    return;
  }
  std::erase_if(active_, [&](int t) {
    if (may_grow(t) && may_fall(t)) return false;
    return may_grow(t) ? slope(t) < least : slope(t) > most;
  });
}

// Gradients of those left out, from scratch.
void Smo::restore() {
  if (active_.size() == alpha_.size()) return;
  std::vector<char> in(alpha_.size(), 0);
  for (int t : active_) in[t] = 1;
  std::vector<int> out;
  for (int t = 0; t < kernel_.size(); ++t) {
    if (!in[t]) out.push_back(t);
  }
  for (int t : out) gradient_[t] = -1;
  for (int s = 0; s < kernel_.size(); ++s) {
    if (alpha_[s] == 0) continue;
    const float* row = cache_.row(s);
    const double weight = labels_[s] * alpha_[s];
    for (int t : out) gradient_[t] += labels_[t] * weight * row[t];
  }
  active_.resize(alpha_.size());
  std::iota(active_.begin(), active_.end(), 0);
}

double Smo::bias() const {
  double sum = 0, most = -kInfinity, least = kInfinity;
  int free = 0;
  for (int t = 0; t < kernel_.size(); ++t) {
    if (may_grow(t) && may_fall(t)) {
      sum += slope(t);
      ++free;
    }
    if (may_grow(t)) most = std::max(most, slope(t));
    if (may_fall(t)) least = std::min(least, slope(t));
  }
  return free > 0 ? sum / free : (most + least) / 2;
}

Svm Smo::run() {
  Svm out;
  const int period = std::min(kernel_.size(), 1000);
  int until_shrink = period;
  for (; out.iterations < options_.iterations; ++out.iterations) {
    if (options_.shrinking && --until_shrink == 0) {
      until_shrink = period;
      shrink();
      monitor_.advance(period);
      if (monitor_.stopped()) break;
    }
    Choice choice = choose();
    if (choice.violation < options_.tolerance) {
      if (active_.size() == alpha_.size()) {
        out.converged = true;
        break;
      }
      restore();
      until_shrink = 1;
      choice = choose();
      if (choice.violation < options_.tolerance) {
        out.converged = true;
        break;
      }
    }
    step(choice.i, choice.j);
  }
  restore();
  out.rows = cache_.computed();
  out.bias = bias();
  for (int t = 0; t < kernel_.size(); ++t) {
    out.weights.push_back(labels_[t] * alpha_[t]);
    out.objective += alpha_[t] * (gradient_[t] - 1) / 2;
  }
  return out;
}

}  // namespace

Svm train_svm(KernelRows& kernel, std::span<const int> labels, const SvmOptions& options,
              Monitor& monitor) {
  ENTENTE_CHECK(kernel.size() == static_cast<int>(labels.size()) && options.c > 0);
  return Smo(kernel, labels, options, monitor).run();
}

double Sigmoid::probability(double score) const {
  const double x = a * score + b;
  return x >= 0 ? std::exp(-x) / (1 + std::exp(-x)) : 1 / (1 + std::exp(x));
}

namespace {

// -log-likelihood of the targets; log(1 + e^-x) without overflow.
double sigmoid_loss(const Sigmoid& s, std::span<const double> scores,
                    std::span<const double> targets) {
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double x = s.a * scores[i] + s.b;
    sum += x >= 0 ? targets[i] * x + std::log1p(std::exp(-x))
                  : (targets[i] - 1) * x + std::log1p(std::exp(x));
  }
  return sum;
}

}  // namespace

Sigmoid fit_sigmoid(std::span<const double> scores, std::span<const int> labels) {
  double positive = 0, negative = 0;
  for (int y : labels) (y > 0 ? positive : negative) += 1;
  std::vector<double> targets;
  for (int y : labels) {
    targets.push_back(y > 0 ? (positive + 1) / (positive + 2) : 1 / (negative + 2));
  }
  Sigmoid now{0, std::log((negative + 1) / (positive + 1))};
  double value = sigmoid_loss(now, scores, targets);
  for (int iteration = 0; iteration < 100; ++iteration) {
    double haa = 1e-12, hbb = 1e-12, hab = 0, ga = 0, gb = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double p = now.probability(scores[i]), q = p * (1 - p), d = targets[i] - p;
      haa += scores[i] * scores[i] * q;
      hbb += q;
      hab += scores[i] * q;
      ga += scores[i] * d;
      gb += d;
    }
    if (std::abs(ga) < 1e-5 && std::abs(gb) < 1e-5) break;
    const double det = haa * hbb - hab * hab;
    const double da = -(hbb * ga - hab * gb) / det, db = -(haa * gb - hab * ga) / det;
    const double slope = ga * da + gb * db;
    double size = 1;
    for (; size >= 1e-10; size /= 2) {
      const Sigmoid next{now.a + size * da, now.b + size * db};
      const double next_value = sigmoid_loss(next, scores, targets);
      if (next_value < value + 1e-4 * size * slope) {
        now = next;
        value = next_value;
        break;
      }
    }
    if (size < 1e-10) break;
  }
  return now;
}

}  // namespace entente
