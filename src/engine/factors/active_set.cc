#include "engine/factors/active_set.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "engine/factors/shapes.h"

namespace entente {

namespace {

using factors::Clamp;
using factors::Scores;

constexpr int kRefresh = 200;

// Four sums side by side: one alone would wait for each addition.
double inner(const double* x, const double* y, int n) {
  double a = 0, b = 0, c = 0, d = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    a += x[i] * y[i];
    b += x[i + 1] * y[i + 1];
    c += x[i + 2] * y[i + 2];
    d += x[i + 3] * y[i + 3];
  }
  for (; i < n; ++i) a += x[i] * y[i];
  return (a + b) + (c + d);
}

std::size_t row_of(int i) { return static_cast<std::size_t>(i) * (i + 1) / 2; }

// With V the configurations as columns, the weights w of the best point of their affine hull solve
//   (V'V + 11') w = V't + own + mu 1,   1'w = 1;
// the 11' changes nothing as 1'w is fixed, and makes the matrix positive definite.
class Solver {
 public:
  Solver(const FactorView& f, Scores target, Clamp clamp, double scale, std::span<double> z,
         ActiveSet& a, FactorScratch& s)
      : f_(f), target_(target), clamp_(clamp), scale_(scale), z_(z), a_(a), s_(s), k_(z.size()) {}

  bool run();

 private:
  const std::uint8_t* config(int c) const { return a_.configs.data() + c * k_; }
  std::span<const std::int32_t> on(int c) const {
    return {a_.on.data() + c * k_, static_cast<std::size_t>(a_.on_count[c])};
  }
  double linear_of(int c) const {
    double total = scale_ * a_.own[c];
    for (std::int32_t l : on(c)) total += target_[l];
    return total;
  }

  void keep_what_agrees();
  bool agrees(int c) const;
  bool start();
  bool append(const std::uint8_t* fresh,
              double own);  // false: affinely dependent, nothing appended
  bool fill_root(int row);
  void remove(int c);
  void solve();
  bool move_to_best(int newest);
  void set_point();
  double best_fresh(double& own);
  double gradient_of_point() const;
  bool known() const;
  bool pivot(double own);

  const FactorView& f_;
  Scores target_;
  Clamp clamp_;
  double scale_;
  std::span<double> z_;
  ActiveSet& a_;
  FactorScratch& s_;
  std::size_t k_;
};

bool Solver::agrees(int c) const {
  for (std::size_t l = 0; l < clamp_.size(); ++l) {
    if (clamp_[l] >= 0 && clamp_[l] != config(c)[l]) return false;
  }
  return true;
}

void Solver::keep_what_agrees() {
  if (!clamp_.empty()) {
    for (int c = a_.size; c-- > 0;) {
      if (!agrees(c)) remove(c);
    }
  }
  double sum = 0;
  for (int c = 0; c < a_.size; ++c) sum += a_.weight[c];
  for (int c = 0; c < a_.size; ++c) a_.weight[c] = sum > 0 ? a_.weight[c] / sum : c == 0;
  a_.linear.resize(a_.size);
  for (int c = 0; c < a_.size; ++c) a_.linear[c] = linear_of(c);
  if (a_.size == 0) a_.updates = 0;  // a set begun anew owes nothing to the last one
  if (a_.updates < kRefresh) return;
  for (int row = 0; row < a_.size; ++row) fill_root(row);
  a_.updates = 0;
}

// Row `row` of the Cholesky factor from the gram matrix; false if it depends on the rows before.
bool Solver::fill_root(int row) {
  const double* gram = a_.gram.data() + row_of(row);
  double* root = a_.root.data() + row_of(row);
  double rest = gram[row] + 1;
  for (int j = 0; j < row; ++j) {
    const double* other = a_.root.data() + row_of(j);
    root[j] = (gram[j] + 1 - inner(root, other, j)) / other[j];
    rest -= root[j] * root[j];
  }
  root[row] = std::sqrt(std::max(rest, 0.0));
  return rest > 1e-9 * (gram[row] + 1);
}

bool Solver::append(const std::uint8_t* fresh, double own) {
  const int m = a_.size;
  a_.gram.resize(row_of(m + 1));
  a_.root.resize(row_of(m + 1));
  a_.on.resize((m + 1) * k_);
  a_.on_count.resize(m + 1);
  int count = 0;
  for (std::size_t l = 0; l < k_; ++l) {
    if (fresh[l]) a_.on[m * k_ + count++] = static_cast<std::int32_t>(l);
  }
  a_.on_count[m] = count;
  for (int c = 0; c < m; ++c) {
    int shared = 0;
    for (std::int32_t l : on(m)) shared += config(c)[l];
    a_.gram[row_of(m) + c] = shared;
  }
  a_.gram[row_of(m) + m] = count;
  if (!fill_root(m)) return false;
  a_.configs.resize((m + 1) * k_);
  std::copy(fresh, fresh + k_, a_.configs.begin() + m * k_);
  a_.own.resize(m + 1);
  a_.weight.resize(m + 1);
  a_.linear.resize(m + 1);
  a_.own[m] = own;
  a_.weight[m] = 0;
  a_.linear[m] = linear_of(m);
  ++a_.size;
  return true;
}

// Without row c, the rows after it keep one column too many; rotations fold it into the others.
// That adds a square to their matrix, which is safe in rounding, and `updates` bounds how often it
// is done.
void Solver::remove(int c) {
  const int m = a_.size;
  auto close = [&](auto& v, std::size_t width) {
    if (v.size() < m * width) return;
    std::copy(v.begin() + (c + 1) * width, v.begin() + m * width, v.begin() + c * width);
  };
  close(a_.configs, k_);
  close(a_.on, k_);
  close(a_.on_count, 1);
  close(a_.own, 1);
  close(a_.weight, 1);
  close(a_.linear, 1);
  --a_.size;
  ++a_.updates;
  s_.cosines.resize(m);  // cosines and sines of the rotations so far
  s_.sines.resize(m);
  for (int row = c; row < a_.size; ++row) {
    const double* gram = a_.gram.data() + row_of(row + 1);
    double* new_gram = a_.gram.data() + row_of(row);
    std::copy(gram, gram + c, new_gram);
    std::copy(gram + c + 1, gram + row + 2, new_gram + c);
    const double* from = a_.root.data() + row_of(row + 1);
    double* to = a_.root.data() + row_of(row);
    double extra = from[c];
    std::copy(from, from + c, to);
    for (int j = c; j < row; ++j) {
      const double old = from[j + 1];
      to[j] = s_.cosines[j] * old + s_.sines[j] * extra;
      extra = s_.cosines[j] * extra - s_.sines[j] * old;
    }
    const double last = from[row + 1], length = std::sqrt(last * last + extra * extra);
    s_.cosines[row] = last / length;
    s_.sines[row] = extra / length;
    to[row] = length;
  }
}

bool Solver::start() {
  keep_what_agrees();
  if (a_.size > 0) return true;
  s_.fresh.resize(k_);
  std::copy(target_.begin(), target_.end(), z_.begin());
  s_.gradient.resize(k_);
  for (std::size_t l = 0; l < k_; ++l) s_.gradient[l] = target_[l] / scale_;
  if (maximize(f_, s_.gradient, clamp_, s_.fresh, s_) == -kInfinity) return false;
  append(s_.fresh.data(), own_score(f_, s_.fresh));
  a_.weight[0] = 1;
  return true;
}

// Writes the best weights of the affine hull to s_.solved. A constant added to all linear terms
// changes nothing, so one is taken off: what is left is small where targets are large. For the same
// reason the sum is made 1 once more at the end.
void Solver::solve() {
  const int m = a_.size;
  s_.solved.resize(m);
  s_.right.resize(m);
  auto& u = s_.right;   // root u = 1
  auto& y = s_.solved;  // root y = linear
  double uu = 0, uy = 0;
  for (int i = 0; i < m; ++i) {
    const double* root = a_.root.data() + row_of(i);
    u[i] = (1 - inner(root, u.data(), i)) / root[i];
    y[i] = (a_.linear[i] - a_.linear[0] - inner(root, y.data(), i)) / root[i];
    uu += u[i] * u[i];
    uy += u[i] * y[i];
  }
  const double mu = (1 - uy) / uu;
  for (int i = 0; i < m; ++i) y[i] += mu * u[i];
  for (int i = m; i-- > 0;) {
    const double* root = a_.root.data() + row_of(i);
    y[i] /= root[i];
    for (int p = 0; p < i; ++p) y[p] -= root[p] * y[i];
  }
  double sum = 0;
  for (double w : y) sum += w;
  if (sum > 0) {
    for (double& w : y) w /= sum;
  }
}

// Moves the weights to the best of the simplex reached by dropping those that would turn negative.
// False if that drops the newest configuration (newest < 0: none is): rounding is all that is left.
bool Solver::move_to_best(int newest) {
  bool kept = true;
  for (;;) {
    solve();
    double step = 1;
    int drop = -1;
    for (int c = 0; c < a_.size; ++c) {
      if (s_.solved[c] >= 0) continue;
      const double ratio = a_.weight[c] / (a_.weight[c] - s_.solved[c]);
      if (ratio < step || drop < 0) {
        step = ratio;
        drop = c;
      }
    }
    if (drop < 0) break;
    for (int c = 0; c < a_.size; ++c) a_.weight[c] += step * (s_.solved[c] - a_.weight[c]);
    kept &= drop != newest;
    newest -= drop < newest;
    remove(drop);
  }
  std::copy(s_.solved.begin(), s_.solved.begin() + a_.size, a_.weight.begin());
  return kept;
}

void Solver::set_point() {
  std::fill(z_.begin(), z_.end(), 0.0);
  for (int c = 0; c < a_.size; ++c) {
    for (std::int32_t l : on(c)) z_[l] += a_.weight[c];
  }
}

// The configuration with the largest gradient goes to s_.fresh.
double Solver::best_fresh(double& own) {
  for (std::size_t l = 0; l < k_; ++l) s_.gradient[l] = (target_[l] - z_[l]) / scale_;
  maximize(f_, s_.gradient, clamp_, s_.fresh, s_);
  own = f_.scored() ? own_score(f_, s_.fresh) : 0;
  double total = scale_ * own;
  for (std::size_t l = 0; l < k_; ++l) total += s_.fresh[l] ? target_[l] - z_[l] : 0.0;
  return total;
}

// What all configurations with a weight share as their gradient.
double Solver::gradient_of_point() const {
  double total = 0;
  for (std::size_t l = 0; l < k_; ++l) total += (target_[l] - z_[l]) * z_[l];
  for (int c = 0; c < a_.size; ++c) total += scale_ * a_.weight[c] * a_.own[c];
  return total;
}

bool Solver::known() const {
  for (int c = 0; c < a_.size; ++c) {
    if (std::memcmp(config(c), s_.fresh.data(), k_) == 0) return true;
  }
  return false;
}

// The fresh configuration is an affine combination of those held. Shifting weight to it along that
// combination leaves the point where it is and gains own score, until one of the others has none
// left.
bool Solver::pivot(double own) {
  const int m = a_.size;
  auto& mix = s_.solved;  // root' mix = the row that append tried
  const double* row = a_.root.data() + row_of(m);
  mix.assign(row, row + m);
  for (int i = m; i-- > 0;) {
    const double* root = a_.root.data() + row_of(i);
    mix[i] /= root[i];
    for (int p = 0; p < i; ++p) mix[p] -= root[p] * mix[i];
  }
  double gain = own, shift = kInfinity;
  int out = -1;
  for (int c = 0; c < m; ++c) {
    gain -= mix[c] * a_.own[c];
    if (mix[c] > 1e-9 && a_.weight[c] / mix[c] < shift) {
      shift = a_.weight[c] / mix[c];
      out = c;
    }
  }
  if (out < 0 || !(scale_ * gain > 0)) return false;
  for (int c = 0; c < m; ++c) a_.weight[c] = std::max(a_.weight[c] - shift * mix[c], 0.0);
  remove(out);
  if (!append(s_.fresh.data(), own)) return false;
  a_.weight[a_.size - 1] = shift;
  return true;
}

bool Solver::run() {
  if (!start()) return false;
  s_.gradient.resize(k_);
  s_.fresh.resize(k_);
  int newest = -1;
  const int rounds = 10 + 3 * static_cast<int>(k_);
  for (int round = 0; round < rounds; ++round) {
    const bool kept = move_to_best(newest);
    set_point();
    if (!kept) break;
    double own = 0, size = 1;
    const double gradient = best_fresh(own);
    for (std::size_t l = 0; l < k_; ++l) size = std::max(size, std::fabs(target_[l] - z_[l]));
    if (gradient - gradient_of_point() <= 1e-12 * size || known()) break;
    if (append(s_.fresh.data(), own)) {
      newest = a_.size - 1;
    } else if (pivot(own)) {
      newest = -1;
    } else {
      break;
    }
  }
  for (double& x : z_) x = std::clamp(x, 0.0, 1.0);
  return true;
}

}  // namespace

bool project_active(const FactorView& f, std::span<const double> target,
                    std::span<const std::int8_t> clamp, double own_scale, std::span<double> z,
                    ActiveSet& active, FactorScratch& s) {
  ENTENTE_CHECK(!f.scored() || own_scale > 0);
  return Solver(f, target, clamp, f.scored() ? own_scale : 1.0, z, active, s).run();
}

}  // namespace entente
