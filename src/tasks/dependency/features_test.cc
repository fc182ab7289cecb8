#include "tasks/dependency/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "oracle/tree_marginals.h"
#include "tasks/dependency/pruner.h"
#include "tasks/dependency/second_order.h"

namespace entente::dependency {
namespace {

std::vector<Word> random_words(int size, Random& random) {
  const std::vector<std::string> forms = {"a", "Bird", "(", ")", "sings", ",", "'", "and", "42"};
  const std::vector<std::string> tags = {"NOUN", "VERB", "PUNCT", "ADP", "_", "QX"};
  std::vector<Word> words(size);
  for (Word& w : words) {
    w.form = forms[random.below(static_cast<int>(forms.size()))];
    w.upos = tags[random.below(static_cast<int>(tags.size()))];
    if (random.chance(0.3)) w.feats = "Number=Sing";
  }
  return words;
}

std::vector<std::int32_t> random_tree(int size, Random& random) {
  std::vector<std::int32_t> heads(size), order(size);
  for (int i = 0; i < size; ++i) order[i] = i + 1;
  for (int i = size - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  for (int i = 0; i < size; ++i) heads[order[i] - 1] = i == 0 ? 0 : order[random.below(i)];
  return heads;
}

TEST(Atoms, BracketsMatchAndEnclose) {
  std::vector<Word> words;
  for (const char* form : {"a", "(", "b", "\"", "c", "\"", ")", "d", "]"}) {
    words.push_back({.form = form});
  }
  Atoms atoms;
  atoms.read(words);
  EXPECT_EQ(atoms.partner(2), 7);
  EXPECT_EQ(atoms.partner(7), 2);
  EXPECT_EQ(atoms.partner(4), 6);
  EXPECT_EQ(atoms.partner(9), 0);
  EXPECT_EQ(atoms.enclosure(1), 0);
  EXPECT_EQ(atoms.enclosure(2), 0);
  EXPECT_EQ(atoms.enclosure(3), 2);
  EXPECT_EQ(atoms.enclosure(5), 4);
  EXPECT_EQ(atoms.enclosure(6), 2);
  EXPECT_EQ(atoms.enclosure(8), 0);
}

TEST(Atoms, CountsBetweenAgreeWithCounting) {
  Random random(1);
  Atoms atoms;
  for (int trial = 0; trial < 300; ++trial) {
    const std::vector<Word> words = random_words(random.between(1, 12), random);
    atoms.read(words);
    const int n = atoms.words(), a = random.between(0, n), b = random.between(1, n);
    int verbs = 0, commas = 0;
    for (int i = std::min(a, b) + 1; i < std::max(a, b); ++i) {
      verbs += words[i - 1].upos == "VERB";
      commas += words[i - 1].form == ",";
    }
    if (a == b) continue;
    EXPECT_EQ(atoms.between(a, b).verbs, verbs);
    EXPECT_EQ(atoms.between(a, b).commas, commas);
  }
}

TEST(Features, HashesOfDifferentPartsRarelyMeet) {
  Random random(2);
  Atoms atoms;
  atoms.read(random_words(40, random));
  FeatureList f;
  std::vector<std::uint64_t> places;
  for (int h = 0; h <= 40; ++h) {
    for (int m = 1; m <= 40; ++m) {
      if (h == m) continue;
      f.clear();
      arc_features(atoms, h, m, f);
      places.insert(places.end(), f.view().begin(), f.view().end());
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  const std::size_t distinct = places.size();
  for (std::uint64_t& p : places) p >>= 64 - 24;
  places.erase(std::unique(places.begin(), places.end()), places.end());
  // Of k random places in 2^24 about k^2 / 2^25 meet.
  const double k = static_cast<double>(distinct), expected = k * k / std::ldexp(1.0, 25);
  EXPECT_LT(static_cast<double>(distinct - places.size()), 1.2 * expected + 20);
}

TEST(Pruner, GradientOfTheLikelihoodAgreesWithFiniteDifferences) {
  Random random(3);
  Atoms atoms;
  for (int trial = 0; trial < 20; ++trial) {
    const int n = random.between(1, 6);
    atoms.read(random_words(n, random));
    const std::vector<std::int32_t> heads = random_tree(n, random);
    PrunerWorkspace work;
    OnlineWeights weights(12);
    // A step along the gradient of a random tree makes weights that are not zero.
    for (int i = 0; i < 3; ++i) {
      arc_scores(atoms, weights, work);
      gather_likelihood(atoms, random_tree(n, random), true, 0, work, weights);
      weights.adagrad_step(0.3f);
    }
    arc_scores(atoms, weights, work);
    const double before = gather_likelihood(atoms, heads, true, 0, work, weights);
    EXPECT_LE(before, 1e-9);
    // Along any arc's score the slope of the likelihood is 1 or 0 minus the arc's marginal.
    const std::size_t width = n + 1;
    const std::vector<double> marginals = work.marginals;
    std::vector<double> scratch(marginals.size());
    auto likelihood = [&] {
      double score = 0;
      for (int m = 1; m <= n; ++m) score += work.scores[heads[m - 1] * width + m];
      return score - tree_marginals(n, work.scores, true, scratch, work.trees);
    };
    for (int h = 0; h <= n; ++h) {
      for (int m = 1; m <= n; ++m) {
        if (h == m) continue;
        double& score = work.scores[h * width + m];
        const double keep = score, d = 1e-5;
        score = keep + d;
        const double up = likelihood();
        score = keep - d;
        const double down = likelihood();
        score = keep;
        const double slope = (heads[m - 1] == h ? 1 : 0) - marginals[h * width + m];
        EXPECT_NEAR((up - down) / (2 * d), slope, 1e-6);
      }
    }
    // A small step along the gathered gradient of the weights makes the tree likelier.
    weights.passive_aggressive_step(1e9f, 1e-4f);
    arc_scores(atoms, weights, work);
    const double after = gather_likelihood(atoms, heads, true, 0, work, weights);
    weights.passive_aggressive_step(0, 0);
    EXPECT_GE(after, before - 1e-6);
  }
}

TEST(Pruner, WhatIsKeptHoldsATreeAndTheArcsAskedFor) {
  Random random(4);
  Atoms atoms;
  PrunerWorkspace work;
  std::vector<Arc> kept;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = random.between(1, 12);
    atoms.read(random_words(n, random));
    OnlineWeights weights(10);
    arc_scores(atoms, weights, work);
    for (double& s : work.scores) s += random.normal(0, 4);
    const std::vector<std::int32_t> also = random_tree(n, random);
    const PruneOptions options{.threshold = 0.1, .most = 2, .projective = trial % 2 == 0};
    keep_arcs(n, options, also, work, kept);
    auto has = [&](int h, int m) {
      return std::count_if(kept.begin(), kept.end(),
                           [&](const Arc& a) { return a.head == h && a.modifier == m; });
    };
    for (int m = 1; m <= n; ++m) {
      EXPECT_EQ(has(also[m - 1], m), 1);
      EXPECT_EQ(has(work.heads[m - 1], m), 1);
    }
    EXPECT_LE(kept.size(), static_cast<std::size_t>(n) * 4);
  }
}

TEST(SecondOrder, MarkedPartsAddUpToTheTreesScore) {
  Random random(5);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = random.between(1, 9);
    const std::vector<std::int32_t> heads = random_tree(n, random);
    std::vector<Arc> kept;
    for (int m = 1; m <= n; ++m) {
      for (int h = 0; h <= n; ++h) {
        if (h != m && (heads[m - 1] == h || random.chance(0.4))) kept.push_back({h, m});
      }
    }
    Parts parts;
    make_parts(n, kept, Order::second, parts);
    PartScores scores;
    for (std::size_t i = 0; i < parts.arcs.size(); ++i) scores.arcs.push_back(random.normal());
    for (std::size_t i = 0; i < parts.siblings.size(); ++i) {
      scores.siblings.push_back(random.normal());
    }
    for (std::size_t i = 0; i < parts.grandparents.size(); ++i) {
      scores.grandparents.push_back(random.normal());
    }
    PartMarks marks;
    mark_parts(parts, heads, marks);
    double sum = 0;
    for (std::size_t i = 0; i < parts.arcs.size(); ++i) sum += marks.arcs[i] * scores.arcs[i];
    for (std::size_t i = 0; i < parts.siblings.size(); ++i) {
      sum += marks.siblings[i] * scores.siblings[i];
    }
    for (std::size_t i = 0; i < parts.grandparents.size(); ++i) {
      sum += marks.grandparents[i] * scores.grandparents[i];
    }
    EXPECT_NEAR(sum, score_of(parts, scores, heads), 1e-9);
  }
}

// From weights of nothing, the least change for a loss of one makes one tree worth exactly one more
// than the other: what is learned from is what is scored.
TEST(SecondOrder, AStepMakesUpForTheLoss) {
  Random random(6);
  Atoms atoms;
  FeatureList features;
  int different = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = random.between(2, 9);
    atoms.read(random_words(n, random));
    std::vector<Arc> kept;
    for (int m = 1; m <= n; ++m) {
      for (int h = 0; h <= n; ++h) {
        if (h != m) kept.push_back({h, m});
      }
    }
    Parts parts;
    make_parts(n, kept, trial % 4 == 0 ? Order::first : Order::second, parts);
    OnlineWeights weights(18);
    PartScores scores;
    PartMarks marks[2];
    std::vector<std::int32_t> trees[2];
    for (int k = 0; k < 2; ++k) {
      trees[k] = random_tree(n, random);
      mark_parts(parts, trees[k], marks[k]);
    }
    const int wrong = gather_difference(atoms, parts, marks[0], marks[1], features, weights);
    weights.passive_aggressive_step(1, 1e9f);
    ASSERT_EQ(wrong > 0, trees[0] != trees[1]);
    if (wrong == 0) continue;
    ++different;
    score_parts(atoms, parts, weights, scores);
    ASSERT_NEAR(score_of(parts, scores, trees[0]) - score_of(parts, scores, trees[1]), 1, 1e-3);
  }
  EXPECT_GT(different, 100);
}

}  // namespace
}  // namespace entente::dependency
