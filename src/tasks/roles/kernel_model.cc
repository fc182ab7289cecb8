#include "tasks/roles/kernel_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "entente/error.h"
#include "tasks/roles/gram.h"

namespace entente::roles {

namespace {

struct StoredVector {
  double alpha;
  std::int32_t tree, predicate, argument, unused;
};

// Every tree: its number of nodes, then label and number of children of each, in post-order.
std::vector<std::int32_t> stored_trees(const KernelRecognizer& recognizer) {
  std::vector<std::int32_t> out;
  for (int t = 0; t < recognizer.trees(); ++t) {
    const LabelledTree& tree = recognizer.tree(t);
    out.push_back(tree.size());
    for (int n = 0; n < tree.size(); ++n) {
      out.push_back(tree.label(n));
      out.push_back(static_cast<std::int32_t>(tree.children(n).size()));
    }
  }
  return out;
}

std::vector<LabelledTree> read_trees(const ModelFile& file, int labels) {
  const auto fail = [&] { file.fail("section \"roles/kernel/trees\" is damaged"); };
  const std::span<const std::int32_t> numbers = file.array<std::int32_t>("roles/kernel/trees");
  std::vector<LabelledTree> out;
  std::vector<int> open;
  for (std::size_t at = 0; at < numbers.size();) {
    const std::int32_t size = numbers[at++];
    if (size < 1 || static_cast<std::size_t>(size) > (numbers.size() - at) / 2) fail();
    LabelledTree& tree = out.emplace_back();
    open.clear();
    for (std::int32_t n = 0; n < size; ++n, at += 2) {
      const std::int32_t label = numbers[at], children = numbers[at + 1];
      if (label < 0 || label >= labels || children < 0 ||
          static_cast<std::size_t>(children) > open.size()) {
        fail();
      }
      const std::vector<int> below(open.end() - children, open.end());
      open.resize(open.size() - below.size());
      open.push_back(tree.add(label, below));
    }
    if (open.size() != 1) fail();
    tree.finish();
  }
  return out;
}

// Platt's sigmoid on sentences that were not learned from; the paper's where there are none.
Sigmoid fit_on(std::span<const propbank::PropSentence> held, const KernelRecognizer& recognizer,
               TreeLabels names) {
  KernelRecognizer::Work work(recognizer);
  std::vector<double> all, scores;
  std::vector<int> labels;
  for (const propbank::PropSentence& s : held) {
    if (s.tree.empty() || s.propositions.empty()) continue;
    const KernelTree tree = kernel_tree(s, names, true);
    const std::vector<KernelTree> one = {tree};
    const RecognitionData data = recognition_examples(std::span(&s, 1), one, 1, 1);
    recognizer.prepare(tree, Recognise::kOurs, work);
    int predicate = -1;
    for (const RecognitionExample& e : data.examples) {
      if (e.predicate != predicate) {
        recognizer.scores(tree, e.predicate, Recognise::kOurs, work, scores);
        predicate = e.predicate;
      }
      all.push_back(scores[e.argument]);
      labels.push_back(e.label);
    }
  }
  const bool both = std::count(labels.begin(), labels.end(), 1) > 20 &&
                    std::count(labels.begin(), labels.end(), -1) > 20;
  return both ? fit_sigmoid(all, labels) : Sigmoid{};
}

}  // namespace

bool train_kernel(std::span<const propbank::PropSentence> sentences, const KernelTraining& options,
                  ModelWriter& writer, Monitor& monitor) {
  const std::size_t count = options.sentences == 0
                                ? sentences.size()
                                : std::min<std::size_t>(sentences.size(), options.sentences);
  const std::span<const propbank::PropSentence> mine = sentences.first(count);
  for (const propbank::PropSentence& s : mine) {
    if (s.tree.empty()) {
      throw Error(fmt::format(
          "the sentence at line {} has no phrase tree; --learner kernel needs one", s.line));
    }
  }
  const RecognitionSet set = RecognitionSet::of(mine, options.share, options.seed);
  const KernelSettings settings{
      .lambda = options.lambda, .predicate = options.beta, .argument = options.beta};
  const PairKernels kernels(set, options.lambda);
  const std::vector<int> labels = set.labels();
  const MarkWeights weights{options.beta, options.beta};
  const std::unique_ptr<KernelRows> rows =
      kernel_rows(kernels, set.size(), weights, options.threads, options.cache_bytes, monitor);
  if (monitor.stopped()) return false;
  monitor.stage("roles: support vectors", 0);
  const Svm svm =
      train_svm(*rows, labels, {.c = options.c, .cache_bytes = options.cache_bytes}, monitor);
  if (!svm.converged) return false;
  const KernelRecognizer recognizer(set, svm, settings);
  const Sigmoid sigmoid =
      fit_on(sentences.subspan(count, std::min<std::size_t>(sentences.size() - count, 100)),
             recognizer, set.names);
  monitor.say(fmt::format("roles: {} support vectors of {} examples", recognizer.vectors().size(),
                          set.size()));
  std::vector<StoredVector> vectors;
  for (const SupportVector& v : recognizer.vectors()) {
    vectors.push_back({v.alpha, v.tree, v.marks.predicate, v.marks.argument, 0});
  }
  const double numbers[] = {options.lambda, options.beta, svm.bias, sigmoid.a, sigmoid.b};
  writer.add_strings("roles/kernel/names", set.names.all());
  writer.add<std::int32_t>("roles/kernel/trees", stored_trees(recognizer));
  writer.add<StoredVector>("roles/kernel/vectors", vectors);
  writer.add<double>("roles/kernel/settings", numbers);
  return true;
}

KernelModel::KernelModel(const ModelFile& file) {
  for (const std::string& name : file.strings("roles/kernel/names")) names_.find(name, true);
  const std::vector<LabelledTree> trees = read_trees(file, names_.size());
  const std::span<const double> numbers = file.array<double>("roles/kernel/settings");
  if (numbers.size() != 5) file.fail("section \"roles/kernel/settings\" is damaged");
  std::vector<SupportVector> vectors;
  for (const StoredVector& v : file.array<StoredVector>("roles/kernel/vectors")) {
    if (v.tree < 0 || v.tree >= static_cast<int>(trees.size()) || v.predicate < 0 ||
        v.predicate >= trees[v.tree].size() || v.argument < 0 ||
        v.argument >= trees[v.tree].size() || v.predicate == v.argument) {
      file.fail("section \"roles/kernel/vectors\" is damaged");
    }
    vectors.push_back({v.tree, {v.predicate, v.argument}, v.alpha});
  }
  recognizer_ = std::make_unique<KernelRecognizer>(
      trees, std::move(vectors),
      KernelSettings{.lambda = numbers[0], .predicate = numbers[1], .argument = numbers[1]},
      numbers[2]);
  sigmoid_ = {numbers[3], numbers[4]};
}

void KernelModel::set_sentence(const propbank::PropSentence& sentence, Work& work) const {
  if (sentence.tree.empty()) {
    throw Error("a sentence has no phrase tree; a model of roles by tree kernels needs one");
  }
  work.names.forget(names_.size());
  work.tree = kernel_tree(sentence, work.names, true);
  recognizer_->prepare(work.tree, Recognise::kOurs, work.recognizer);
}

void KernelModel::weigh(const propbank::PropSentence& sentence, int predicate, Work& work,
                        RoleProblem& problem) const {
  recognizer_->scores(work.tree, work.tree.node_of[sentence.tree.leaf(predicate)], Recognise::kOurs,
                      work.recognizer, work.scores);
  const std::size_t n = static_cast<std::size_t>(problem.labels);
  std::size_t kept = 0;
  for (std::size_t c = 0; c < problem.candidates.size(); ++c) {
    const Candidate& x = problem.candidates[c];
    const int node = sentence.tree.node_over(x.begin, x.end);
    const double s = node < 0 ? -INFINITY : work.scores[work.tree.node_of[node]];
    if (!std::isfinite(s)) continue;
    const double odds = -(sigmoid_.a * s + sigmoid_.b);
    const float* from = problem.scores.data() + c * n;
    const float most = *std::max_element(from + 1, from + n);
    problem.candidates[kept] = x;
    float* to = problem.scores.data() + kept * n;
    for (std::size_t l = 1; l < n; ++l) to[l] = static_cast<float>(odds) + from[l] - most;
    to[0] = 0;
    ++kept;
  }
  problem.candidates.resize(kept);
  problem.scores.resize(kept * n);
}

}  // namespace entente::roles
