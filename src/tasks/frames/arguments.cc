#include "tasks/frames/arguments.h"

#include <algorithm>
#include <cmath>

#include "learn/hash.h"
#include "learn/online.h"
#include "tasks/frames/candidates.h"

namespace entente::frames {

namespace {

constexpr const char* kShare = "frames/arguments/share";

}  // namespace

void SpanTable::fill(const Atoms& atoms, std::span<const int> target, std::uint32_t unit,
                     FeatureMaker& maker, std::span<const Span> gold) {
  candidate_spans(atoms, target, spans);
  for (const Span& g : gold) {
    const auto at = std::lower_bound(spans.begin(), spans.end(), g);
    if (at == spans.end() || *at != g) spans.insert(at, g);
  }
  maker.start(atoms, target, unit);
  features.clear();
  begin.assign(1, 0);
  for (const Span& s : spans) {
    maker.span_features(s, features);
    begin.push_back(static_cast<std::uint32_t>(features.size()));
  }
  null_features.clear();
  maker.null_features(null_features);
}

void SpanTable::filter(std::span<const std::uint8_t> keep) {
  std::size_t kept = 0;
  std::uint32_t end = 0;
  for (std::size_t s = 0; s < spans.size(); ++s) {
    const std::uint32_t from = begin[s], to = begin[s + 1];
    if (keep[s] == 0) continue;
    std::copy(features.begin() + from, features.begin() + to, features.begin() + end);
    begin[kept] = end;
    end += to - from;
    spans[kept++] = spans[s];
  }
  spans.resize(kept);
  begin.resize(kept + 1);
  begin[kept] = end;
  features.resize(end);
}

void SpanTable::hide(double share, std::uint64_t salt) {
  const auto limit = static_cast<std::uint64_t>(share * 18446744073709549568.0);
  const auto hidden = [&](std::uint64_t feature) { return spread(feature ^ salt) < limit; };
  std::uint32_t end = 0;
  for (std::size_t s = 0; s < spans.size(); ++s) {
    const std::uint32_t from = begin[s], to = begin[s + 1];
    begin[s] = end;
    for (std::uint32_t i = from; i < to; ++i) {
      if (!hidden(features[i])) features[end++] = features[i];
    }
  }
  begin[spans.size()] = end;
  features.resize(end);
  std::erase_if(null_features, hidden);
}

template <typename Weights>
void prune(const Weights& weights, const PruneLimits& limits, std::span<const Span> gold,
           SpanTable& table, std::vector<float>& scratch, std::vector<std::uint8_t>& keep) {
  const std::size_t n = table.spans.size();
  keep.assign(n, 0);
  scratch.resize(2 * n);
  const std::span<float> scores(scratch.data(), n), sorted(scratch.data() + n, n);
  for (std::size_t s = 0; s < n; ++s) scores[s] = key_score(weights, table.of(s), kPruner);
  std::copy(scores.begin(), scores.end(), sorted.begin());
  float least = limits.least;
  if (n > static_cast<std::size_t>(limits.most)) {
    std::nth_element(sorted.begin(), sorted.begin() + limits.most - 1, sorted.end(),
                     std::greater<>());
    least = std::max(least, sorted[limits.most - 1]);
  }
  for (std::size_t s = 0; s < n; ++s) {
    keep[s] =
        scores[s] >= least || std::find(gold.begin(), gold.end(), table.spans[s]) != gold.end();
  }
  table.filter(keep);
}

template void prune(const WeightView&, const PruneLimits&, std::span<const Span>, SpanTable&,
                    std::vector<float>&, std::vector<std::uint8_t>&);
template void prune(const OnlineWeights&, const PruneLimits&, std::span<const Span>, SpanTable&,
                    std::vector<float>&, std::vector<std::uint8_t>&);

void by_share(std::span<float> scores, double least) {
  if (scores.empty()) return;
  const auto best =
      static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  const double top = std::max(0.0f, scores[best]);
  double others = std::exp(-top);  // than the best, null among them
  for (std::size_t s = 0; s < scores.size(); ++s) {
    if (s != best) others += std::exp(static_cast<double>(scores[s]) - top);
  }
  const double total = others + std::exp(static_cast<double>(scores[best]) - top);
  const double limit = std::log(least) - std::log1p(-least);
  for (std::size_t s = 0; s < scores.size(); ++s) {
    const double own = static_cast<double>(scores[s]) - top;
    // What is next to nothing beside the best is lost in the sum, but not in its own logarithm.
    const double rest = s == best ? others : total - std::exp(own);
    scores[s] = static_cast<float>(own - std::log(rest) - limit);
  }
}

ArgumentModel::ArgumentModel(const ModelFile& file, const framenet::Lexicon& lexicon)
    : keys_(lexicon),
      weights_(file, "frames/arguments/weights"),
      pruner_(file, "frames/arguments/pruner"),
      limits_{static_cast<float>(file.number("frames/arguments/prune_least")),
              static_cast<int>(file.number("frames/arguments/prune_most"))},
      meanings_(file, "frames/meanings"),
      share_(file.has(kShare) ? file.number(kShare) : kLeastShare) {
  if (file.number("frames/arguments/version") != kVersion) {
    file.fail("was made for other features of arguments; train it again");
  }
}

void ArgumentModel::make_problem(const Atoms& atoms, std::span<const int> target,
                                 std::uint32_t unit, int frame, Work& work,
                                 ArgumentProblem& problem) const {
  work.maker.use(&meanings_);
  work.table.fill(atoms, target, unit, work.maker);
  prune(pruner_, limits_, {}, work.table, work.pruning, work.keep);
  problem.frame = frame;
  problem.roles.clear();
  for (int r = 0; r < keys_.roles(frame); ++r) problem.roles.push_back(r);
  problem.spans = work.table.spans;
  score_table(weights_, work.table, keys_, frame, problem.scores);
  const std::size_t n = problem.spans.size();
  for (std::size_t r = 0; n > 0 && r < problem.roles.size(); ++r) {
    by_share({problem.scores.data() + r * n, n}, share_);
  }
}

}  // namespace entente::frames
