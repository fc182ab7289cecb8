// The quadratic step: closed forms for the simple shapes, the active set for the others.
//
// Papers: Duchi et al. 2008 and Condat 2016 (simplex); Martins, Figueiredo, Aguiar, Smith and Xing,
// "AD3", JMLR 2015, section 5 (OR, OR with output, and that a point outside one side of a shape
// projects onto it).
#include <algorithm>

#include "base/check.h"
#include "engine/factors/active_set.h"
#include "engine/factors/shapes.h"

namespace entente {

namespace factors {

namespace {

double clip(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

double clip_all(Scores y, std::span<double> z) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += z[i] = clip(y[i]);
  return sum;
}

void fill(std::span<double> z, double value) { std::fill(z.begin(), z.end(), value); }

}  // namespace

// Newton's method on sum max(y - t, 0) = 1 from the left, where it never steps too far: each round
// drops the entries that t has passed, two or three rounds in practice (Michelot 1986).
void project_simplex(Scores y, std::span<double> z) {
  const std::size_t n = y.size();
  double sum = 0, top = y[0];
  for (std::size_t i = 0; i < n; ++i) {
    sum += y[i];
    top = top < y[i] ? y[i] : top;
  }
  double t = std::max((sum - 1) / static_cast<double>(n), top - 1);
  for (std::size_t kept = n + 1;;) {
    double total = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const bool over = y[i] > t;
      total += over ? y[i] : 0.0;
      count += over;
    }
    if (count == 0 || count >= kept) break;  // nothing dropped; none left only by rounding
    kept = count;
    t = (total - 1) / static_cast<double>(count);
  }
  for (std::size_t i = 0; i < n; ++i) z[i] = y[i] > t ? y[i] - t : 0.0;
}

namespace {

// The shapes over free literals only; y and z may be the same memory only in project_simplex.
void free_at_most_one(Scores y, std::span<double> z) {
  if (clip_all(y, z) > 1) project_simplex(y, z);
}

void free_at_least_one(Scores y, std::span<double> z) {
  if (clip_all(y, z) < 1) project_simplex(y, z);
}

// y: inputs then output; at least one input.
void free_or_output(Scores y, std::span<double> z) {
  const std::size_t n = y.size() - 1;
  auto sum_of_inputs = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += z[i];
    return sum;
  };
  clip_all(y, z);
  if (*std::max_element(z.begin(), z.begin() + n) > z[n]) {
    // Onto {inputs <= output}: the output meets the mean of itself and the inputs above that mean.
    double t = y[n];
    for (std::size_t kept = n + 1;;) {
      double total = y[n];
      std::size_t count = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (y[i] > t) total += y[i], ++count;
      }
      if (count >= kept) break;
      kept = count;
      t = total / static_cast<double>(count + 1);
    }
    for (std::size_t i = 0; i < n; ++i) z[i] = clip(std::min(y[i], t));
    z[n] = clip(t);
  }
  if (sum_of_inputs() >= z[n]) return;
  // Onto {sum of inputs = output}: a simplex with the output turned round.
  for (std::size_t i = 0; i < n; ++i) z[i] = y[i];
  z[n] = 1 - y[n];
  project_simplex(z, z);
  z[n] = 1 - z[n];
}

// A row over the free literals; `fixed` is what the clamped ones add to it.
bool free_row(const FactorView& f, Scores y, Scores c, double fixed, std::span<double> z,
              FactorScratch& s) {
  double lower = f.lower, upper = f.upper, least = fixed, most = fixed;
  if (f.shape == Shape::count) {
    const CountRange range = count_range(f);
    lower = range.lo;
    upper = range.hi;
    most += static_cast<double>(y.size());
  }
  for (double x : c) (x < 0 ? least : most) += x;
  if (!(lower <= upper + slack(upper)) || most < lower - slack(lower) ||
      least > upper + slack(upper))
    return false;
  lower = std::min(lower, most);
  upper = std::max({upper, least, lower});
  project_row(y, c, lower - fixed, upper - fixed, kInfinity, z, s);
  return true;
}

// The free literals of a clamped factor as a problem of their own; z of the clamped ones is
// written.
struct Reduced {
  Reduced(Scores target, Clamp clamp, std::span<double> z, FactorScratch& s) : scratch(s) {
    s.free.target.clear();
    s.free.link.clear();
    for (std::size_t l = 0; l < target.size(); ++l) {
      const int value = clamp_of(clamp, l);
      if (value >= 0) {
        z[l] = value;
        ones += value;
        continue;
      }
      s.free.target.push_back(target[l]);
      s.free.link.push_back(static_cast<std::int32_t>(l));
    }
    s.free.answer.resize(s.free.target.size());
  }
  bool none() const { return scratch.free.target.empty(); }
  Scores y() const { return scratch.free.target; }
  std::span<double> z() const { return scratch.free.answer; }
  void scatter(std::span<double> out) const {
    for (std::size_t i = 0; i < scratch.free.link.size(); ++i)
      out[scratch.free.link[i]] = scratch.free.answer[i];
  }
  FactorScratch& scratch;
  int ones = 0;  // clamped to 1
};

bool clamped_or_output(Clamp clamp, const Reduced& r) {
  const int output = clamp.back();
  const int inputs = r.ones - (output == 1 ? 1 : 0);
  if (output == 0) {
    fill(r.z(), 0);
    return inputs == 0;
  }
  if (inputs > 0) {
    clip_all(r.y(), r.z());
    if (output < 0) r.z().back() = 1;
    return true;
  }
  if (output == 1) {
    if (r.none()) return false;
    free_at_least_one(r.y(), r.z());
    return true;
  }
  if (r.y().size() == 1)
    fill(r.z(), 0);
  else
    free_or_output(r.y(), r.z());
  return true;
}

bool clamped_equal(Clamp clamp, const Reduced& r) {
  if (r.ones > 0 && std::find(clamp.begin(), clamp.end(), 0) != clamp.end()) return false;
  fill(r.z(), r.ones > 0 ? 1 : 0);
  return true;
}

bool project_clamped(const FactorView& f, Scores target, Clamp clamp, std::span<double> z,
                     FactorScratch& s) {
  Reduced r(target, clamp, z, s);
  bool any = true;
  switch (f.shape) {
    case Shape::exactly_one:
    case Shape::at_most_one:
      any = r.ones < 2;
      if (r.ones > 0)
        fill(r.z(), 0);
      else if (f.shape == Shape::at_most_one)
        free_at_most_one(r.y(), r.z());
      else if (r.none())
        any = false;
      else
        project_simplex(r.y(), r.z());
      break;
    case Shape::at_least_one:
      if (r.ones > 0)
        clip_all(r.y(), r.z());
      else if (r.none())
        any = false;
      else
        free_at_least_one(r.y(), r.z());
      break;
    case Shape::or_output:
      any = clamped_or_output(clamp, r);
      break;
    case Shape::equal:
      any = clamped_equal(clamp, r);
      break;
    case Shape::count:
      any = free_row(f, r.y(), {}, r.ones, r.z(), s);
      break;
    case Shape::linear: {
      double fixed = 0;
      s.free.coefficient.clear();
      for (std::size_t l = 0; l < clamp.size(); ++l) {
        if (clamp[l] < 0)
          s.free.coefficient.push_back(f.values[l]);
        else
          fixed += clamp[l] ? f.values[l] : 0.0;
      }
      any = free_row(f, r.y(), s.free.coefficient, fixed, r.z(), s);
      break;
    }
    default:
      ENTENTE_CHECK(false);
  }
  if (any) r.scatter(z);
  return any;
}

bool project_unclamped(const FactorView& f, Scores y, std::span<double> z, FactorScratch& s) {
  switch (f.shape) {
    case Shape::exactly_one:
      if (y.empty()) return false;
      project_simplex(y, z);
      return true;
    case Shape::at_most_one:
      free_at_most_one(y, z);
      return true;
    case Shape::at_least_one:
      if (y.empty()) return false;
      free_at_least_one(y, z);
      return true;
    case Shape::or_output:
      if (y.size() < 2)
        fill(z, 0);
      else
        free_or_output(y, z);
      return true;
    case Shape::equal: {
      double sum = 0;
      for (double x : y) sum += x;
      fill(z, clip(sum / static_cast<double>(std::max<std::size_t>(y.size(), 1))));
      return true;
    }
    case Shape::count:
      return free_row(f, y, {}, 0, z, s);
    case Shape::linear:
      return free_row(f, y, f.values, 0, z, s);
    default:
      ENTENTE_CHECK(false);
  }
  return false;
}

// Soft shapes whose concave hull is a price on how far one row is broken: at_least_one (only all
// zeros breaks it), at_most_one over two literals (only both do), equal.
bool priced(const FactorView& f) {
  return f.shape == Shape::at_least_one || f.shape == Shape::equal ||
         (f.shape == Shape::at_most_one && f.links.size() <= 2);
}

void project_priced(const FactorView& f, Scores target, Clamp clamp, double price,
                    std::span<double> z, FactorScratch& s) {
  Reduced r(target, clamp, z, s);
  double lower = f.shape == Shape::at_least_one ? 1 : -kInfinity;
  double upper = f.shape == Shape::at_most_one ? 1 : kInfinity;
  double fixed = r.ones;
  s.free.coefficient.assign(r.y().size(), 1.0);
  if (f.shape == Shape::equal) {
    lower = upper = 0;
    fixed = clamp.empty() ? 0 : (clamp[0] == 1) - (clamp[1] == 1);
    for (std::size_t i = 0; i < s.free.link.size(); ++i)
      s.free.coefficient[i] = s.free.link[i] == 0 ? 1 : -1;
  }
  project_row(r.y(), s.free.coefficient, lower - fixed, upper - fixed, price, r.z(), s);
  r.scatter(z);
}

}  // namespace

}  // namespace factors

bool uses_active_set(const FactorView& f) {
  if (f.shape == Shape::table || f.shape == Shape::disjoint || f.shape == Shape::structured)
    return true;
  return !f.hard() && !factors::priced(f);
}

bool project(const FactorView& f, std::span<const double> target,
             std::span<const std::int8_t> clamp, double own_scale, std::span<double> z,
             ActiveSet& active, FactorScratch& s) {
  if (uses_active_set(f)) return project_active(f, target, clamp, own_scale, z, active, s);
  if (!f.hard()) {
    factors::project_priced(f, target, clamp, f.cost * own_scale, z, s);
    return true;
  }
  const bool clamped = std::any_of(clamp.begin(), clamp.end(), [](auto c) { return c >= 0; });
  return clamped ? factors::project_clamped(f, target, clamp, z, s)
                 : factors::project_unclamped(f, target, z, s);
}

}  // namespace entente
