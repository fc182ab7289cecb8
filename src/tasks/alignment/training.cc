#include "tasks/alignment/training.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <string>

#include "base/parallel.h"
#include "base/text.h"
#include "tasks/alignment/expectation.h"
#include "tasks/alignment/spelling.h"

namespace entente::alignment {

namespace {

constexpr double kUnit = 4294967296.0;  // of counts
constexpr float kLeastCount = 1e-6f;    // posteriors below are not counted
constexpr double kLeastT = 1e-12;       // so that no word of the texts is impossible
constexpr int kBlock = 256;             // pairs a thread takes at a time

// exp(digamma(x)), to 1e-6 of itself or so: the effective count of variational Bayes.
double exp_digamma(double x) {
  double shift = 0;
  while (x < 6) {
    shift -= 1 / x;
    x += 1;
  }
  const double f = 1 / (x * x);
  return std::exp(shift + std::log(x) - 0.5 / x -
                  f * (1.0 / 12 - f * (1.0 / 120 - f * (1.0 / 252 - f / 240))));
}

// Variational Bayes has a prior of its own.
SpellingSettings spelling_settings(const TrainingSettings& s) {
  return s.prior > 0 ? SpellingSettings{} : SpellingSettings{s.letters, s.backoff, s.alike};
}

class Trainer {
 public:
  Trainer(const Bitext& text, const TrainingSettings& settings, Monitor& monitor)
      : text_(text),
        settings_(settings),
        monitor_(monitor),
        out_(text),
        spelling_(text, out_.table, spelling_settings(settings)) {
    out_.t.assign(out_.table.entries(), {1, 1});
    out_.counts.resize(out_.table.entries());
    for (int d = 0; d < 2; ++d) {
      null_counts_[d].resize(text.vocabulary(1 - d).size());
      out_.null[d].assign(text.vocabulary(1 - d).size(),
                          1.0f / static_cast<float>(std::max(1, text.vocabulary(1 - d).size())));
      if (settings.classes > 0) out_.classes[d] = frequent_classes(d);
      out_.no_source[d] = static_cast<float>(settings.null);
      if (settings.stay > 0 && settings.classes > 0) {
        out_.stays[d].assign(text.vocabulary(d).size(), 1.0f);
        stay_counts_[d].resize(text.vocabulary(d).size());
      }
      out_.jumps[d] = Jumps(settings.classes > 0 ? settings.classes + 1 : 1);
    }
    uniform();
  }

  Trained run() {
    for (int r = 1; r <= settings_.model1 && !monitor_.stopped(); ++r)
      round(Stage::kModel1, "model 1", r);
    for (int r = 1; r <= settings_.diagonal && !monitor_.stopped(); ++r) {
      round(Stage::kDiagonal, "diagonal", r);
    }
    for (int r = 1; r <= settings_.hmm && !monitor_.stopped(); ++r) round(Stage::kHmm, "HMM", r);
    return std::move(out_);
  }

 private:
  // Every word is made by every other of its pair's with the same probability.
  void uniform() {
    for (int w = 0; w < text_.vocabulary(0).size(); ++w) {
      const auto [begin, end] = out_.table.row(w);
      for (std::uint32_t k = begin; k < end; ++k)
        out_.t[k][0] = 1.0f / static_cast<float>(end - begin);
    }
    std::vector<int> partners(text_.vocabulary(1).size());
    for (std::size_t k = 0; k < out_.table.entries(); ++k) ++partners[out_.table.column(k)];
    for (std::size_t k = 0; k < out_.table.entries(); ++k) {
      out_.t[k][1] = 1.0f / static_cast<float>(partners[out_.table.column(k)]);
    }
  }

  // The most frequent words each get a class, all others share the last.
  std::vector<std::int32_t> frequent_classes(int side) const {
    std::vector<std::int64_t> seen(text_.vocabulary(side).size());
    for (const std::int32_t w : text_.all_words(side)) ++seen[w];
    std::vector<std::int32_t> order(seen.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return seen[a] > seen[b]; });
    std::vector<std::int32_t> classes(seen.size(), settings_.classes);
    for (int k = 0; k < std::min(settings_.classes, static_cast<int>(order.size())); ++k) {
      classes[order[k]] = k;
    }
    return classes;
  }

  void round(Stage stage, const char* model, int number) {
    const int pairs = text_.size(), blocks = (pairs + kBlock - 1) / kBlock;
    monitor_.stage("alignment, " + std::string(model) + ", round " + std::to_string(number), pairs);
    std::fill(out_.counts.begin(), out_.counts.end(), std::array<std::uint64_t, 2>{});
    for (auto& counts : null_counts_) std::fill(counts.begin(), counts.end(), 0);
    for (auto& counts : stay_counts_)
      std::fill(counts.begin(), counts.end(), std::array<std::uint64_t, 3>{});
    hmm_ = stage == Stage::kHmm;
    const int threads = thread_count(settings_.threads);
    std::vector<ExpectationWork> workers(
        threads, ExpectationWork({out_.jumps[0].classes(), out_.jumps[1].classes()}));
    std::mutex told;
    parallel_for(
        blocks, threads,
        [&](int block, int thread) {
          const int begin = block * kBlock, end = std::min(pairs, begin + kBlock);
          if (monitor_.stopped()) return;
          for (int p = begin; p < end; ++p) {
            if (expect(text_, out_, settings_, stage, p, workers[thread]))
              count(p, workers[thread]);
          }
          const std::lock_guard lock(told);
          monitor_.advance(end - begin);
        },
        1);
    if (monitor_.stopped()) return;
    for (int t = 1; t < threads; ++t) {
      for (int d = 0; d < 2; ++d) {
        workers[0].jump_counts[d].add(workers[t].jump_counts[d]);
        workers[0].log_likelihood[d] += workers[t].log_likelihood[d];
        workers[0].mass[d] += workers[t].mass[d];
        workers[0].distance[d] += workers[t].distance[d];
      }
    }
    tell(model, number, workers[0]);
    maximize(stage, workers[0]);
  }

  void tell(const char* model, int number, const ExpectationWork& sums) {
    Round r{.model = model, .number = number};
    for (int d = 0; d < 2; ++d) {
      const double words = std::max(1.0, static_cast<double>(text_.all_words(1 - d).size()));
      r.perplexity[d] = std::exp(-static_cast<double>(sums.log_likelihood[d]) / 1048576.0 / words);
    }
    r.agreement = sums.mass[0] > 0
                      ? static_cast<double>(sums.mass[1]) / static_cast<double>(sums.mass[0])
                      : 0;
    out_.rounds.push_back(r);
    std::string line = std::string(model) + ", round " + std::to_string(number) + ": perplexity ";
    const auto number_text = [](double x) {
      char text[32];
      std::snprintf(text, sizeof text, "%.3f", x);
      return std::string(text);
    };
    line += number_text(r.perplexity[0]) + " and " + number_text(r.perplexity[1]) + ", agreement " +
            number_text(r.agreement);
    monitor_.say(line);
  }

  void count(int p, ExpectationWork& w) {
    const int n = text_.length(0, p), m = text_.length(1, p);
    const bool shared = thread_count(settings_.threads) > 1;
    const std::uint32_t* cell = out_.table.cells(p);
    float own = 0, both = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < m; ++j) {
        float c0 = w.posterior[0][static_cast<std::size_t>(j) * n + i];
        float c1 = w.posterior[1][static_cast<std::size_t>(i) * m + j];
        own += 0.5f * (c0 + c1);
        both += std::min(c0, c1);
        if (settings_.agreement) c0 = c1 = c0 * c1;
        if (c0 < kLeastCount && c1 < kLeastCount) continue;
        std::array<std::uint64_t, 2>& to = out_.counts[cell[i * m + j]];
        add(to[0], c0, shared);
        add(to[1], c1, shared);
      }
    }
    w.mass[0] += JumpCounts::fixed(own);
    w.mass[1] += JumpCounts::fixed(both);
    for (int d = 0; d < 2; ++d) {
      const auto targets = text_.words(1 - d, p);
      for (std::size_t k = 0; k < targets.size(); ++k) {
        add(null_counts_[d][targets[k]], w.null_posterior[d][k], shared);
      }
      if (hmm_ && !out_.stays[d].empty()) {
        const auto sources = text_.words(d, p);
        for (std::size_t i = 0; i < sources.size(); ++i) {
          for (int k = 0; k < 3; ++k)
            add(stay_counts_[d][sources[i]][k], w.stayed[d][i][k], shared);
        }
      }
    }
  }

  static void add(std::uint64_t& to, float x, bool shared) {
    const auto units = static_cast<std::uint64_t>(static_cast<double>(x) * kUnit);
    if (shared) {
      std::atomic_ref<std::uint64_t>(to).fetch_add(units, std::memory_order_relaxed);
    } else {
      to += units;
    }
  }

  void maximize(Stage stage, const ExpectationWork& sums) {
    const int rows = text_.vocabulary(0).size(), columns = text_.vocabulary(1).size();
    std::vector<std::uint64_t> column_sum(columns);
    std::vector<std::uint32_t> column_size(columns);
    for (std::size_t k = 0; k < out_.table.entries(); ++k) {
      column_sum[out_.table.column(k)] += out_.counts[k][1];
      ++column_size[out_.table.column(k)];
    }
    std::vector<double> column_scale(columns);
    for (int c = 0; c < columns; ++c) {
      column_scale[c] = scale_of(static_cast<double>(column_sum[c]) / kUnit, column_size[c]);
    }
    const double prior = settings_.prior;
    const double unseen = prior > 0 ? exp_digamma(prior) : 0;
    const auto effective = [&](std::uint64_t count) {
      if (count == 0) return unseen;
      const double c = static_cast<double>(count) / kUnit;
      return prior > 0 ? exp_digamma(c + prior) : c;
    };
    parallel_for(rows, thread_count(settings_.threads), [&](int w, int) {
      const auto [begin, end] = out_.table.row(w);
      std::uint64_t sum = 0;
      for (std::uint32_t k = begin; k < end; ++k) sum += out_.counts[k][0];
      const double scale = scale_of(static_cast<double>(sum) / kUnit, end - begin);
      for (std::uint32_t k = begin; k < end; ++k) {
        const double t0 = effective(out_.counts[k][0]) * scale;
        const double t1 = effective(out_.counts[k][1]) * column_scale[out_.table.column(k)];
        out_.t[k] = {static_cast<float>(std::max(t0, kLeastT)),
                     static_cast<float>(std::max(t1, kLeastT))};
      }
    });
    if (spelling_.used()) spelling_.smooth(out_.counts, kUnit, kLeastT, out_.t);
    for (int d = 0; d < 2; ++d) {
      std::uint64_t sum = 0;
      for (const std::uint64_t c : null_counts_[d]) sum += c;
      const double scale = scale_of(static_cast<double>(sum) / kUnit, null_counts_[d].size());
      for (std::size_t k = 0; k < null_counts_[d].size() && sum > 0; ++k) {
        out_.null[d][k] =
            static_cast<float>(std::max(effective(null_counts_[d][k]) * scale, kLeastT));
      }
      if (stage == Stage::kHmm && settings_.learn_null) {
        const double share = static_cast<double>(sum) / kUnit /
                             std::max(1.0, static_cast<double>(text_.all_words(1 - d).size()));
        out_.no_source[d] = static_cast<float>(std::clamp(share, 0.01, 0.5));
      }
      if (stage == Stage::kDiagonal)
        out_.tension[d] = fitted_tension(text_, d, out_.tension[d],
                                         static_cast<double>(sums.distance[d]) / 1048576);
      if (stage == Stage::kHmm) out_.jumps[d].maximize(sums.jump_counts[d], settings_.strength);
      if (stage == Stage::kHmm) maximize_stays(d);
    }
  }

  // The odds of staying, beside those of the word's class.
  void maximize_stays(int d) {
    for (std::size_t w = 0; w < out_.stays[d].size(); ++w) {
      double seen[3];
      for (int k = 0; k < 3; ++k) seen[k] = static_cast<double>(stay_counts_[d][w][k]) / kUnit;
      out_.stays[d][w] = stay_factor(seen[0], seen[1], seen[2], settings_.stay);
    }
  }

  double scale_of(double sum, std::size_t size) const {
    const double prior = settings_.prior;
    if (prior > 0) return 1 / exp_digamma(sum + prior * static_cast<double>(size));
    return sum > 0 ? 1 / sum : 0;
  }

  const Bitext& text_;
  const TrainingSettings& settings_;
  Monitor& monitor_;
  Trained out_;
  Spelling spelling_;
  std::array<std::vector<std::uint64_t>, 2> null_counts_;
  std::array<std::vector<std::array<std::uint64_t, 3>>, 2> stay_counts_;
  bool hmm_ = false;
};

}  // namespace

Trained train(const Bitext& text, const TrainingSettings& settings, Monitor& monitor) {
  return Trainer(text, settings, monitor).run();
}

}  // namespace entente::alignment
