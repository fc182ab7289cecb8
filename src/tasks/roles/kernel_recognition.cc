#include "tasks/roles/kernel_recognition.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"

namespace entente::roles {

RecognitionSet RecognitionSet::of(std::span<const propbank::PropSentence> sentences, int share,
                                  std::uint64_t seed) {
  RecognitionSet out;
  for (const propbank::PropSentence& s : sentences) {
    out.trees.push_back(kernel_tree(s, out.names, true));
  }
  out.data = recognition_examples(sentences, out.trees, share, seed);
  return out;
}

std::vector<int> RecognitionSet::labels() const {
  std::vector<int> out;
  for (const RecognitionExample& e : data.examples) out.push_back(e.label);
  return out;
}

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

PartsMatrix::PartsMatrix(const PairKernels& kernels, int size, int threads, Monitor& monitor)
    : size_(size) {
  const std::size_t cells = static_cast<std::size_t>(size) * size;
  predicate_.resize(cells);
  argument_.resize(cells);
  both_.resize(cells);
  threads = thread_count(threads);
  std::vector<std::unique_ptr<PairKernels::Work>> work(threads);
  for (auto& w : work) w = std::make_unique<PairKernels::Work>(kernels);
  monitor.stage("roles: kernels", kernels.groups());
  parallel_for(
      kernels.groups(), threads,
      [&](int g, int thread) {
        kernels.rows(g, g, *work[thread], [&](int i, int j, const KernelParts& p) {
          for (const auto& [a, b] : {std::pair{i, j}, std::pair{j, i}}) {
            const std::size_t at = static_cast<std::size_t>(a) * size_ + b;
            predicate_[at] = static_cast<float>(p.predicate);
            argument_[at] = static_cast<float>(p.argument);
            both_[at] = static_cast<float>(p.both);
          }
        });
      },
      1);
}

PartsRows::PartsRows(const PartsMatrix& parts, MarkWeights weights)
    : parts_(parts), weights_(weights) {
  for (int i = 0; i < parts.size(); ++i) {
    scale_.push_back(static_cast<float>(1 / std::sqrt(parts.at(i, i).value(weights))));
  }
}

void PartsRows::compute(std::span<const int> rows, std::span<float* const> out) {
  const auto p = static_cast<float>(weights_.predicate), a = static_cast<float>(weights_.argument);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t at = static_cast<std::size_t>(rows[r]) * parts_.size_;
    const float* predicate = parts_.predicate_.data() + at;
    const float* argument = parts_.argument_.data() + at;
    const float* both = parts_.both_.data() + at;
    const float mine = scale_[rows[r]];
    for (int j = 0; j < parts_.size_; ++j) {
      out[r][j] = mine * scale_[j] * (p * predicate[j] + a * argument[j] + p * a * both[j]);
    }
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

KernelRecognizer::KernelRecognizer(const RecognitionSet& set, const Svm& svm, double lambda,
                                   MarkWeights weights)
    : set_(set),
      settings_{.lambda = lambda, .predicate = weights.predicate, .argument = weights.argument},
      weights_(weights),
      bias_(svm.bias),
      support_(lambda) {
  KernelTables tables;
  std::vector<int> place(set.trees.size(), -1);
  for (int i = 0; i < set.size(); ++i) {
    if (svm.weights[i] == 0) continue;
    const RecognitionExample& e = set.data.examples[i];
    const LabelledTree& t = set.trees[e.sentence].tree;
    const Marks marks{e.predicate, e.argument};
    const double alpha =
        svm.weights[i] / std::sqrt(tree_kernel(t, marks, t, marks, settings_, tables));
    if (place[e.sentence] < 0) place[e.sentence] = support_.add_tree(t);
    support_.add_vector(place[e.sentence], e.predicate, e.argument, alpha);
    vectors_.push_back({e.sentence, marks, alpha});
  }
  support_.finish();
}

void KernelRecognizer::prepare(const KernelTree& tree, Recognise way, Work& work) const {
  if (way == Recognise::kOurs) work.query.set_tree(tree.tree);
}

void KernelRecognizer::scores(const KernelTree& tree, int predicate, Recognise way, Work& work,
                              std::vector<double>& out) const {
  const LabelledTree& u = tree.tree;
  const std::size_t n = u.size();
  const std::int64_t cells_before = work.tables.cells + work.updater.cells() + work.query.cells();
  out.assign(n, 0.0);
  if (way == Recognise::kOurs) {
    work.query.set_predicate(predicate);
    work.query.add_scores(weights_, out);
  } else {
    work.sums.resize(n);
    for (const Vector& v : vectors_) {
      const LabelledTree& t = set_.trees[v.tree].tree;
      if (way == Recognise::kUpdate) {
        work.updater.scores(u, predicate, t, v.marks, settings_, work.sums);
        for (int k : tree.candidates) out[k] += v.alpha * work.sums[k];
      } else {
        work.tables.prepare(u, t);
        for (int k : tree.candidates) {
          if (k == predicate) continue;
          out[k] +=
              v.alpha * tree_kernel_again(u, {predicate, k}, t, v.marks, settings_, work.tables);
        }
      }
    }
  }
  work.cells += work.tables.cells + work.updater.cells() + work.query.cells() - cells_before;
  // The sentence's side of the normalisation, the same for all ways.
  std::vector<double> raw(n, -std::numeric_limits<double>::infinity());
  work.tables.prepare(u, u);
  for (int k : tree.candidates) {
    if (k == predicate) continue;
    const double self =
        tree_kernel_again(u, {predicate, k}, u, {predicate, k}, settings_, work.tables);
    // A node of which nothing is known has a label of its own: its kernel is that of the mark.
    raw[k] = (self > 0 ? out[k] / std::sqrt(self) : 0) + bias_;
  }
  out.swap(raw);
}

}  // namespace entente::roles
