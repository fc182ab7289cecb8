#include "oracle/viterbi.h"

#include <algorithm>
#include <limits>

namespace entente {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

// work[t * states + s]: the best score of a path that ends in state s at position t.
void forward(const Chain& c, std::vector<double>& work) {
  const std::size_t n = c.states;
  work.resize(n * c.length);
  std::copy(c.unary.begin(), c.unary.begin() + n, work.begin());
  for (int t = 1; t < c.length; ++t) {
    const double* before = work.data() + (t - 1) * n;
    double* now = work.data() + t * n;
    const double* step = c.step(t - 1);
    std::fill(now, now + n, kNone);
    // The inner loop runs over targets, which the compiler can do several at a time.
    for (std::size_t from = 0; from < n; ++from) {
      for (std::size_t to = 0; to < n; ++to) {
        const double score = before[from] + step[from * n + to];
        now[to] = now[to] < score ? score : now[to];
      }
    }
    for (std::size_t to = 0; to < n; ++to) now[to] += c.unary[t * n + to];
  }
}

}  // namespace

double viterbi(const Chain& c, std::span<std::int32_t> path, std::vector<double>& work) {
  if (c.length == 0) return 0;
  forward(c, work);
  const std::size_t n = c.states;
  const double* last = work.data() + (c.length - 1) * n;
  int state = static_cast<int>(std::max_element(last, last + n) - last);
  const double best = last[state];
  if (best == kNone) return kNone;
  path[c.length - 1] = state;
  for (int t = c.length - 1; t > 0; --t) {
    const double* before = work.data() + (t - 1) * n;
    const double* step = c.step(t - 1);
    int from = 0;
    for (int s = 1; s < c.states; ++s) {
      if (before[s] + step[s * n + state] > before[from] + step[from * n + state]) from = s;
    }
    path[t - 1] = state = from;
  }
  return best;
}

void viterbi_marginals(const Chain& c, std::span<double> through, std::vector<double>& work) {
  if (c.length == 0) return;
  forward(c, work);
  const std::size_t n = c.states;
  // through[t] first holds the best score after position t, from each of its states.
  std::fill(through.end() - n, through.end(), 0.0);
  for (int t = c.length - 2; t >= 0; --t) {
    const double* step = c.step(t);
    for (std::size_t from = 0; from < n; ++from) {
      double best = kNone;
      for (std::size_t to = 0; to < n; ++to) {
        const std::size_t next = (t + 1) * n + to;
        best = std::max(best, step[from * n + to] + c.unary[next] + through[next]);
      }
      through[t * n + from] = best;
    }
  }
  for (std::size_t x = 0; x < n * c.length; ++x) through[x] += work[x];
}

}  // namespace entente
