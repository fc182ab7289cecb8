#include "oracle/head_automaton.h"

#include <algorithm>
#include <limits>

namespace entente {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

// One side under one upper; grand may be null.
struct Side {
  int count;
  const double *arcs, *siblings, *grand;

  double arc(int m) const { return grand == nullptr ? arcs[m] : arcs[m] + grand[m]; }
  const double* into(int outer) const { return siblings + outer * (outer + 1) / 2 + 1; }
  const double* ends() const { return siblings + count * (count + 1) / 2; }
};

Side side_of(const HeadAutomaton& a, bool right, int upper) {
  const double* grand =
      a.grand.empty() || upper < 0 ? nullptr : a.grand.data() + upper * a.modifiers();
  if (!right) return {a.left, a.arcs.data(), a.siblings.data(), grand};
  return {a.right, a.arcs.data() + a.left, a.siblings.data() + sibling_count(a.left),
          grand == nullptr ? nullptr : grand + a.left};
}

// best[m]: the best of a side up to and with modifier m. Returns the best of the whole side and
// where it ends, -1 for one without modifiers.
double forward(const Side& s, double* best, int& last) {
  for (int m = 0; m < s.count; ++m) {
    const double* into = s.into(m);
    double top = into[-1];
    for (int inner = 0; inner < m; ++inner) top = std::max(top, best[inner] + into[inner]);
    best[m] = top + s.arc(m);
  }
  last = -1;
  double value = 0;
  const double* ends = s.ends();
  for (int m = 0; m < s.count; ++m) {
    if (best[m] + ends[m] > value) value = best[m] + ends[m], last = m;
  }
  return value;
}

void trace(const Side& s, const double* best, int last, std::uint8_t* taken) {
  std::fill(taken, taken + s.count, 0);
  for (int m = last; m >= 0;) {
    taken[m] = 1;
    const double* into = s.into(m);
    int before = -1;
    double top = into[-1];
    for (int inner = 0; inner < m; ++inner) {
      if (best[inner] + into[inner] > top) top = best[inner] + into[inner], before = inner;
    }
    m = before;
  }
}

// after[m]: the best of a side beyond modifier m, which is taken, its end included.
void backward(const Side& s, double* after) {
  const double* ends = s.ends();
  for (int m = s.count - 1; m >= 0; --m) {
    double top = ends[m];
    for (int outer = m + 1; outer < s.count; ++outer) {
      top = std::max(top, s.into(outer)[m] + s.arc(outer) + after[outer]);
    }
    after[m] = top;
  }
}

// skip[m]: the best of a side without modifier m, by the pairs that jump over it. over(inner,
// outer) = the best that uses a pair around [inner, outer], and a pair around a wider interval is
// around this one too.
void skipping(const Side& s, const double* best, const double* after, double* skip, double* over) {
  // over[outer + 1], rows of inner from -1 up, each made from the one before it.
  const int k = s.count;
  std::fill(over, over + k + 1, kNone);
  for (int inner = -1; inner < k; ++inner) {
    double wider = kNone;
    for (int outer = k; outer > inner + 1; --outer) {
      double pair = inner < 0 ? 0 : best[inner];
      if (outer < k) {
        pair += s.into(outer)[inner] + s.arc(outer) + after[outer];
      } else if (inner >= 0) {
        pair += s.ends()[inner];
      }
      wider = over[outer] = std::max({pair, wider, over[outer]});
    }
    if (inner + 1 < k) skip[inner + 1] = wider;
  }
}

}  // namespace

double best_modifiers(const HeadAutomaton& a, std::span<std::uint8_t> taken, std::int32_t& upper,
                      std::vector<double>& work) {
  const std::size_t size = a.modifiers();
  work.resize(2 * size);
  double* now = work.data();
  double* kept = work.data() + size;
  double top = kNone;
  int last[2] = {-1, -1};
  const int first = a.uppers > 0 ? 0 : -1;
  upper = first;
  for (int u = first; u < a.uppers; ++u) {
    if (u >= 0 && a.upper[u] == kNone) continue;
    int ends[2];
    const double value = (u < 0 ? 0 : a.upper[u]) + forward(side_of(a, false, u), now, ends[0]) +
                         forward(side_of(a, true, u), now + a.left, ends[1]);
    if (!(value > top)) continue;
    top = value;
    upper = u;
    std::copy(ends, ends + 2, last);
    std::swap(now, kept);
  }
  if (top == kNone) return kNone;
  trace(side_of(a, false, upper), kept, last[0], taken.data());
  trace(side_of(a, true, upper), kept + a.left, last[1], taken.data() + a.left);
  return top;
}

double automaton_max_marginals(const HeadAutomaton& a, std::span<double> without,
                               std::span<double> with, std::span<double> with_upper,
                               std::vector<double>& work) {
  const std::size_t size = a.modifiers();
  work.resize(4 * size + 1);
  double *best = work.data(), *after = best + size, *skip = after + size, *over = skip + size;
  std::fill(without.begin(), without.end(), kNone);
  std::fill(with.begin(), with.end(), kNone);
  double top = kNone;
  for (int u = a.uppers > 0 ? 0 : -1; u < a.uppers; ++u) {
    if (u >= 0 && a.upper[u] == kNone) {
      with_upper[u] = kNone;
      continue;
    }
    const Side sides[2] = {side_of(a, false, u), side_of(a, true, u)};
    int last;
    const double values[2] = {forward(sides[0], best, last),
                              forward(sides[1], best + a.left, last)};
    const double alone = u < 0 ? 0 : a.upper[u];
    const double total = alone + values[0] + values[1];
    if (u >= 0) with_upper[u] = total;
    top = std::max(top, total);
    for (int right = 0; right < 2; ++right) {
      const Side& s = sides[right];
      const int base = right ? a.left : 0;
      const double rest = alone + values[1 - right];
      backward(s, after + base);
      skipping(s, best + base, after + base, skip + base, over);
      for (int m = base; m < base + s.count; ++m) {
        with[m] = std::max(with[m], rest + (best[m] + after[m]));
        without[m] = std::max(without[m], rest + skip[m]);
      }
    }
  }
  return top;
}

}  // namespace entente
