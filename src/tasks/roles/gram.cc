#include "tasks/roles/gram.h"

#include <algorithm>
#include <cmath>
#include <map>

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
  std::map<std::pair<int, int>, int> number;
  for (int g = 0; g < support_.groups(); ++g) {
    const SupportTrees::Group& group = support_.group(g);
    const LabelledTree& t = support_.tree(group.tree);
    for (const SupportTrees::Vector& v : group.vectors) {
      const std::pair<int, int> labels(t.label(group.predicate), t.label(v.node));
      const auto [at, fresh] = number.try_emplace(labels, kinds());
      if (fresh) kinds_.push_back(labels);
      kind_of_.push_back(at->second);
    }
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

constexpr double kSteps = 65535;

// Of each kind: the examples that it may meet, in order.
std::vector<std::vector<std::int32_t>> columns_of(const PairKernels& kernels, int size) {
  std::vector<std::vector<std::int32_t>> members(kernels.kinds()), out(kernels.kinds());
  for (int i = 0; i < size; ++i) members[kernels.kind(i)].push_back(i);
  for (int k = 0; k < kernels.kinds(); ++k) {
    for (int o = 0; o < kernels.kinds(); ++o) {
      if (!kernels.may_meet(k, o)) continue;
      out[k].insert(out[k].end(), members[o].begin(), members[o].end());
    }
    std::sort(out[k].begin(), out[k].end());
  }
  return out;
}

std::int32_t rank_in(const std::vector<std::int32_t>& columns, int example) {
  return static_cast<std::int32_t>(std::lower_bound(columns.begin(), columns.end(), example) -
                                   columns.begin());
}

}  // namespace

std::size_t Grams::bytes(const PairKernels& kernels, int size, bool rounded) {
  const auto columns = columns_of(kernels, size);
  std::size_t pairs = 0;  // in both orders, and each example with itself
  for (int i = 0; i < size; ++i) pairs += columns[kernels.kind(i)].size();
  return (pairs + static_cast<std::size_t>(size)) / 2 * (rounded ? 2 : 4);
}

Grams::Grams(const PairKernels& kernels, int size, std::vector<MarkWeights> weights, bool rounded,
             int threads, Monitor& monitor)
    : columns_(columns_of(kernels, size)), triangles_(weights.size()) {
  std::size_t cells = 0;
  for (int i = 0; i < size; ++i) {
    const std::vector<std::int32_t>& columns = columns_[kernels.kind(i)];
    kind_of_.push_back(kernels.kind(i));
    rank_.push_back(rank_in(columns, i));
    begin_.push_back(cells);
    cells += columns.size() - static_cast<std::size_t>(rank_.back());
  }
  for (std::size_t w = 0; w < weights.size(); ++w) {
    Triangle& t = triangles_[w];
    if (rounded) {
      t.rounded.resize(cells);
    } else {
      t.exact.resize(cells);
    }
    for (int i = 0; i < size; ++i) {
      t.scale.push_back(1 / std::sqrt(kernels.diagonal(i).value(weights[w])));
    }
  }
  threads = thread_count(threads);
  std::vector<std::unique_ptr<PairKernels::Work>> work(threads);
  for (auto& w : work) w = std::make_unique<PairKernels::Work>(kernels);
  std::vector<std::size_t> next = begin_;  // columns of a row come in order
  monitor.stage("roles: kernels", kernels.groups());
  parallel_for(
      kernels.groups(), threads,
      [&](int g, int thread) {
        if (monitor.stopped()) return;
        kernels.rows(g, g, *work[thread], [&](int i, int j, const KernelParts& p) {
          // Within a group both orders come.
          if (j < i || !kernels.may_meet(kind_of_[i], kind_of_[j])) return;
          const std::size_t cell = next[i]++;
          for (std::size_t w = 0; w < weights.size(); ++w) {
            Triangle& t = triangles_[w];
            const double k = p.value(weights[w]) * t.scale[i] * t.scale[j];
            if (rounded) {
              t.rounded[cell] = static_cast<std::uint16_t>(std::clamp(k, 0.0, 1.0) * kSteps + 0.5);
            } else {
              t.exact[cell] = static_cast<float>(k);
            }
          }
        });
        monitor.advance(1);
      },
      1);
}

template <typename Cell>
void Grams::copy_row(const std::vector<Cell>& cells, float unit, int example, float* out) const {
  std::fill(out, out + size(), 0.0f);
  const std::vector<std::int32_t>& columns = columns_[kind_of_[example]];
  // Before the example: its place in rows of other kinds is the same for all rows of a kind.
  std::vector<std::int32_t> place(columns_.size(), -1);
  const std::size_t mine = static_cast<std::size_t>(rank_[example]);
  for (std::size_t c = 0; c < mine; ++c) {
    const std::int32_t j = columns[c];
    std::int32_t& at = place[kind_of_[j]];
    if (at < 0) at = rank_in(columns_[kind_of_[j]], example);
    out[j] = unit * static_cast<float>(cells[begin_[j] + static_cast<std::size_t>(at - rank_[j])]);
  }
  const Cell* const own = cells.data() + begin_[example];
  for (std::size_t c = mine; c < columns.size(); ++c) {
    out[columns[c]] = unit * static_cast<float>(own[c - mine]);
  }
}

void Grams::row(int which, int example, float* out) const {
  const Triangle& t = triangles_[which];
  if (t.exact.empty()) {
    copy_row(t.rounded, static_cast<float>(1 / kSteps), example, out);
  } else {
    copy_row(t.exact, 1, example, out);
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
    if (Grams::bytes(kernels, size, rounded) > bytes) continue;
    return std::make_unique<OwnedRows>(std::make_unique<Grams>(
        kernels, size, std::vector<MarkWeights>{weights}, rounded, threads, monitor));
  }
  return std::make_unique<GramRows>(kernels, size, weights, threads);
}

}  // namespace entente::roles
