#include "tasks/constituency/parser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "kit/cases.h"
#include "tasks/constituency/corpus_tags.h"
#include "tasks/constituency/evalb.h"
#include "tasks/constituency/heads.h"
#include "tasks/constituency/tag_agreement.h"
#include "tasks/constituency/test_kit.h"
#include "tasks/constituency/train.h"

namespace entente::constituency {
namespace {

ParserTraining small(Loss loss) {
  ParserTraining t;
  t.epochs = 3, t.tagger_epochs = 2, t.folds = 2, t.bits = 16, t.loss = loss;
  return t;
}

const ConstituencyModel& toy_model() {
  static const ConstituencyModel model = [] {
    Monitor quiet;
    return train_parser(ToyTreebank(1).trees(150), small(Loss::kBrackets), quiet);
  }();
  return model;
}

double f1_of(const ConstituencyModel& model, Decoder decoder) {
  const ConstituencyParser parser(model);
  ParserScratch scratch;
  BracketScores sum;
  for (const PhraseTree& gold : ToyTreebank(2).trees(60)) {
    sum += compare_trees(gold, parser.parse(gold.words, {.decoder = decoder}, scratch));
  }
  return sum.f1();
}

TEST(Heads, AreCollins) {
  const auto head = [](const char* label, std::vector<std::string> c) {
    return head_child(label, c);
  };
  EXPECT_EQ(head("VP", {"VBD", "NP", "PP"}), 0);
  EXPECT_EQ(head("NP", {"DT", "JJ", "NN"}), 2);
  EXPECT_EQ(head("NP", {"NP", "PP"}), 0);
  EXPECT_EQ(head("S", {"NP", "VP", "."}), 1);
  EXPECT_EQ(head("PP", {"IN", "NP"}), 0);
  EXPECT_EQ(head("NP", {"NN", "CC", "NN"}), 0);
  EXPECT_EQ(head("FRAG", {"."}), 0);
}

TEST(Grammar, BinarisedTreesComeBack) {
  const std::vector<PhraseTree> trees = ToyTreebank(3).trees(40);
  const Grammar base = Grammar::count(trees, {1, 0}), fine = Grammar::count(trees, {2, 1});
  for (const Grammar* g : {&base, &fine}) {
    for (const PhraseTree& tree : trees) {
      std::vector<BinaryNode> nodes;
      g->binarise(tree, nodes);
      for (const BinaryNode& n : nodes) {
        EXPECT_GE(n.bottom, 0);
        if (n.left >= 0) {
          EXPECT_EQ(nodes[n.left].end, nodes[n.right].begin);
          EXPECT_GE(g->find_binary(n.bottom, nodes[n.left].top, nodes[n.right].top), 0);
        }
        if (g->kind(n.bottom) != Grammar::kIntermediate) {
          EXPECT_GE(g->find_chain(n.top, n.chain, n.bottom), 0);
        }
      }
      EXPECT_EQ(nodes.back().top, g->root());
    }
  }
  // Probabilities of what a symbol becomes sum to one.
  std::vector<double> sums(fine.symbols(), 0.0);
  for (const BinaryRule& r : fine.binary()) sums[r.parent] += std::exp(r.score);
  for (int s = 0; s < fine.symbols(); ++s) {
    if (sums[s] > 0) {
      EXPECT_NEAR(sums[s], 1, 1e-4);
    }
  }
}

TEST(ChartPruner, NothingIsLostWithoutAThreshold) {
  // Sums of the chart, against those of the whole forest.
  const ConstituencyModel& m = toy_model();
  const ConstituencyParser parser(m);
  ParserScratch s;
  const ChartPruner pruner(m.base);
  const ForestBuilder builder(m.base, m.base);
  for (const PhraseTree& gold : ToyTreebank(4).trees(random_cases(15))) {
    parser.tag(gold.words, s);
    AllowedSymbols all, likely;
    ASSERT_TRUE(pruner.run(s.leaves, {.threshold = 0, .beam = 0}, s.chart, all));
    ASSERT_TRUE(builder.build(s.leaves, all, s.forest));
    s.sums.inside(s.forest.graph, s.forest.graph.score);
    s.sums.outside(s.forest.graph);
    ASSERT_TRUE(pruner.run(s.leaves, {.threshold = 1e-2, .beam = 0}, s.chart, likely));
    std::set<std::tuple<int, int, int, bool>> kept, wanted;
    for (int v = 0; v < s.forest.graph.nodes(); ++v) {
      const ParseForest::Node& n = s.forest.nodes[v];
      const bool top = n.top || m.base.kind(n.symbol) == Grammar::kIntermediate;
      if (s.sums.node_marginal(v) >= 1e-2) wanted.insert({n.begin, n.end, n.symbol, top});
    }
    for (int i = 0; i < gold.size(); ++i) {
      for (int j = i + 1; j <= gold.size(); ++j) {
        for (const int x : likely.bottoms(i, j)) kept.insert({i, j, x, false});
        for (const int x : likely.tops(i, j)) kept.insert({i, j, x, true});
      }
    }
    EXPECT_EQ(kept, wanted);
  }
}

TEST(ConstituencyParser, LearnsAToyTreebank) {
  EXPECT_GT(f1_of(toy_model(), Decoder::kCoarse), 85);
  EXPECT_GT(f1_of(toy_model(), Decoder::kBest), 95);
  EXPECT_GT(f1_of(toy_model(), Decoder::kRisk), 95);
  Monitor quiet;
  for (const Loss loss : {Loss::kNone, Loss::kF1}) {
    EXPECT_GT(f1_of(train_parser(ToyTreebank(1).trees(60), small(loss), quiet), Decoder::kBest),
              88);
  }
}

TEST(ConstituencyParser, TrainingIsDeterministicAndModelsComeBack) {
  Monitor quiet;
  const auto bytes = [&] {
    ModelWriter writer("constituency", 1);
    train_parser(ToyTreebank(5).trees(20), small(Loss::kBrackets), quiet).write(writer);
    return writer.bytes();
  };
  const std::string first = bytes();
  EXPECT_EQ(first, bytes());
  const ModelFile file = ModelFile::from_bytes(first, "m");
  ModelWriter again("constituency", 1);
  ConstituencyModel::read(file).write(again);
  EXPECT_EQ(again.bytes(), first);
}

// Gradients of the scorer's weights, through log Z, against differences.
TEST(ForestScorer, GradientsAreThoseOfTheSum) {
  const ConstituencyModel& m = toy_model();
  std::vector<float> weights(std::size_t{1} << m.bits);
  Random r(6);
  for (float& w : weights) w = static_cast<float>(r.normal(0, 0.2));
  const ConstituencyParser parser(m);
  ParserScratch s;
  const PhraseTree gold = ToyTreebank(7).tree();
  parser.tag(gold.words, s);
  ASSERT_TRUE(parser.prune(1e-4, s));
  ASSERT_TRUE(parser.build(s));
  const ForestScorer scorer(m.base, WeightReader(weights.data(), m.bits), m.contexts);
  const auto log_z = [&] {
    scorer.score(s.leaves, s);
    return s.sums.inside(s.forest.graph, s.score);
  };
  log_z();
  s.sums.outside(s.forest.graph);
  std::vector<double> found(weights.size(), 0.0);
  const std::vector<double> marginals(s.sums.edge_marginals().begin(),
                                      s.sums.edge_marginals().end());
  scorer.spread_gradient(
      s, marginals, [&](std::uint64_t feature, float g) { found[feature >> (64 - m.bits)] += g; });
  int checked = 0;
  for (std::size_t i = 0; i < weights.size() && checked < 40; i += 1 + r.below(10)) {
    if (found[i] == 0) continue;
    ++checked;
    const float before = weights[i];
    weights[i] = before + 0.01F;
    const double up = log_z();
    weights[i] = before - 0.01F;
    const double down = log_z();
    weights[i] = before;
    EXPECT_NEAR(found[i], (up - down) / 0.02, 0.02 + 0.02 * std::abs(found[i]));
  }
  EXPECT_EQ(checked, 40);
}

TEST(ConstituencyParser, KBestAreDifferentAndTheirProbabilitiesFall) {
  const ConstituencyParser parser(toy_model());
  ParserScratch scratch;
  // Many of the toy's sentences have one tree only.
  std::vector<PhraseTree> trees;
  PhraseTree gold;
  for (int seed = 1; seed <= 200 && trees.size() < 2; ++seed) {
    gold = ToyTreebank(seed).tree();
    trees = parser.k_best(gold.words, 20, {.threshold = 1e-12}, scratch);
  }
  ASSERT_GT(trees.size(), 1u);
  std::set<std::string> seen;
  double total = 0;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    total += std::exp(trees[i].score);
    if (i > 0) {
      EXPECT_LE(trees[i].score, trees[i - 1].score + 1e-9);
    }
    seen.insert(to_brackets(trees[i]));
    for (const Phrase& p : trees[i].phrases) {
      EXPECT_GE(p.confidence, std::exp(trees[i].score) - 1e-6);
      EXPECT_LE(p.confidence, 1 + 1e-9);
    }
  }
  EXPECT_LE(total, 1 + 1e-6);
  EXPECT_EQ(seen.size(), trees.size());
  const PhraseTree best =
      parser.parse(gold.words, {.decoder = Decoder::kBest, .threshold = 1e-4}, scratch);
  EXPECT_EQ(to_brackets(best), to_brackets(trees[0]));
}

TEST(ConstituencyParser, OddSentences) {
  const ConstituencyParser parser(toy_model());
  ParserScratch scratch;
  EXPECT_TRUE(parser.parse({}, {}, scratch).empty());
  for (const Decoder d : {Decoder::kCoarse, Decoder::kBest, Decoder::kRisk}) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"zebra"}, {"(", ")"}, std::vector<std::string>(200, "cat")}) {
      const PhraseTree tree = parser.parse(words, {.decoder = d}, scratch);
      EXPECT_EQ(tree.words, words);
      ASSERT_FALSE(tree.empty());
      EXPECT_EQ(tree.phrases[0].label, "TOP");
      EXPECT_EQ(tree_from(to_brackets(tree)).words, words);
    }
  }
}

void expect_proof(TreeSide& trees, TagSide& tags, const AgreementResult& result) {
  ForestProblem problem;
  const ForestCertificate c = certify(trees, tags, result, problem);
  const Verdict v = verify(problem, c);
  EXPECT_TRUE(v.optimal) << v.reason;
  EXPECT_NEAR(v.value, result.value, 1e-6);
}

TEST(TagAgreement, EqualsTheIntersection) {
  const ConstituencyParser parser(toy_model());
  ParserScratch s;
  Random r(9);
  int agreed = 0, count = 0;
  for (const PhraseTree& gold : ToyTreebank(10).trees(40)) {
    parser.tag(gold.words, s);
    // All candidates with strong opinions of both models that have nothing to do with each other.
    ASSERT_TRUE(parser.prune(0, s));
    ASSERT_TRUE(parser.build(s));
    for (double& x : s.score) x = r.normal(0, 1.5);
    for (double& x : s.lattice.forest.score) x = r.normal(0, 1.5);
    TreeSide trees(s.forest, s.score, s.leaves);
    TagSide tags(s.lattice, s.leaves, parser.tag_symbols());
    const AgreementResult got =
        Agreement(trees, tags).run({.max_rounds = 60, .branches = 400, .keep_parts = true});
    ASSERT_EQ(got.status, Status::optimal);
    expect_proof(trees, tags, got);
    EXPECT_NEAR(got.value, intersect(s.forest, trees.own_scores(), s.leaves, tags), 1e-5);
    EXPECT_NEAR(got.value, trees.score(got.on) + tags.score(got.on), 1e-5);
    agreed += got.agreed ? 1 : 0;
    ++count;
  }
  EXPECT_GT(agreed, count / 2);
}

// Probabilities under prices are those of the priced forest, watched or not; the tree chosen by any
// values has the tags that were asked for.
TEST(TagAgreement, MarginalsAreThoseOfPricedTrees) {
  const ConstituencyParser parser(toy_model());
  ParserScratch s;
  Random r(14);
  for (const PhraseTree& gold : ToyTreebank(15).trees(15)) {
    parser.tag(gold.words, s);
    ASSERT_TRUE(parser.prune(0, s) && parser.build(s));
    for (double& x : s.score) x = r.normal(0, 1);
    TreeSide trees(s.forest, s.score, s.leaves, 1);
    std::vector<double> prices(trees.size()), allowed, got;
    for (double& x : prices) x = r.normal(0, 1);
    const std::vector<std::int32_t> boundary{1};
    TagPairs pairs;
    for (const bool watch : {false, true}) {
      if (watch && gold.size() > 1) {
        pairs.set(s.leaves, boundary);
        ASSERT_TRUE(trees.watch(boundary, pairs));
        prices.resize(pairs.size(), 0.0);
      }
      std::vector<std::uint8_t> on(prices.size());
      trees.maximize(prices, on);
      allowed = s.score;
      for (int e = 0; e < s.forest.graph.edges(); ++e) {
        allowed[e] *= 0.5;
        if (s.forest.edges[e].split == ParseForest::Edge::kLeaf && !on[s.forest.edges[e].rule]) {
          allowed[e] = -INFINITY;
        }
      }
      s.sums.inside(s.forest.graph, allowed);
      s.sums.outside(s.forest.graph);
      trees.marginals(on, 0.5, got);
      for (int e = 0; e < s.forest.graph.edges(); ++e) {
        EXPECT_NEAR(got[e], s.sums.edge_marginal(e), 1e-9);
      }
      const double value = trees.best_with(got, on);
      trees.derivation(s.derivation);
      double sum = 0;
      for (const std::int32_t e : s.derivation) {
        sum += got[e];
        if (s.forest.edges[e].split == ParseForest::Edge::kLeaf) {
          EXPECT_EQ(on[s.forest.edges[e].rule], 1);
        }
      }
      EXPECT_NEAR(sum, value, 1e-9);
    }
  }
}

TEST(TagAgreement, SharedPairsOfTagsLowerTheBoundToTheIntersection) {
  const ConstituencyParser parser(toy_model());
  ParserScratch s;
  Random r(12);
  int loose = 0;
  for (const PhraseTree& gold : ToyTreebank(13).trees(60)) {
    parser.tag(gold.words, s);
    ASSERT_TRUE(parser.prune(0, s));
    ASSERT_TRUE(parser.build(s));
    for (double& x : s.score) x = r.normal(0, 3);
    for (double& x : s.lattice.forest.score) x = r.normal(0, 3);
    TreeSide trees(s.forest, s.score, s.leaves, 0.5);
    TagSide tags(s.lattice, s.leaves, parser.tag_symbols(), 0.7);
    const double optimum = intersect(s.forest, trees.own_scores(), s.leaves, tags);
    const AgreementResult plain = Agreement(trees, tags).run({.max_rounds = 1});
    // All boundaries watched: trees of pairs against a lattice of triples.
    std::vector<std::int32_t> all;
    for (int k = 1; k < gold.size(); ++k) all.push_back(k);
    TagPairs pairs;
    pairs.set(s.leaves, all);
    ASSERT_TRUE(trees.watch(all, pairs));
    tags.watch(all, pairs);
    std::vector<double> prices = plain.prices;
    prices.resize(pairs.size(), 0.0);
    EXPECT_NEAR(agreement_bound(trees, tags, prices), plain.bound, 1e-6);  // nothing is lost
    Agreement tight(trees, tags);
    tight.start_from(prices);
    const AgreementResult got = tight.run({.max_rounds = 150, .branches = 200, .keep_parts = true});
    expect_proof(trees, tags, got);
    EXPECT_LE(got.bound, plain.bound + 1e-6);
    ASSERT_EQ(got.status, Status::optimal);
    EXPECT_NEAR(got.value, optimum, 1e-5);
    trees.score(got.on);
    trees.derivation(s.derivation);
    PhraseTree tree;
    tree_of(parser.base(), s.forest, s.derivation, gold.words, tree);
    EXPECT_EQ(tree.words, gold.words);
    loose += plain.status == Status::optimal ? 0 : 1;
  }
  EXPECT_GT(loose, 0);
}

TEST(CorpusTags, LazyIsTheSameAndTheBoundHolds) {
  const std::vector<PhraseTree> trees = ToyTreebank(11).trees(30);
  const Lexicon lexicon = Lexicon::count(std::span(trees).subspan(0, 2));
  const std::vector<float> weights =
      train_tagger(lexicon, std::span(trees).subspan(0, 2), 3, 1).averaged();
  const Tagger tagger(lexicon, WeightReader(weights.data(), Tagger::kBits));
  std::vector<std::vector<std::string>> words;
  for (const PhraseTree& t : trees) words.push_back(t.words);
  // Every word has the same class.
  std::vector<std::pair<std::uint64_t, WordClass>> entries;
  for (const char* w : {"cat", "dog", "park", "saw", "light", "old", "red", "liked", "left"}) {
    entries.push_back({word_class_key(w), {.fine = 3}});
  }
  const std::vector<WordClass> classes = make_flat_table<WordClass>(entries);
  for (const double class_weight : {0.0, 0.7}) {
    CorpusTagOptions options{.penalty = 0.7, .class_weight = class_weight};
    if (class_weight > 0) options.classes = classes;
    CorpusTags lazy(tagger, words, options);
    options.lazy = false;
    CorpusTags plain(tagger, words, options);
    ASSERT_GT(lazy.types(), 0);
    const AgreementResult a = lazy.run({.max_rounds = 40}), b = plain.run({.max_rounds = 40});
    EXPECT_EQ(a.on, b.on);
    EXPECT_NEAR(a.value, b.value, 1e-6);
    EXPECT_NEAR(a.bound, b.bound, 1e-6);
    EXPECT_LE(lazy.sentences().decoded(), plain.sentences().decoded());
    EXPECT_LE(lazy.sentences().rescored(), plain.sentences().rescored());
    // The forests of the proof are worth what both sides say, on what was found and at the prices.
    ForestProblem problem;
    const Verdict v = verify(problem, lazy.certify(a, problem));
    EXPECT_TRUE(v.accepted) << v.reason;
    EXPECT_NEAR(v.value, a.value, 1e-6);
    EXPECT_NEAR(v.bound, a.bound, 1e-6);
    const AgreementResult all = lazy.run({.max_rounds = 40, .branches = 100, .keep_parts = true});
    const Verdict after = verify(problem, lazy.certify(all, problem));
    EXPECT_TRUE(after.accepted) << after.reason;
    EXPECT_NEAR(after.bound, all.bound, 1e-6);
    EXPECT_LE(a.value, a.bound + 1e-6);
  }
}

}  // namespace
}  // namespace entente::constituency
