#include "tasks/roles/span_sets.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace entente::roles {

namespace {

double log_add(double a, double b) {
  const double most = std::max(a, b);
  return most + std::log1p(std::exp(std::min(a, b) - most));
}

}  // namespace

void SpanSets::run(const RoleProblem& problem) {
  labels_ = problem.labels;
  const std::size_t n = problem.candidates.size();
  marginals_.assign(n * static_cast<std::size_t>(labels_), 0.0f);
  value_.resize(n);
  int first = 0, last = 0;
  for (std::size_t c = 0; c < n; ++c) {
    float most = problem.score(c, 1);
    for (int l = 2; l < labels_; ++l) most = std::max(most, problem.score(c, l));
    float sum = 0;
    for (int l = 1; l < labels_; ++l) sum += std::exp(problem.score(c, l) - most);
    value_[c] = static_cast<double>(most) + std::log(static_cast<double>(sum));
    first = c == 0 ? problem.candidates[c].begin : std::min(first, problem.candidates[c].begin);
    last = std::max(last, problem.candidates[c].end);
  }
  by_begin_.resize(n);
  std::iota(by_begin_.begin(), by_begin_.end(), 0);
  by_end_ = by_begin_;
  std::sort(by_end_.begin(), by_end_.end(),
            [&](int a, int b) { return problem.candidates[a].end < problem.candidates[b].end; });
  std::sort(by_begin_.begin(), by_begin_.end(), [&](int a, int b) {
    return problem.candidates[a].begin > problem.candidates[b].begin;
  });
  const std::size_t places = static_cast<std::size_t>(last - first) + 1;
  before_.assign(places, 0.0);
  after_.assign(places, 0.0);
  auto at = by_end_.begin();
  for (std::size_t p = 1; p < places; ++p) {
    before_[p] = before_[p - 1];
    for (; at != by_end_.end() && problem.candidates[*at].end - first == static_cast<int>(p);
         ++at) {
      before_[p] =
          log_add(before_[p], before_[problem.candidates[*at].begin - first] + value_[*at]);
    }
  }
  at = by_begin_.begin();
  for (std::size_t p = places - 1; p-- > 0;) {
    after_[p] = after_[p + 1];
    for (; at != by_begin_.end() && problem.candidates[*at].begin - first == static_cast<int>(p);
         ++at) {
      after_[p] = log_add(after_[p], after_[problem.candidates[*at].end - first] + value_[*at]);
    }
  }
  log_total_ = before_.back();
  for (std::size_t c = 0; c < n; ++c) {
    const Candidate& x = problem.candidates[c];
    const double rest = before_[x.begin - first] + after_[x.end - first] - log_total_;
    for (int l = 1; l < labels_; ++l) {
      marginals_[c * static_cast<std::size_t>(labels_) + static_cast<std::size_t>(l)] =
          static_cast<float>(std::exp(rest + static_cast<double>(problem.score(c, l))));
    }
  }
}

void SpanSets::aim_at_f1(double cost, RoleProblem& problem) {
  run(problem);
  const std::size_t n = static_cast<std::size_t>(labels_);
  for (std::size_t c = 0; c < problem.candidates.size(); ++c) {
    float* const scores = problem.scores.data() + c * n;
    const double total = std::exp(-value_[c]) + 1;  // of this candidate, by its labels' sum
    for (std::size_t l = 1; l < n; ++l) {
      const double alone = std::exp(static_cast<double>(scores[l]) - value_[c]) / total;
      const double together = static_cast<double>(marginal(c, static_cast<int>(l)));
      scores[l] = static_cast<float>((alone + together) / 2 - cost);
    }
  }
}

}  // namespace entente::roles
