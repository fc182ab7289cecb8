#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "kit/cases.h"
#include "tasks/constituency/lexical_trees.h"
#include "tasks/constituency/parser.h"
#include "tasks/constituency/test_kit.h"
#include "tasks/constituency/train.h"

namespace entente::constituency {
namespace {

// Heads as the binarised grammar's own heads give them, but for a few that hang elsewhere.
std::vector<int> heads_of(const Grammar& base, const PhraseTree& tree, Random& r, double odd) {
  std::vector<BinaryNode> nodes;
  base.binarise(tree, nodes);
  std::vector<int> head(nodes.size()), out(tree.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const BinaryNode& n = nodes[i];
    if (n.left < 0) {
      head[i] = n.begin + 1;
      continue;
    }
    head[i] = head[n.head_left ? n.left : n.right];
    out[head[n.head_left ? n.right : n.left] - 1] = head[i];
  }
  for (int m = 1; m <= tree.size(); ++m) {
    if (r.chance(odd)) out[m - 1] = r.between(0, tree.size());
    if (out[m - 1] == m) out[m - 1] = 0;
  }
  return out;
}

struct Toy {
  ConstituencyModel model;

  explicit Toy(double odd) {
    Monitor quiet;
    ParserTraining t;
    t.epochs = 1, t.tagger_epochs = 1, t.bits = 14;
    const std::vector<PhraseTree> trees = ToyTreebank(21).trees(80);
    const Grammar base = Grammar::count(trees, {1, 0});
    Random r(22);
    for (const PhraseTree& tree : trees) t.heads.push_back(heads_of(base, tree, r, odd));
    model = train_parser(trees, t, quiet);
  }
};

std::vector<trees::Arc> random_arcs(Random& r, int words, int most) {
  std::vector<trees::Arc> arcs;
  for (int m = 1; m <= words; ++m) {
    std::vector<int> heads;
    for (int h = 0; h <= words; ++h) {
      if (h != m) heads.push_back(h);
    }
    for (std::size_t i = heads.size(); i > 1; --i) {
      std::swap(heads[i - 1], heads[r.below(static_cast<int>(i))]);
    }
    heads.resize(std::min<std::size_t>(heads.size(), most));
    std::sort(heads.begin(), heads.end());
    for (const int h : heads) arcs.push_back({h, m});
  }
  return arcs;
}

// Calls use(on) for every choice of one arc a word.
void each_choice(std::span<const trees::Arc> arcs, int words,
                 const std::function<void(std::span<const std::uint8_t>)>& use) {
  std::vector<std::uint8_t> on(arcs.size(), 0);
  const std::function<void(int)> choose = [&](int m) {
    if (m > words) {
      use(on);
      return;
    }
    for (std::size_t a = 0; a < arcs.size(); ++a) {
      if (arcs[a].modifier != m) continue;
      on[a] = 1;
      choose(m + 1);
      on[a] = 0;
    }
  };
  choose(1);
}

// The value of the best lexicalised derivation with these arcs, from nothing but the definition.
// A word stands for a span only if some arc may reach it from outside.
double by_definition(const ParseForest& f, const HeadTable& table, std::span<const trees::Arc> arcs,
                     int v, int head, const std::function<bool(int, int)>& has) {
  double best = -INFINITY;
  if (std::none_of(arcs.begin(), arcs.end(), [&](const trees::Arc& a) {
        return a.modifier == head && (a.head <= f.nodes[v].begin || a.head > f.nodes[v].end);
      })) {
    return best;
  }
  const Hypergraph& h = f.graph;
  for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
    const auto tails = h.tails(e);
    const auto below = [&](int tail, int word) {
      return by_definition(f, table, arcs, tail, word, has);
    };
    if (tails.empty()) {
      if (head == f.nodes[v].begin + 1) best = std::max(best, h.score[e]);
    } else if (tails.size() == 1) {
      best = std::max(best, h.score[e] + below(tails[0], head));
    } else {
      const HeadTable::Options& o = table.of(f.edges[e].rule);
      const bool left = head <= f.edges[e].split;
      const ParseForest::Node& other = f.nodes[tails[left ? 1 : 0]];
      for (int m = other.begin + 1; m <= other.end; ++m) {
        double join = o[left ? HeadTable::kLeftFree : HeadTable::kRightFree];
        if (has(head, m)) {
          join = std::max<double>(join, o[left ? HeadTable::kLeft : HeadTable::kRight]);
        }
        best = std::max(best, h.score[e] + join + below(tails[0], left ? head : m) +
                                  below(tails[1], left ? m : head));
      }
    }
  }
  return best;
}

void compare(double odd) {
  const Toy toy(odd);
  const ConstituencyParser parser(toy.model);
  ParserScratch s;
  Random r(23);
  LexicalTrees lexical;
  int compared = 0;
  for (const PhraseTree& gold : ToyTreebank(24).trees(random_cases(60))) {
    if (gold.size() > 6) continue;
    parser.tag(gold.words, s);
    ASSERT_TRUE(parser.prune(0, s) && parser.build(s) && parser.shrink(0, s));
    for (double& x : s.small.graph.score) x = r.normal(0, 1);
    const int n = gold.size();
    const std::vector<trees::Arc> arcs = random_arcs(r, n, 3);
    if (!lexical.start(toy.model.heads, s.small, s.small.graph.score, arcs, n)) continue;
    ++compared;
    std::vector<double> prices(arcs.size());
    for (double& x : prices) x = r.normal(0, 1);
    std::vector<std::uint8_t> chosen(arcs.size());
    const double value = lexical.maximize(prices, chosen);
    double best = -INFINITY;
    each_choice(arcs, n, [&](std::span<const std::uint8_t> on) {
      double here = 0;
      int roots = 0, root = 0;
      const auto has = [&](int head, int m) {
        for (std::size_t a = 0; a < arcs.size(); ++a) {
          if (on[a] && arcs[a].head == head && arcs[a].modifier == m) return true;
        }
        return false;
      };
      for (int m = 1; m <= n; ++m) {
        if (!has(0, m)) continue;
        const double with =
            by_definition(s.small, toy.model.heads, arcs, s.small.graph.goal(), m, has);
        if (roots++ == 0 || with > here) here = with, root = m;
      }
      if (root == 0) here = -INFINITY;
      const double got = lexical.score(on);
      if (std::isfinite(here) || std::isfinite(got)) {
        EXPECT_NEAR(got, here, 1e-6);
      }
      for (std::size_t a = 0; a < arcs.size(); ++a) here += on[a] ? prices[a] : 0;
      best = std::max(best, here);
    });
    EXPECT_NEAR(value, best, 1e-6);
    double priced = lexical.score(chosen);
    for (std::size_t a = 0; a < arcs.size(); ++a) priced += chosen[a] ? prices[a] : 0;
    EXPECT_NEAR(priced, value, 1e-6);
    // Minimum risk: how likely the forest's edges are in trees with the arcs chosen, and such a tree.
    std::vector<double> marginals;
    lexical.marginals(chosen, 0.5, marginals);
    double at_root = 0;
    const Hypergraph& h = s.small.graph;
    for (int e = h.first_edge(h.goal()); e < h.last_edge(h.goal()); ++e) at_root += marginals[e];
    EXPECT_NEAR(at_root, 1, 1e-9);
    const double risk = lexical.best_with(marginals, chosen);
    lexical.derivation(s.derivation);
    double sum = 0;
    for (const std::int32_t e : s.derivation) sum += marginals[e];
    EXPECT_NEAR(sum, risk, 1e-9);
    lexical.marginals(chosen, 200, marginals);  // so sure that only the best is left
    lexical.score(chosen);
    lexical.derivation(s.derivation);
    for (const std::int32_t e : s.derivation) EXPECT_GT(marginals[e], 0.3);
  }
  EXPECT_GT(compared, covered(5));
}

TEST(LexicalTrees, AreThoseOfTheDefinition) { compare(0); }
TEST(LexicalTrees, AreThoseOfTheDefinitionWithFreeWords) { compare(0.25); }

TEST(HeadTable, ComesBackAndIsADistribution) {
  const Toy toy(0.1);
  ModelWriter writer("constituency", 1);
  toy.model.write(writer);
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "m");
  const ConstituencyModel again = ConstituencyModel::read(file);
  ASSERT_FALSE(again.heads.empty());
  for (std::size_t r = 0; r < again.base.binary().size(); ++r) {
    double sum = 0;
    for (int o = 0; o < 4; ++o) {
      const float x = again.heads.of(static_cast<int>(r))[o];
      EXPECT_EQ(x, toy.model.heads.of(static_cast<int>(r))[o]);
      sum += std::exp(x);
    }
    EXPECT_LE(sum, 1 + 1e-5);
  }
}

TEST(HeadTable, SingleHeads) {
  const PhraseTree tree =
      tree_from("(TOP (S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (PRP it)))))");
  EXPECT_TRUE(has_single_heads(tree, std::vector<int>{2, 3, 0, 3}));
  EXPECT_FALSE(has_single_heads(tree, std::vector<int>{3, 3, 0, 3}));
}

// Nodes with contexts: the same derivations, one for one.
TEST(ForestScorer, ContextsKeepEveryDerivationOnce) {
  const Toy toy(0);
  const ConstituencyParser parser(toy.model);
  ParserScratch s;
  for (const PhraseTree& gold : ToyTreebank(25).trees(20)) {
    parser.tag(gold.words, s);
    ASSERT_TRUE(parser.prune(0, s) && parser.build(s));
    const std::vector<double> zero(s.plain.graph.edges(), 0.0), none(s.forest.graph.edges(), 0.0);
    const double plain = s.sums.inside(s.plain.graph, zero);
    EXPECT_NEAR(s.sums.inside(s.forest.graph, none), plain, 1e-9);
    s.best.run(s.forest.graph, s.score);
    s.best.derivation(s.forest.graph, s.derivation);
    PhraseTree tree;
    tree_of(parser.base(), s.forest, s.derivation, gold.words, tree);
    EXPECT_EQ(tree.words, gold.words);
  }
}

}  // namespace
}  // namespace entente::constituency
