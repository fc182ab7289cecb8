#include "tasks/alignment/expectation.h"

#include <cmath>

namespace entente::alignment {

namespace {

// One pair: what expect() says, with names for what it needs.
struct Expectation {
  const Bitext& text_;
  const Trained& out_;
  const TrainingSettings& settings_;

  void gather(int p, ExpectationWork& w) const {
    const int n = text_.length(0, p), m = text_.length(1, p);
    const std::uint32_t* cell = out_.table.cells(p);
    w.emission[0].resize(static_cast<std::size_t>(n) * m);
    w.emission[1].resize(static_cast<std::size_t>(n) * m);
    for (int k = 0; k < n * m; ++k) __builtin_prefetch(&out_.t[cell[k]]);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < m; ++j) {
        const std::array<float, 2>& t = out_.t[cell[i * m + j]];
        w.emission[0][static_cast<std::size_t>(j) * n + i] = t[0];
        w.emission[1][static_cast<std::size_t>(i) * m + j] = t[1];
      }
    }
    for (int d = 0; d < 2; ++d) {
      const auto targets = text_.words(1 - d, p);
      w.null_emission[d].resize(targets.size());
      for (std::size_t k = 0; k < targets.size(); ++k) {
        w.null_emission[d][k] = out_.null[d][targets[k]];
      }
    }
  }

  double expect_model1(int n, int m, int d, ExpectationWork& w) const {
    w.posterior[d].resize(static_cast<std::size_t>(n) * m);
    w.null_posterior[d].resize(m);
    const float null = out_.no_source[d], each = (1 - null) / static_cast<float>(n);
    double ll = 0;
    for (int j = 0; j < m; ++j) {
      const float* row = &w.emission[d][static_cast<std::size_t>(j) * n];
      float* out = &w.posterior[d][static_cast<std::size_t>(j) * n];
      const float none = null * w.null_emission[d][j];
      float sum = none;
      for (int i = 0; i < n; ++i) sum += out[i] = each * row[i];
      if (!(sum > 0)) return -INFINITY;
      for (int i = 0; i < n; ++i) out[i] /= sum;
      w.null_posterior[d][j] = none / sum;
      ll += std::log(static_cast<double>(sum));
    }
    return ll;
  }

  // As model 1, but near the diagonal.
  double expect_diagonal(int n, int m, int d, ExpectationWork& w) const {
    w.posterior[d].resize(static_cast<std::size_t>(n) * m);
    w.null_posterior[d].resize(m);
    const float null = out_.no_source[d];
    double ll = 0, distance = 0;
    for (int j = 0; j < m; ++j) {
      diagonal_weights(n, j, m, out_.tension[d], w.weights);
      const float* row = &w.emission[d][static_cast<std::size_t>(j) * n];
      float* out = &w.posterior[d][static_cast<std::size_t>(j) * n];
      const float none = null * w.null_emission[d][j];
      float sum = none;
      for (int i = 0; i < n; ++i) sum += out[i] = (1 - null) * w.weights[i] * row[i];
      if (!(sum > 0)) return -INFINITY;
      for (int i = 0; i < n; ++i) {
        out[i] /= sum;
        distance += out[i] * std::abs((i + 1.0) / n - (j + 1.0) / m);
      }
      w.null_posterior[d][j] = none / sum;
      ll += std::log(static_cast<double>(sum));
    }
    w.distance[d] += JumpCounts::fixed(static_cast<float>(distance));
    return ll;
  }

  double expect_hmm(int p, int d, ExpectationWork& w) const {
    const int n = text_.length(d, p), m = text_.length(1 - d, p);
    w.classes.clear();
    if (!out_.classes[d].empty()) {
      for (const std::int32_t word : text_.words(d, p)) w.classes.push_back(out_.classes[d][word]);
    }
    w.stays.clear();
    if (!out_.stays[d].empty()) {
      for (const std::int32_t word : text_.words(d, p)) w.stays.push_back(out_.stays[d][word]);
    }
    w.rows[d].prepare(out_.jumps[d], w.classes, n, w.stays);
    const HmmPair pair{.sources = n,
                       .targets = m,
                       .emission = w.emission[d].data(),
                       .null_emission = w.null_emission[d].data(),
                       .null = out_.no_source[d],
                       .jumps = w.rows[d].rows(),
                       .scale = w.rows[d].scale(),
                       .start = w.rows[d].start()};
    const double ll = hmm_sums(pair, w.hmm[d]);
    if (!std::isfinite(ll)) return ll;
    w.posterior[d].swap(w.hmm[d].posterior);
    w.null_posterior[d].swap(w.hmm[d].null_posterior);
    const std::size_t wide = 2 * static_cast<std::size_t>(n) + 1;
    w.widths.assign(wide * n, 0);
    w.starts.assign(n, 0);
    w.departures.assign(n, 0);
    w.width_rows.resize(n);
    for (int i = 0; i < n; ++i) w.width_rows[i] = &w.widths[wide * i + n];
    hmm_jump_counts(pair, w.hmm[d], w.width_rows.data(), w.starts.data(), w.departures.data());
    w.stayed[d].resize(n);
    for (int i = 0; i < n; ++i) {
      w.stayed[d][i] = {w.width_rows[i][0], w.departures[i] * w.rows[d].plain_stay(i),
                        w.departures[i]};
    }
    for (int i = 0; i < n; ++i) {
      w.jump_counts[d].add_source(w.classes.empty() ? 0 : w.classes[i], i, n, w.width_rows[i],
                                  w.departures[i]);
    }
    w.jump_counts[d].add_start(n, w.starts.data());
    return ll;
  }
};

}  // namespace

void ExpectationWork::add(const ExpectationWork& other) {
  for (int d = 0; d < 2; ++d) {
    jump_counts[d].add(other.jump_counts[d]);
    log_likelihood[d] += other.log_likelihood[d];
    mass[d] += other.mass[d];
    distance[d] += other.distance[d];
    for (std::size_t w = 0; w < null_counts[d].size(); ++w) {
      null_counts[d][w] += other.null_counts[d][w];
    }
    for (std::size_t w = 0; w < stay_counts[d].size(); ++w) {
      for (int k = 0; k < 3; ++k) stay_counts[d][w][k] += other.stay_counts[d][w][k];
    }
  }
}

double diagonal_weights(int sources, int target, int targets, double tension,
                        std::vector<float>& weights) {
  weights.resize(sources);
  const double at = (target + 1.0) / targets;
  double sum = 0, distance = 0;
  for (int i = 0; i < sources; ++i) {
    const double away = std::abs((i + 1.0) / sources - at);
    const double w = std::exp(-tension * away);
    weights[i] = static_cast<float>(w);
    sum += w;
    distance += w * away;
  }
  for (float& w : weights) w = static_cast<float>(w / sum);
  return distance / sum;
}

bool expect(const Bitext& text, const Trained& trained, const TrainingSettings& settings,
            Stage stage, int pair, ExpectationWork& w) {
  const int lengths[2] = {text.length(0, pair), text.length(1, pair)};
  if (lengths[0] == 0 || lengths[1] == 0) return false;
  const Expectation e{text, trained, settings};
  e.gather(pair, w);
  for (int d = 0; d < 2; ++d) {
    const double ll = stage == Stage::kHmm ? e.expect_hmm(pair, d, w)
                      : stage == Stage::kModel1
                          ? e.expect_model1(lengths[d], lengths[1 - d], d, w)
                          : e.expect_diagonal(lengths[d], lengths[1 - d], d, w);
    if (!std::isfinite(ll)) return false;
    w.log_likelihood[d] += static_cast<std::int64_t>(ll * 1048576.0);
  }
  return true;
}

}  // namespace entente::alignment
