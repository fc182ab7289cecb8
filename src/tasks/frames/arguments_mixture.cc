#include <algorithm>
#include <cmath>

#include "tasks/frames/arguments.h"
#include "tasks/frames/candidates.h"

namespace entente::frames {

namespace {

constexpr double kLeastMean = 1e-9;  // where probabilities end, and log-odds with them

}  // namespace

void ArgumentModel::add_weights(std::uint64_t feature, int frame, int sign,
                                std::int32_t* row) const {
  const std::int32_t any = weights_.raw(combine(feature, kAnyRole));
  for (int r = 0; r < keys_.roles(frame); ++r) {
    std::int32_t sum = any;
    for (const std::uint64_t key : keys_.of(frame, r)) sum += weights_.raw(combine(feature, key));
    row[r] += sign * sum;
  }
}

void ArgumentModel::sum_weights(std::span<const std::uint64_t> features, int frame,
                                std::int32_t* row) const {
  std::fill_n(row, keys_.roles(frame), 0);
  for (const std::uint64_t f : features) add_weights(f, frame, 1, row);
}

// From the scores of one tree's spans to the sums over trees.
void ArgumentModel::add_shares(int roles, double share, Work& work) const {
  const std::size_t n = work.place.size();
  for (int r = 0; r < roles; ++r) {
    float top = 0;
    for (std::size_t s = 0; s < n; ++s) top = std::max(top, work.scores[s * roles + r]);
    double total = std::exp(static_cast<double>(-top));
    for (std::size_t s = 0; s < n; ++s) {
      total += std::exp(static_cast<double>(work.scores[s * roles + r] - top));
    }
    for (std::size_t s = 0; s < n; ++s) {
      work.sums[work.place[s] * roles + r] +=
          share * std::exp(static_cast<double>(work.scores[s * roles + r] - top)) / total;
    }
  }
}

// Under another tree. work.table has the spans that the own tree left after pruning, work.own their
// sums, work.others what other trees have brought.
void ArgumentModel::add_tree(const Atoms& atoms, std::span<const int> target, std::uint32_t unit,
                             int frame, double share, Work& work) const {
  const auto roles = static_cast<std::size_t>(keys_.roles(frame));
  const SpanTable& table = work.table;
  FeatureList& features = work.features;
  work.maker.start(atoms, target, unit);
  candidate_spans(atoms, target, work.spans);
  features.clear();
  work.maker.null_features(features);
  work.null.resize(roles);
  if (features == table.null_features) {
    work.null = work.own_null;
  } else {
    sum_weights(features, frame, work.null.data());
  }
  work.place.clear();
  work.scores.clear();
  work.row.resize(roles);
  for (const Span& span : work.spans) {
    const auto at = std::lower_bound(table.spans.begin(), table.spans.end(), span);
    const auto own = static_cast<std::size_t>(at - table.spans.begin());
    const bool known = at != table.spans.end() && *at == span;
    features.clear();
    work.maker.span_features(span, features);
    if (key_score(pruner_, features, kPruner) < limits_.least) continue;
    std::size_t place = own;
    if (!known) {
      const auto found = std::find(work.others.begin(), work.others.end(), span);
      place = table.spans.size() + static_cast<std::size_t>(found - work.others.begin());
      if (found == work.others.end()) {
        work.others.push_back(span);
        work.sums.resize(work.sums.size() + roles, 0.0);
      }
    }
    const auto before = known ? table.of(own) : std::span<const std::uint64_t>();
    if (before.size() == features.size()) {
      std::copy_n(work.own.begin() + static_cast<std::ptrdiff_t>(own * roles), roles,
                  work.row.begin());
      for (std::size_t i = 0; i < features.size(); ++i) {
        if (features[i] == before[i]) continue;
        add_weights(features[i], frame, 1, work.row.data());
        add_weights(before[i], frame, -1, work.row.data());
      }
    } else {
      sum_weights(features, frame, work.row.data());
    }
    work.place.push_back(place);
    for (std::size_t r = 0; r < roles; ++r) {
      work.scores.push_back(weights_.scale() * static_cast<float>(work.row[r] - work.null[r]));
    }
  }
  add_shares(static_cast<int>(roles), share, work);
}

void ArgumentModel::make_problem(const TreeMixture& trees, std::span<const int> target,
                                 std::uint32_t unit, int frame, Work& work,
                                 ArgumentProblem& problem) const {
  if (trees.size() == 1) return make_problem(trees.own(), target, unit, frame, work, problem);
  const auto roles = static_cast<std::size_t>(keys_.roles(frame));
  work.maker.use(&meanings_);
  SpanTable& table = work.table;
  // Under its own tree every tree's spans are candidates: what only other trees have as a phrase is
  // weighed there, too.
  work.others.clear();
  for (int t = 1; t < trees.size(); ++t) {
    candidate_spans(trees.tree(t), target, work.spans);
    work.others.insert(work.others.end(), work.spans.begin(), work.spans.end());
  }
  std::sort(work.others.begin(), work.others.end());
  work.others.erase(std::unique(work.others.begin(), work.others.end()), work.others.end());
  table.fill(trees.own(), target, unit, work.maker, work.others);
  prune(pruner_, limits_, {}, table, work.pruning, work.keep);
  const std::size_t n = table.spans.size();
  work.own.resize(n * roles);
  work.own_null.resize(roles);
  work.scores.resize(n * roles);
  work.place.resize(n);
  sum_weights(table.null_features, frame, work.own_null.data());
  for (std::size_t s = 0; s < n; ++s) {
    sum_weights(table.of(s), frame, work.own.data() + s * roles);
    work.place[s] = s;
    for (std::size_t r = 0; r < roles; ++r) {
      work.scores[s * roles + r] =
          weights_.scale() * static_cast<float>(work.own[s * roles + r] - work.own_null[r]);
    }
  }
  work.others.clear();
  work.sums.assign(n * roles, 0);
  add_shares(static_cast<int>(roles), trees.share(0), work);
  for (int t = 1; t < trees.size(); ++t) {
    add_tree(trees.tree(t), target, unit, frame, trees.share(t), work);
  }

  // Spans in their order, as everywhere.
  work.spans = table.spans;
  work.spans.insert(work.spans.end(), work.others.begin(), work.others.end());
  std::vector<std::size_t>& order = work.place;
  order.resize(work.spans.size());
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return work.spans[a] < work.spans[b]; });
  problem.frame = frame;
  problem.roles.clear();
  problem.spans.clear();
  problem.scores.clear();
  for (const std::size_t s : order) problem.spans.push_back(work.spans[s]);
  const double limit = share_ > 0 ? std::log(share_) - std::log1p(-share_) : 0;
  for (std::size_t r = 0; r < roles; ++r) {
    problem.roles.push_back(static_cast<int>(r));
    for (const std::size_t s : order) {
      const double p = std::clamp(work.sums[s * roles + r], kLeastMean, 1 - kLeastMean);
      problem.scores.push_back(static_cast<float>(std::log(p) - std::log1p(-p) - limit));
    }
  }
}

}  // namespace entente::frames
