#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "entente/error.h"
#include "tasks/roles/gram.h"
#include "tasks/roles/labeller.h"

namespace entente::roles {
namespace {

std::vector<propbank::PropSentence> sentences() {
  const char* text =
      "0\tHe\tPRP\t(TOP(S(NP*)\t-\t-\t2\tnsubj\the\t(ARG0*)\t*\n"
      "1\tsaid\tVBD\t(VP*\tsay\tsay.01\t0\troot\tsay\t(V*)\t*\n"
      "2\tindustry\tNN\t(SBAR(S(NP*)\t-\t-\t5\tnsubj\tindustry\t(ARG1*\t(ARG0*)\n"
      "3\tshould\tMD\t(VP*\t-\t-\t5\taux\tshould\t*\t(ARGM-MOD*)\n"
      "4\tbuild\tVB\t(VP*\tbuild\tbuild.01\t2\tccomp\tbuild\t*\t(V*)\n"
      "5\tplants\tNNS\t(NP*))))))))\t-\t-\t5\tobj\tplant\t*)\t(ARG1*)\n\n"
      "0\tThey\tPRP\t(TOP(S(NP*)\t-\t-\t2\tnsubj\tthey\t(ARG0*)\n"
      "1\tbuild\tVBP\t(VP*\tbuild\tbuild.01\t0\troot\tbuild\t(V*)\n"
      "2\tships\tNNS\t(NP*)\t-\t-\t2\tobj\tship\t(ARG1*)\n"
      "3\tslowly\tRB\t(ADVP*))\t-\t-\t2\tadvmod\tslowly\t(ARGM-MNR*)\n"
      "4\t.\t.\t*))\t-\t-\t2\tpunct\t.\t*\n\n";
  StringLines lines(text, "x");
  propbank::Reader reader(lines);
  std::vector<propbank::PropSentence> out;
  for (propbank::PropSentence s; reader.read(s);) out.push_back(std::move(s));
  return out;
}

TEST(MarkedTrees, examples_are_nodes_of_arguments_and_the_others) {
  const auto s = sentences();
  const RecognitionSet set = RecognitionSet::of(s, 1, 1);
  int positive = 0;
  for (const RecognitionExample& e : set.data.examples) positive += e.label > 0;
  EXPECT_EQ(positive, 2 + 3 + 3);
  EXPECT_EQ(set.data.without_node, 0);
  EXPECT_EQ(set.data.arguments, 8);
  // All phrases and tags but the root and the predicate's tag.
  EXPECT_EQ(set.data.examples.size(), 14u + 14u + 9u);
  const RecognitionSet fewer = RecognitionSet::of(s, 5, 1);
  EXPECT_LT(fewer.size(), set.size());
  propbank::PropSentence no_tree = s[0];
  no_tree.tree = {};
  TreeLabels names;
  EXPECT_THROW(kernel_tree(no_tree, names, true), Error);
}

TEST(KernelRecognition, three_ways_and_both_kinds_of_rows_agree) {
  const auto s = sentences();
  const RecognitionSet set = RecognitionSet::of(s, 1, 1);
  Monitor monitor;
  const MarkWeights weights{40, 70};
  const PairKernels kernels(set, 0.3);
  const Grams grams(kernels, set.size(), {{1, 1}, weights}, false, 2, monitor);
  const Grams rough(kernels, set.size(), {weights}, true, 1, monitor);
  GramsRows stored(grams, 1), rounded(rough, 0);
  GramRows fresh(kernels, set.size(), weights, 1);
  UpdaterRows reference(set, {.lambda = 0.3, .predicate = 40, .argument = 70});
  std::vector<int> rows;
  std::vector<float> a(set.size()), b(set.size()), r(set.size());
  KernelTables tables;
  for (int i = 0; i < set.size(); ++i) {
    const int row[] = {i};
    float* const pa[] = {a.data()};
    float* const pb[] = {b.data()};
    stored.compute(row, pa);
    fresh.compute(row, pb);
    float* const pr[] = {r.data()};
    rounded.compute(row, pr);
    reference.together(i, rows);
    EXPECT_NE(std::find(rows.begin(), rows.end(), i), rows.end());
    std::vector<float> u(set.size());
    float* const pu[] = {u.data()};
    reference.compute(row, pu);
    for (int j = 0; j < set.size(); ++j) EXPECT_NEAR(a[j], u[j], 1e-5);
    for (int j = 0; j < set.size(); ++j) {
      EXPECT_NEAR(a[j], b[j], 1e-5);
      EXPECT_NEAR(a[j], r[j], 1e-5);
      const auto k = [&](int x, int y) {
        const RecognitionExample &e = set.data.examples[x], &f = set.data.examples[y];
        return tree_kernel(set.trees[e.sentence].tree, {e.predicate, e.argument},
                           set.trees[f.sentence].tree, {f.predicate, f.argument},
                           {.lambda = 0.3, .predicate = 40, .argument = 70}, tables);
      };
      EXPECT_NEAR(a[j], k(i, j) / std::sqrt(k(i, i) * k(j, j)), 1e-5);
    }
  }
  const Svm svm = train_svm(stored, set.labels(), {.c = 10}, monitor);
  const KernelRecognizer recognizer(set, svm, {.lambda = 0.3, .predicate = 40, .argument = 70});
  KernelRecognizer::Work work(recognizer);
  TreeLabels names = set.names;
  for (const propbank::PropSentence& x : s) {
    const KernelTree tree = kernel_tree(x, names, true);
    const int v = tree.node_of[x.tree.leaf(x.propositions[0].predicate)];
    std::vector<double> naive, update, ours;
    recognizer.prepare(tree, Recognise::kOurs, work);
    recognizer.scores(tree, v, Recognise::kNaive, work, naive);
    recognizer.scores(tree, v, Recognise::kUpdate, work, update);
    recognizer.scores(tree, v, Recognise::kOurs, work, ours);
    for (int k : tree.candidates) {
      if (k == v) continue;
      EXPECT_NEAR(naive[k], update[k], 1e-9 * std::max(1.0, std::abs(naive[k])));
      EXPECT_NEAR(naive[k], ours[k], 1e-9 * std::max(1.0, std::abs(naive[k])));
    }
  }
}

TEST(KernelModel, is_learned_written_and_used) {
  auto s = sentences();
  std::vector<propbank::PropSentence> many;
  for (int i = 0; i < 6; ++i) many.insert(many.end(), s.begin(), s.end());
  Monitor monitor;
  ModelWriter writer("roles", 1);
  ASSERT_TRUE(train_kernel(many, {.c = 100, .share = 1, .threads = 1}, writer, monitor));
  RoleTraining linear;
  linear.epochs = 3;
  linear.bits = 14;
  linear.network_bits = 8;
  ASSERT_TRUE(train_roles(many, linear, writer, monitor));
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "<test>");
  const RoleLabeller labeller(file);
  RoleLabeller::Work work(labeller);
  for (const propbank::PropSentence& x : s) {
    propbank::PropSentence again = x;
    for (auto& p : again.propositions) p.roles.clear();
    labeller.label(again, {.gold_predicates = true}, work);
    for (std::size_t p = 0; p < x.propositions.size(); ++p) {
      EXPECT_EQ(again.propositions[p].roles, x.propositions[p].roles);
    }
  }
  s[0].tree = {};
  EXPECT_THROW(labeller.label(s[0], {.gold_predicates = true}, work), Error);
  EXPECT_THROW(train_kernel(s, {}, writer, monitor), Error);
}

TEST(BestDisjointNodes, equals_enumeration) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    LabelledTree tree;
    std::vector<int> open;
    while (tree.size() < 10) {
      const int take = std::min<int>(static_cast<int>(open.size()), random.between(0, 3));
      const std::vector<int> children(open.end() - take, open.end());
      open.resize(open.size() - take);
      open.push_back(tree.add(0, children));
    }
    tree.add(0, open);
    tree.finish();
    std::vector<double> odds;
    for (int n = 0; n < tree.size(); ++n) odds.push_back(random.normal());
    double best = 0;
    for (int set = 0; set < 1 << tree.size(); ++set) {
      double value = 0;
      bool good = true;
      for (int n = 0; n < tree.size() && good; ++n) {
        if (!(set >> n & 1)) continue;
        value += odds[n];
        for (int p = tree.parent(n); p >= 0; p = tree.parent(p)) good &= !(set >> p & 1);
      }
      if (good) best = std::max(best, value);
    }
    std::vector<char> chosen;
    best_disjoint_nodes(tree, odds, chosen);
    double value = 0;
    for (int n = 0; n < tree.size(); ++n) {
      if (!chosen[n]) continue;
      value += odds[n];
      for (int p = tree.parent(n); p >= 0; p = tree.parent(p)) EXPECT_FALSE(chosen[p]);
    }
    EXPECT_NEAR(value, best, 1e-12);
  }
}

}  // namespace
}  // namespace entente::roles
