#include "tasks/roles/kernel_recognition.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

namespace {

std::vector<SupportVector> vectors_of(const RecognitionSet& set, const Svm& svm,
                                      const KernelSettings& settings,
                                      std::vector<LabelledTree>& trees) {
  KernelTables tables;
  std::vector<int> place(set.trees.size(), -1);
  std::vector<SupportVector> out;
  for (int i = 0; i < set.size(); ++i) {
    if (svm.weights[i] == 0) continue;
    const RecognitionExample& e = set.data.examples[i];
    const LabelledTree& t = set.trees[e.sentence].tree;
    const Marks marks{e.predicate, e.argument};
    const double alpha =
        svm.weights[i] / std::sqrt(tree_kernel(t, marks, t, marks, settings, tables));
    if (place[e.sentence] < 0) {
      place[e.sentence] = static_cast<int>(trees.size());
      trees.push_back(t);
    }
    out.push_back({place[e.sentence], marks, alpha});
  }
  return out;
}

}  // namespace

KernelRecognizer::KernelRecognizer(const RecognitionSet& set, const Svm& svm,
                                   const KernelSettings& settings)
    : settings_(settings), bias_(svm.bias), support_(settings.lambda) {
  std::vector<LabelledTree> trees;
  vectors_ = vectors_of(set, svm, settings, trees);
  *this = KernelRecognizer(trees, std::move(vectors_), settings, svm.bias);
}

KernelRecognizer::KernelRecognizer(std::span<const LabelledTree> trees,
                                   std::vector<SupportVector> vectors,
                                   const KernelSettings& settings, double bias)
    : settings_(settings),
      bias_(bias),
      trees_(static_cast<int>(trees.size())),
      vectors_(std::move(vectors)),
      support_(settings.lambda) {
  for (const LabelledTree& t : trees) support_.add_tree(t);
  for (const SupportVector& v : vectors_) {
    support_.add_vector(v.tree, v.marks.predicate, v.marks.argument, v.alpha);
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
    work.query.add_scores({settings_.predicate, settings_.argument}, out);
  } else {
    work.sums.resize(n);
    for (const SupportVector& v : vectors_) {
      const LabelledTree& t = support_.tree(v.tree);
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
  std::vector<double>& raw = work.raw;
  raw.assign(n, -std::numeric_limits<double>::infinity());
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
