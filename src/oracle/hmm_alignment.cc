#include "oracle/hmm_alignment.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace entente {

namespace {

// to[k] += weight * row[k]
inline void add_row(float* __restrict to, const float* __restrict row, float weight, int n) {
  for (int k = 0; k < n; ++k) to[k] += weight * row[k];
}

// The sum of row[k] * y[k] in eight parts, so that it is done by vectors.
inline float dot(const float* __restrict row, const float* __restrict y, int n) {
  float part[8] = {};
  int k = 0;
  for (; k + 8 <= n; k += 8) {
    for (int p = 0; p < 8; ++p) part[p] += row[k + p] * y[k + p];
  }
  float rest = 0;
  for (; k < n; ++k) rest += row[k] * y[k];
  return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7])) +
         rest;
}

}  // namespace

double hmm_sums(const HmmPair& pair, HmmWork& work) {
  const int n = pair.sources, m = pair.targets, width = n + 1;
  work.posterior.assign(static_cast<std::size_t>(m) * n, 0);
  work.null_posterior.assign(m, 0);
  work.forward.assign(static_cast<std::size_t>(m + 1) * width, 0);
  work.backward.assign(static_cast<std::size_t>(m + 1) * width, 1);
  work.scales.assign(m + 1, 0);
  work.to.resize(width);
  work.forward[n] = 1;
  double log_likelihood = 0;
  const float word = 1 - pair.null;
  for (int j = 0; j < m; ++j) {
    const float* before = &work.forward[static_cast<std::size_t>(j) * width];
    float* now = &work.forward[static_cast<std::size_t>(j + 1) * width];
    float* to = work.to.data();
    for (int k = 0; k < n; ++k) to[k] = before[n] * pair.start[k];
    for (int i = 0; i < n; ++i) {
      if (before[i] > 1e-30f) add_row(to, pair.jumps[i] - i, before[i] * pair.scale[i], n);
    }
    const float* emission = pair.emission + static_cast<std::size_t>(j) * n;
    const float none = pair.null * pair.null_emission[j];
    float* made = &work.posterior[static_cast<std::size_t>(j) * n];  // forward weight, for now
    float sum = 0;
    for (int k = 0; k < n; ++k) {
      made[k] = word * to[k] * emission[k];
      now[k] = made[k] + none * before[k];
      sum += now[k];
    }
    now[n] = none * before[n];
    sum += now[n];
    if (!(sum > 0)) return -std::numeric_limits<double>::infinity();
    const float scale = 1 / sum;
    for (int k = 0; k < n; ++k) made[k] *= scale;
    for (int k = 0; k <= n; ++k) now[k] *= scale;
    work.scales[j + 1] = scale;
    log_likelihood += std::log(static_cast<double>(sum));
  }
  work.from.resize(width);
  for (int j = m - 1; j >= 0; --j) {
    const float* after = &work.backward[static_cast<std::size_t>(j + 1) * width];
    float* now = &work.backward[static_cast<std::size_t>(j) * width];
    float* made = &work.posterior[static_cast<std::size_t>(j) * n];
    const float* emission = pair.emission + static_cast<std::size_t>(j) * n;
    float* y = work.from.data();
    float linked = 0;
    const float scale = work.scales[j + 1];
    for (int k = 0; k < n; ++k) {
      y[k] = word * scale * emission[k] * after[k];
      made[k] *= after[k];
      linked += made[k];
    }
    work.null_posterior[j] = std::max(0.0f, 1 - linked);
    const float none = pair.null * pair.null_emission[j] * scale;
    for (int i = 0; i < n; ++i) {
      now[i] = pair.scale[i] * dot(pair.jumps[i] - i, y, n) + none * after[i];
    }
    now[n] = dot(pair.start, y, n) + none * after[n];
  }
  return log_likelihood;
}

void hmm_jump_counts(const HmmPair& pair, HmmWork& work, float* const* counts, float* start_counts,
                     float* departures) {
  const int n = pair.sources, m = pair.targets, width = n + 1;
  const float word = 1 - pair.null;
  float* y = work.from.data();
  for (int j = 0; j < m; ++j) {
    const float* before = &work.forward[static_cast<std::size_t>(j) * width];
    const float* after = &work.backward[static_cast<std::size_t>(j + 1) * width];
    const float* emission = pair.emission + static_cast<std::size_t>(j) * n;
    const float scale = word * work.scales[j + 1];
    for (int k = 0; k < n; ++k) y[k] = scale * emission[k] * after[k];
    for (int k = 0; k < n; ++k) start_counts[k] += before[n] * pair.start[k] * y[k];
    for (int i = 0; i < n; ++i) {
      const float weight = before[i] * pair.scale[i];
      if (weight < 1e-6f) continue;
      const float* row = pair.jumps[i] - i;
      float* __restrict count = counts[i] - i;
      for (int k = 0; k < n; ++k) count[k] += weight * row[k] * y[k];
      departures[i] += weight * dot(row, y, n);
    }
  }
}

double hmm_viterbi(const HmmScores& scores, std::span<std::int32_t> places, HmmWork& work) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  const int n = scores.sources, m = scores.targets, width = n + 1;
  // best[i]: the best way to have come so far with the last place i (n: none yet).
  work.best.assign(width, kNever);
  work.carried.resize(width);
  work.back.assign(static_cast<std::size_t>(m) * n, -1);
  work.null_back.assign(static_cast<std::size_t>(m) * width, 0);
  work.best[n] = 0;
  for (int j = 0; j < m; ++j) {
    const double none = scores.null + scores.null_emission[j];
    double* next = work.carried.data();
    for (int k = 0; k < n; ++k) {
      double top = work.best[n] + scores.start[k];
      int from = n;
      for (int i = 0; i < n; ++i) {
        const double s = work.best[i] + scores.step[static_cast<std::size_t>(i) * n + k];
        if (s > top) top = s, from = i;
      }
      top += scores.word + scores.emission[static_cast<std::size_t>(j) * n + k];
      const double stay = work.best[k] + none;
      const bool idle = stay > top;
      next[k] = idle ? stay : top;
      work.back[static_cast<std::size_t>(j) * n + k] = from;
      work.null_back[static_cast<std::size_t>(j) * width + k] = idle;
    }
    next[n] = work.best[n] + none;
    work.null_back[static_cast<std::size_t>(j) * width + n] = 1;
    work.best.swap(work.carried);
  }
  int at = n;
  for (int k = n - 1; k >= 0; --k) {
    if (work.best[k] >= work.best[at] && work.best[k] > kNever) at = k;
  }
  const double value = work.best[at];
  if (value == kNever) return value;
  for (int j = m - 1; j >= 0; --j) {
    if (work.null_back[static_cast<std::size_t>(j) * width + at]) {
      places[j] = -1;
    } else {
      places[j] = at;
      at = work.back[static_cast<std::size_t>(j) * n + at];
    }
  }
  return value;
}

double hmm_score(const HmmScores& scores, std::span<const std::int32_t> places) {
  const int n = scores.sources;
  double sum = 0;
  int last = -1;
  for (int j = 0; j < scores.targets; ++j) {
    const int k = places[j];
    if (k < 0) {
      sum += scores.null + scores.null_emission[j];
      continue;
    }
    sum += last < 0 ? scores.start[k] : scores.step[static_cast<std::size_t>(last) * n + k];
    sum += scores.word + scores.emission[static_cast<std::size_t>(j) * n + k];
    last = k;
  }
  return sum;
}

}  // namespace entente
