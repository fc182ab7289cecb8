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
  for (int c = 0; c < a_.size; ++c)
    a_.linear[c] = factors::dot(target_, {config(c), k_}) + scale_ * a_.own[c];
}

// Row `row` of the Cholesky factor from the gram matrix; false if it depends on the rows before.
bool Solver::fill_root(int row) {
  const double* gram = a_.gram.data() + row_of(row);
  double* root = a_.root.data() + row_of(row);
  double rest = gram[row] + 1;
  for (int j = 0; j < row; ++j) {
    const double* other = a_.root.data() + row_of(j);
    double x = gram[j] + 1;
    for (int p = 0; p < j; ++p) x -= root[p] * other[p];
    root[j] = x / other[j];
    rest -= root[j] * root[j];
  }
  root[row] = std::sqrt(std::max(rest, 0.0));
  return rest > 1e-9 * (gram[row] + 1);
}

bool Solver::append(const std::uint8_t* fresh, double own) {
  const int m = a_.size;
  a_.gram.resize(row_of(m + 1));
  a_.root.resize(row_of(m + 1));
  for (int c = 0; c <= m; ++c) {
    const std::uint8_t* other = c < m ? config(c) : fresh;
    int shared = 0;
    for (std::size_t l = 0; l < k_; ++l) shared += fresh[l] & other[l];
    a_.gram[row_of(m) + c] = shared;
  }
  if (!fill_root(m)) return false;
  a_.configs.resize((m + 1) * k_);
  std::copy(fresh, fresh + k_, a_.configs.begin() + m * k_);
  a_.own.resize(m + 1);
  a_.weight.resize(m + 1);
  a_.linear.resize(m + 1);
  a_.own[m] = own;
  a_.weight[m] = 0;
  a_.linear[m] = factors::dot(target_, {fresh, k_}) + scale_ * own;
  ++a_.size;
  return true;
}

// The rows of the factor after c are made anew from the exact gram matrix: nothing drifts over
// calls.
void Solver::remove(int c) {
  const int m = a_.size;
  std::copy(a_.configs.begin() + (c + 1) * k_, a_.configs.begin() + m * k_,
            a_.configs.begin() + c * k_);
  auto close = [&](std::vector<double>& v) {
    std::copy(v.begin() + c + 1, v.begin() + std::min<std::size_t>(m, v.size()), v.begin() + c);
  };
  close(a_.own);
  close(a_.weight);
  if (static_cast<int>(a_.linear.size()) >= m) close(a_.linear);
  --a_.size;
  for (int row = c; row < a_.size; ++row) {
    const double* from = a_.gram.data() + row_of(row + 1);
    double* to = a_.gram.data() + row_of(row);
    std::copy(from, from + c, to);
    std::copy(from + c + 1, from + row + 2, to + c);
    fill_root(row);
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

// Writes the best weights of the affine hull to s_.solved.
void Solver::solve() {
  const int m = a_.size;
  s_.solved.resize(m);
  s_.right.resize(m);
  auto& u = s_.right;   // root u = 1
  auto& y = s_.solved;  // root y = linear
  double uu = 0, uy = 0;
  for (int i = 0; i < m; ++i) {
    const double* root = a_.root.data() + row_of(i);
    double one = 1, linear = a_.linear[i];
    for (int p = 0; p < i; ++p) {
      one -= root[p] * u[p];
      linear -= root[p] * y[p];
    }
    u[i] = one / root[i];
    y[i] = linear / root[i];
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
    const double w = a_.weight[c];
    if (w == 0) continue;
    for (std::size_t l = 0; l < k_; ++l) z_[l] += config(c)[l] ? w : 0.0;
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
