#include "tasks/roles/gram.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace entente::roles {

PairKernels::PairKernels(const RecognitionSet& set, double lambda) : support_(lambda) {
  for (const KernelTree& t : set.trees) support_.add_tree(t.tree);
  for (const RecognitionExample& e : set.data.examples) {
    support_.add_vector(e.sentence, e.predicate, e.argument, 1);
  }
  support_.finish();
  for (int g = 0; g < support_.groups(); ++g) {
    begin_.push_back(static_cast<int>(group_of_.size()));
    group_of_.insert(group_of_.end(), support_.group(g).vectors.size(), g);
  }
  // Of each example with itself: the weights of the marks tell the parts apart.
  KernelTables tables;
  for (const RecognitionExample& e : set.data.examples) {
    const LabelledTree& t = set.trees[e.sentence].tree;
    const Marks marks{e.predicate, e.argument};
    const auto with = [&](double p, double a) {
      return tree_kernel(t, marks, t, marks, {.lambda = lambda, .predicate = p, .argument = a},
                         tables);
    };
    KernelParts parts{with(1, 0), with(0, 1), 0};
    parts.both = with(1, 1) - parts.predicate - parts.argument;
    diagonal_.push_back(parts);
  }
}

namespace {
std::size_t place(int i, int j) {  // i >= j
  return static_cast<std::size_t>(i) * (static_cast<std::size_t>(i) + 1) / 2 + j;
}
constexpr double kSteps = 65535;
}  // namespace

Grams::Grams(const PairKernels& kernels, int size, std::vector<MarkWeights> weights, bool rounded,
             int threads, Monitor& monitor)
    : size_(size), triangles_(weights.size()) {
  for (std::size_t w = 0; w < weights.size(); ++w) {
    Triangle& t = triangles_[w];
    if (rounded) {
      t.rounded.resize(place(size, 0));
    } else {
      t.exact.resize(place(size, 0));
    }
    for (int i = 0; i < size; ++i) {
      t.scale.push_back(1 / std::sqrt(kernels.diagonal(i).value(weights[w])));
    }
  }
  threads = thread_count(threads);
  std::vector<std::unique_ptr<PairKernels::Work>> work(threads);
  for (auto& w : work) w = std::make_unique<PairKernels::Work>(kernels);
  monitor.stage("roles: kernels", kernels.groups());
  parallel_for(
      kernels.groups(), threads,
      [&](int g, int thread) {
        if (monitor.stopped()) return;
        kernels.rows(g, g, *work[thread], [&](int i, int j, const KernelParts& p) {
          if (j < i) return;  // within a group both orders come
          for (std::size_t w = 0; w < weights.size(); ++w) {
            Triangle& t = triangles_[w];
            const double k = p.value(weights[w]) * t.scale[i] * t.scale[j];
            if (rounded) {
              t.rounded[place(j, i)] =
                  static_cast<std::uint16_t>(std::clamp(k, 0.0, 1.0) * kSteps + 0.5);
            } else {
              t.exact[place(j, i)] = static_cast<float>(k);
            }
          }
        });
      },
      1);
}

void Grams::row(int which, int example, float* out) const {
  const Triangle& t = triangles_[which];
  const auto copy = [&](const auto* cells, float unit) {
    const auto* mine = cells + place(example, 0);
    for (int j = 0; j <= example; ++j) out[j] = unit * static_cast<float>(mine[j]);
    for (int j = example + 1; j < size_; ++j) {
      out[j] = unit * static_cast<float>(cells[place(j, example)]);
    }
  };
  if (t.exact.empty()) {
    copy(t.rounded.data(), static_cast<float>(1 / kSteps));
  } else {
    copy(t.exact.data(), 1);
  }
}

GramRows::GramRows(const PairKernels& kernels, int size, MarkWeights weights, int threads)
    : kernels_(kernels), size_(size), threads_(thread_count(threads)), weights_(weights) {
  for (int i = 0; i < size; ++i) {
    scale_.push_back(static_cast<float>(1 / std::sqrt(kernels.diagonal(i).value(weights))));
  }
  work_.push_back(std::make_unique<PairKernels::Work>(kernels));
}

void GramRows::together(int i, std::vector<int>& rows) {
  rows.clear();
  const int g = kernels_.group_of(i);
  for (int e = kernels_.begin(g); e < size_ && kernels_.group_of(e) == g; ++e) rows.push_back(e);
}

void GramRows::compute(std::span<const int> rows, std::span<float* const> out) {
  // Rows of one group come together; where some are there already the others are thrown away.
  for (std::size_t r = 0; r < rows.size();) {
    const int g = kernels_.group_of(rows[r]);
    std::size_t end = r;
    while (end < rows.size() && kernels_.group_of(rows[end]) == g) ++end;
    kernels_.rows(g, 0, *work_[0], [&](int i, int j, const KernelParts& p) {
      const auto at = std::lower_bound(rows.begin() + static_cast<std::ptrdiff_t>(r),
                                       rows.begin() + static_cast<std::ptrdiff_t>(end), i);
      if (at == rows.begin() + static_cast<std::ptrdiff_t>(end) || *at != i) return;
      out[static_cast<std::size_t>(at - rows.begin())][j] =
          static_cast<float>(p.value(weights_)) * scale_[i] * scale_[j];
    });
    r = end;
  }
}

UpdaterRows::UpdaterRows(const RecognitionSet& set, const KernelSettings& settings)
    : set_(set), settings_(settings) {
  KernelTables tables;
  for (const RecognitionExample& e : set.data.examples) {
    const LabelledTree& t = set.trees[e.sentence].tree;
    const Marks marks{e.predicate, e.argument};
    scale_.push_back(1 / std::sqrt(tree_kernel(t, marks, t, marks, settings, tables)));
  }
}

void UpdaterRows::together(int i, std::vector<int>& rows) {
  rows.clear();
  const std::vector<RecognitionExample>& all = set_.data.examples;
  const auto same = [&](int e) {
    return all[e].sentence == all[i].sentence && all[e].predicate == all[i].predicate;
  };
  int first = i;
  while (first > 0 && same(first - 1)) --first;
  for (int e = first; e < size() && same(e); ++e) rows.push_back(e);
}

void UpdaterRows::compute(std::span<const int> rows, std::span<float* const> out) {
  // Rows come by predicate: one update serves all of its nodes.
  const RecognitionExample& e = set_.data.examples[rows[0]];
  const LabelledTree& u = set_.trees[e.sentence].tree;
  sums_.resize(u.size());
  for (int j = 0; j < size(); ++j) {
    const RecognitionExample& f = set_.data.examples[j];
    updater_.scores(u, e.predicate, set_.trees[f.sentence].tree, {f.predicate, f.argument},
                    settings_, sums_);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      out[r][j] = static_cast<float>(sums_[set_.data.examples[rows[r]].argument] * scale_[rows[r]] *
                                     scale_[j]);
    }
  }
}

namespace {

class OwnedRows : public GramsRows {
 public:
  explicit OwnedRows(std::unique_ptr<Grams> grams) : GramsRows(*grams, 0), own_(std::move(grams)) {}

 private:
  std::unique_ptr<Grams> own_;
};

}  // namespace

std::unique_ptr<KernelRows> kernel_rows(const PairKernels& kernels, int size, MarkWeights weights,
                                        int threads, std::size_t bytes, Monitor& monitor) {
  for (const bool rounded : {false, true}) {
    if (Grams::bytes(size, rounded) > bytes) continue;
    return std::make_unique<OwnedRows>(std::make_unique<Grams>(
        kernels, size, std::vector<MarkWeights>{weights}, rounded, threads, monitor));
  }
  return std::make_unique<GramRows>(kernels, size, weights, threads);
}

}  // namespace entente::roles
