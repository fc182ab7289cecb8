#include "learn/tree_kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "base/random.h"
#include "entente/error.h"
#include "learn/support_trees.h"

namespace entente {
namespace {

// A random tree of few labels, so that much of two trees is equal.
LabelledTree random_tree(Random& random, int nodes, int labels) {
  LabelledTree tree;
  std::vector<int> open;
  while (tree.size() < nodes) {
    const int take = std::min<int>(static_cast<int>(open.size()), random.between(0, 3));
    const std::vector<int> children(open.end() - take, open.end());
    open.resize(open.size() - take);
    open.push_back(tree.add(random.below(labels), children));
  }
  if (open.size() > 1) tree.add(random.below(labels), open);
  tree.finish();
  return tree;
}

using Counts = std::map<std::string, double>;

// All subtrees with their root at a node, written down, with how often each is there.
Counts subtrees_at(const LabelledTree& tree, int node, Marks marks, Inclusion inclusion) {
  const std::string name = std::to_string(tree.label(node)) + (node == marks.predicate  ? "*0"
                                                               : node == marks.argument ? "*1"
                                                                                        : "");
  Counts lists = {{"", 1.0}};  // of children chosen so far
  bool all = true;
  Counts full = lists;
  for (int child : tree.children(node)) {
    const Counts below = subtrees_at(tree, child, marks, inclusion);
    Counts longer = lists, longer_full;
    for (const auto& [text, count] : lists) {
      for (const auto& [tail, times] : below) longer[text + tail] += count * times;
    }
    for (const auto& [text, count] : full) {
      for (const auto& [tail, times] : below) longer_full[text + tail] += count * times;
    }
    lists = std::move(longer);
    full = std::move(longer_full);
    all = false;
  }
  if (inclusion == Inclusion::kAllChildren) {
    lists = {{"", 1.0}};
    if (!all) lists.insert(full.begin(), full.end());
  }
  Counts out;
  for (const auto& [text, count] : lists) out["(" + name + text + ")"] += count;
  return out;
}

double enumerated(const LabelledTree& t1, Marks m1, const LabelledTree& t2, Marks m2,
                  const KernelSettings& settings) {
  Counts c1, c2;
  for (int n = 0; n < t1.size(); ++n) {
    for (const auto& [s, c] : subtrees_at(t1, n, m1, settings.inclusion)) c1[s] += c;
  }
  for (int n = 0; n < t2.size(); ++n) {
    for (const auto& [s, c] : subtrees_at(t2, n, m2, settings.inclusion)) c2[s] += c;
  }
  double sum = 0;
  for (const auto& [s, c] : c1) {
    const auto other = c2.find(s);
    if (other == c2.end()) continue;
    const auto size = std::count(s.begin(), s.end(), '(');
    const bool predicate = s.find("*0") != s.npos, argument = s.find("*1") != s.npos;
    if (settings.only_marked && !predicate && !argument) continue;
    sum += c * other->second * std::pow(settings.lambda, static_cast<double>(size)) *
           (predicate ? settings.predicate : 1) * (argument ? settings.argument : 1);
  }
  return sum;
}

Marks random_marks(Random& random, const LabelledTree& tree) {
  const int v = random.below(tree.size());
  int a = random.below(tree.size() - 1);
  if (a >= v) ++a;
  return {v, a};
}

TEST(TreeKernel, equals_enumeration_of_all_subtrees) {
  Random random(3);
  KernelTables tables;
  int positive = 0;
  for (int round = 0; round < 300; ++round) {
    const LabelledTree t1 = random_tree(random, random.between(2, 9), random.between(1, 3));
    const LabelledTree t2 = random_tree(random, random.between(2, 9), random.between(1, 3));
    KernelSettings settings{
        .lambda = random.uniform(0.05, 1),
        .predicate = random.uniform(1, 50),
        .argument = random.uniform(1, 50),
        .only_marked = round % 4 != 0,
        .inclusion = round % 3 == 0 ? Inclusion::kAllChildren : Inclusion::kOrdered};
    const Marks m1 = random_marks(random, t1), m2 = random_marks(random, t2);
    const double want = enumerated(t1, m1, t2, m2, settings);
    const double got = tree_kernel(t1, m1, t2, m2, settings, tables);
    EXPECT_NEAR(got, want, 1e-12 * (1 + std::abs(want))) << "round " << round;
    positive += want > 0;
  }
  EXPECT_GT(positive, 150);
}

TEST(TreeKernel, example_of_the_paper) {
  // Table 2: a root with two leaves, one of them marked; against itself every subtree counts once.
  LabelledTree t;
  const std::vector<int> leaves = {t.add(1, {}), t.add(2, {})};
  t.add(0, leaves);
  t.finish();
  KernelTables tables;
  const KernelSettings s{.lambda = 0.5, .predicate = 3, .argument = 1};
  // (1*), (0 1*), (0 1* 2)
  EXPECT_DOUBLE_EQ(tree_kernel(t, {.predicate = 0}, t, {.predicate = 0}, s, tables),
                   3 * (0.5 + 0.25 + 0.125));
}

TEST(TreeKernel, both_marks_on_one_node_are_refused) {
  LabelledTree t;
  t.add(0, {});
  t.finish();
  KernelTables tables;
  EXPECT_THROW(tree_kernel(t, {0, 0}, t, {0, -1}, {}, tables), Error);
  SupportTrees support(0.3);
  support.add_tree(t);
  EXPECT_THROW(support.add_vector(0, 0, 0, 1), Error);
}

TEST(TreeKernel, the_papers_update_equals_one_kernel_a_node) {
  Random random(5);
  KernelTables tables;
  NodeUpdater updater;
  for (int round = 0; round < 100; ++round) {
    const LabelledTree u = random_tree(random, random.between(2, 25), 3);
    const LabelledTree t = random_tree(random, random.between(2, 25), 3);
    const KernelSettings settings{
        .lambda = 0.3,
        .predicate = 100,
        .argument = 7,
        .only_marked = round % 5 != 0,
        .inclusion = round % 2 ? Inclusion::kOrdered : Inclusion::kAllChildren};
    const Marks marks = random_marks(random, t);
    const int v = random.below(u.size());
    std::vector<double> out(u.size());
    updater.scores(u, v, t, marks, settings, out);
    for (int k = 0; k < u.size(); ++k) {
      if (k == v) continue;
      const double want = tree_kernel(u, {v, k}, t, marks, settings, tables);
      EXPECT_NEAR(out[k], want, 1e-11 * (1 + std::abs(want)));
    }
  }
}

TEST(SupportTrees, scores_of_all_nodes_equal_one_kernel_a_node_and_vector) {
  Random random(7);
  KernelTables tables;
  for (int round = 0; round < 60; ++round) {
    const int labels = random.between(1, 5);
    SupportTrees support(0.3);
    std::vector<LabelledTree> trees;
    struct Vector {
      int tree;
      Marks marks;
      double alpha;
    };
    std::vector<Vector> vectors;
    for (int t = 0; t < 3; ++t) {
      trees.push_back(random_tree(random, random.between(2, 20), labels));
      support.add_tree(trees.back());
      const Marks first = random_marks(random, trees.back());
      for (int i = 0; i < 4; ++i) {
        Marks marks = random_marks(random, trees.back());
        if (i < 3 && marks.argument != first.predicate) marks.predicate = first.predicate;
        vectors.push_back({t, marks, random.uniform(-2, 2)});
        support.add_vector(t, marks.predicate, marks.argument, vectors.back().alpha);
      }
    }
    support.finish();
    SupportTrees::Query query(support);
    const LabelledTree u = random_tree(random, random.between(2, 20), labels + 1);
    query.set_tree(u);
    for (int repeat = 0; repeat < 3; ++repeat) {
      const int v = random.below(u.size());
      const KernelSettings settings{.lambda = 0.3, .predicate = 50, .argument = 9};
      query.set_predicate(v);
      std::vector<double> out(u.size(), 0.0);
      query.add_scores({50, 9}, out);
      for (int k = 0; k < u.size(); ++k) {
        if (k == v) continue;
        double want = 0, size = 0;
        for (const Vector& x : vectors) {
          const double term =
              x.alpha * tree_kernel(u, {v, k}, trees[x.tree], x.marks, settings, tables);
          want += term;
          size += std::abs(term);
        }
        EXPECT_NEAR(out[k], want, 1e-11 * (1 + size)) << "round " << round << " node " << k;
      }
    }
  }
}

TEST(SupportTrees, pairs_by_their_marks_equal_the_kernel_for_any_weights) {
  Random random(11);
  KernelTables tables;
  for (int round = 0; round < 40; ++round) {
    SupportTrees support(0.4);
    const LabelledTree t = random_tree(random, random.between(3, 20), 3);
    const LabelledTree u = random_tree(random, random.between(3, 20), 3);
    support.add_tree(t);
    const int v2 = random.below(t.size());
    for (int j = 0; j < t.size(); ++j) {
      if (j != v2) support.add_vector(0, v2, j, 1);
    }
    support.finish();
    SupportTrees::Query query(support);
    query.set_tree(u);
    const int v = random.below(u.size());
    query.set_predicate(v);
    std::vector<int> nodes;
    for (int k = 0; k < u.size(); ++k) {
      if (k != v) nodes.push_back(k);
    }
    const std::size_t m = support.group(0).vectors.size();
    std::vector<KernelParts> parts(nodes.size() * m);
    query.pairs(0, nodes, parts);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        const double want = tree_kernel(u, {v, nodes[i]}, t, {v2, support.group(0).vectors[j].node},
                                        {.lambda = 0.4, .predicate = 30, .argument = 5}, tables);
        EXPECT_NEAR(parts[i * m + j].value({30, 5}), want, 1e-11 * (1 + want));
      }
    }
  }
}

}  // namespace
}  // namespace entente
