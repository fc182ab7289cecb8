#include "tasks/alignment/training.h"

#include <algorithm>
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

constexpr float kLeastCount = 1e-6f;  // posteriors below are not counted
constexpr double kLeastT = 1e-12;     // so that no word of the texts is impossible
constexpr int kBlock = 256;           // pairs a thread takes at a time

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
        out_(text, thread_count(settings.threads)),
        spelling_(text, out_.table, spelling_settings(settings), thread_count(settings.threads)) {
    out_.t.resize(out_.table.entries());  // uniform() sets them
    out_.counts = LinkCounts(out_.table.entries(), settings.agreement);
    for (int d = 0; d < 2; ++d) {
      out_.null[d].assign(text.vocabulary(1 - d).size(),
                          1.0f / static_cast<float>(std::max(1, text.vocabulary(1 - d).size())));
      if (settings.classes > 0) out_.classes[d] = frequent_classes(d);
      out_.no_source[d] = static_cast<float>(settings.null);
      if (settings.stay > 0 && settings.classes > 0) {
        out_.stays[d].assign(text.vocabulary(d).size(), 1.0f);
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
    const int threads = thread_count(settings_.threads), columns = text_.vocabulary(1).size();
    std::vector<std::vector<std::int32_t>> partners(threads, std::vector<std::int32_t>(columns));
    const auto each_row = [&](auto body) {
      parallel_for(text_.vocabulary(0).size(), threads, [&](int w, int thread) {
        const auto [begin, end] = out_.table.row(w);
        for (std::uint32_t k = begin; k < end; ++k) body(k, end - begin, thread);
      });
    };
    each_row([&](std::uint32_t k, std::uint32_t size, int thread) {
      out_.t[k][0] = 1.0f / static_cast<float>(size);
      ++partners[thread][out_.table.column(k)];
    });
    for (int t = 1; t < threads; ++t) {
      for (int c = 0; c < columns; ++c) partners[0][c] += partners[t][c];
    }
    each_row([&](std::uint32_t k, std::uint32_t, int) {
      out_.t[k][1] = 1.0f / static_cast<float>(partners[0][out_.table.column(k)]);
    });
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
    hmm_ = stage == Stage::kHmm;
    const int threads = thread_count(settings_.threads);
    out_.counts.clear(threads);
    std::vector<ExpectationWork> workers(threads, empty_work());
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
    for (int t = 1; t < threads; ++t) workers[0].add(workers[t]);
    tell(model, number, workers[0]);
    maximize(stage, workers[0]);
  }

  ExpectationWork empty_work() const {
    ExpectationWork work({out_.jumps[0].classes(), out_.jumps[1].classes()});
    for (int d = 0; d < 2; ++d) {
      work.null_counts[d].resize(text_.vocabulary(1 - d).size());
      if (hmm_) work.stay_counts[d].resize(out_.stays[d].size());
    }
    return work;
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
    const std::uint32_t* cell = out_.table.cells(p);
    float own = 0, both = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < m; ++j) {
        float c0 = w.posterior[0][static_cast<std::size_t>(j) * n + i];
        float c1 = w.posterior[1][static_cast<std::size_t>(i) * m + j];
        own += 0.5f * (c0 + c1);
        both += std::min(c0, c1);
        if (settings_.agreement) c0 = c1 = c0 * c1;
        if (c0 >= kLeastCount || c1 >= kLeastCount)
          out_.counts.add(w.links, cell[i * m + j], c0, c1);
      }
    }
    w.mass[0] += JumpCounts::fixed(own);
    w.mass[1] += JumpCounts::fixed(both);
    for (int d = 0; d < 2; ++d) {
      const auto targets = text_.words(1 - d, p);
      for (std::size_t k = 0; k < targets.size(); ++k) {
        w.null_counts[d][targets[k]] += count_units(w.null_posterior[d][k]);
      }
      if (w.stay_counts[d].empty()) continue;
      const auto sources = text_.words(d, p);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
          w.stay_counts[d][sources[i]][k] += count_units(w.stayed[d][i][k]);
        }
      }
    }
    out_.counts.finish(w.links, thread_count(settings_.threads) > 1);
  }

  void maximize(Stage stage, const ExpectationWork& sums) {
    const auto columns = out_.counts.column_sums(out_.table, text_.vocabulary(1).size(),
                                                 thread_count(settings_.threads));
    if (spelling_.used()) {
      spelling_.smooth(out_.counts, columns, kLeastT, thread_count(settings_.threads), out_.t);
    } else {
      maximize_words(columns);
    }
    for (int d = 0; d < 2; ++d) {
      const std::vector<std::uint64_t>& null = sums.null_counts[d];
      const std::uint64_t sum = std::accumulate(null.begin(), null.end(), std::uint64_t{0});
      const double scale = scale_of(static_cast<double>(sum) / kCountUnit, null.size());
      for (std::size_t k = 0; k < null.size() && sum > 0; ++k) {
        out_.null[d][k] = static_cast<float>(std::max(effective(null[k]) * scale, kLeastT));
      }
      if (stage == Stage::kHmm && settings_.learn_null) {
        const double share = static_cast<double>(sum) / kCountUnit /
                             std::max(1.0, static_cast<double>(text_.all_words(1 - d).size()));
        out_.no_source[d] = static_cast<float>(std::clamp(share, 0.01, 0.5));
      }
      if (stage == Stage::kDiagonal)
        out_.tension[d] = fitted_tension(text_, d, out_.tension[d],
                                         static_cast<double>(sums.distance[d]) / 1048576);
      if (stage == Stage::kHmm) out_.jumps[d].maximize(sums.jump_counts[d], settings_.strength);
      if (stage == Stage::kHmm) maximize_stays(d, sums);
    }
  }

  // t of both directions by the counts alone.
  void maximize_words(const std::vector<std::array<std::uint64_t, 2>>& column_sums) {
    const int rows = text_.vocabulary(0).size(), columns = text_.vocabulary(1).size();
    std::vector<std::uint32_t> column_size(columns);
    for (std::size_t k = 0; k < out_.table.entries(); ++k) ++column_size[out_.table.column(k)];
    std::vector<double> column_scale(columns);
    for (int c = 0; c < columns; ++c) {
      column_scale[c] =
          scale_of(static_cast<double>(column_sums[c][1]) / kCountUnit, column_size[c]);
    }
    parallel_for(rows, thread_count(settings_.threads), [&](int w, int) {
      const auto [begin, end] = out_.table.row(w);
      std::uint64_t sum = 0;
      for (std::uint32_t k = begin; k < end; ++k) sum += out_.counts.units(k, 0);
      const double scale = scale_of(static_cast<double>(sum) / kCountUnit, end - begin);
      for (std::uint32_t k = begin; k < end; ++k) {
        const double t0 = effective(out_.counts.units(k, 0)) * scale;
        const double t1 = effective(out_.counts.units(k, 1)) * column_scale[out_.table.column(k)];
        out_.t[k] = {static_cast<float>(std::max(t0, kLeastT)),
                     static_cast<float>(std::max(t1, kLeastT))};
      }
    });
  }

  // The odds of staying, beside those of the word's class.
  void maximize_stays(int d, const ExpectationWork& sums) {
    for (std::size_t w = 0; w < out_.stays[d].size(); ++w) {
      double seen[3];
      for (int k = 0; k < 3; ++k) {
        seen[k] = static_cast<double>(sums.stay_counts[d][w][k]) / kCountUnit;
      }
      out_.stays[d][w] = stay_factor(seen[0], seen[1], seen[2], settings_.stay);
    }
  }

  // A count as variational Bayes sees it, or as it is.
  double effective(std::uint64_t units) const {
    if (units == 0) return unseen_;
    const double c = static_cast<double>(units) / kCountUnit;
    return settings_.prior > 0 ? exp_digamma(c + settings_.prior) : c;
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
  const double unseen_ = settings_.prior > 0 ? exp_digamma(settings_.prior) : 0;
  bool hmm_ = false;
};

}  // namespace

Trained train(const Bitext& text, const TrainingSettings& settings, Monitor& monitor) {
  return Trainer(text, settings, monitor).run();
}

}  // namespace entente::alignment
