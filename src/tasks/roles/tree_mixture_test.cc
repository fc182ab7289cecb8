#include "tasks/roles/tree_mixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"

namespace entente::roles {
namespace {

RoleProblem random_problem(Random& r, int labels) {
  RoleProblem out;
  out.labels = labels;
  for (int begin = 0; begin < 4; ++begin) {
    for (int end = begin + 1; end < 5; ++end) {
      if (!r.chance(0.5)) continue;
      out.candidates.push_back({begin, end});
      for (int l = 0; l < labels; ++l) {
        out.scores.push_back(l == 0 ? 0 : static_cast<float>(r.normal(-1, 2)));
      }
    }
  }
  return out;
}

TEST(TreeMixture, is_the_weighted_mean_of_probabilities) {
  Random r(5);
  TreeMixture mixture;
  for (int round = 0; round < 50; ++round) {
    const int labels = r.between(2, 5);
    std::map<std::pair<int, int>, std::vector<double>> wanted;
    double total = 0;
    mixture.start(labels);
    for (int t = r.between(1, 4); t > 0; --t) {
      const RoleProblem p = random_problem(r, labels);
      const double weight = r.uniform(0.1, 2);
      mixture.add(p, weight);
      total += weight;
      for (std::size_t c = 0; c < p.candidates.size(); ++c) {
        double sum = 0;
        for (int l = 0; l < labels; ++l) sum += std::exp(static_cast<double>(p.score(c, l)));
        auto& mine = wanted[{p.candidates[c].begin, p.candidates[c].end}];
        mine.resize(static_cast<std::size_t>(labels), 0.0);
        for (int l = 1; l < labels; ++l) {
          mine[l] += weight * std::exp(static_cast<double>(p.score(c, l))) / sum;
        }
      }
    }
    RoleProblem out;
    mixture.finish(out);
    ASSERT_EQ(out.candidates.size(), wanted.size());
    for (std::size_t c = 0; c < out.candidates.size(); ++c) {
      const auto& mine = wanted.at({out.candidates[c].begin, out.candidates[c].end});
      double sum = 0;
      for (int l = 0; l < labels; ++l) sum += std::exp(static_cast<double>(out.score(c, l)));
      for (int l = 1; l < labels; ++l) {
        EXPECT_NEAR(std::exp(static_cast<double>(out.score(c, l))) / sum, mine[l] / total, 1e-5);
      }
    }
  }
}

TEST(TreeMixture, one_tree_changes_nothing) {
  Random r(6);
  TreeMixture mixture;
  const RoleProblem p = random_problem(r, 4);
  mixture.start(4);
  mixture.add(p, 0.3);
  RoleProblem out;
  mixture.finish(out);
  ASSERT_EQ(out.candidates.size(), p.candidates.size());
  for (std::size_t i = 0; i < p.scores.size(); ++i) EXPECT_NEAR(out.scores[i], p.scores[i], 1e-4);
}

// Under another tree: its own phrases, with what is known of them, and what it lacks as likely.
TEST(Input, takes_another_tree_of_the_sentence) {
  propbank::PropSentence s;
  s.words = s.lemmas = {"he", "saw", "it"};
  s.tags = {"PRP", "VBD", "PRP"};
  s.relations = {"nsubj", "root", "obj"};
  s.heads = {1, -1, 1};
  const std::vector<std::string> own = {"(S(NP*)", "(VP*", "(NP*)))"};
  const std::vector<std::string> other = {"(S(X*", "*)", "(NP*))"};
  s.tree = propbank::PhraseTree::from_bits(own, s.tags);
  for (auto& n : s.tree.nodes) {
    if (!n.is_tag) n.confidence = n.label == "VP" ? 0.6f : 0.9f;
  }
  s.others.push_back({propbank::PhraseTree::from_bits(other, s.tags), 0.25f});
  s.likely.push_back({"X", 0, 2, 0.2f});
  Input input;
  input.assign(s);
  ASSERT_EQ(input.likely.size(), 1u);
  input.assign_other(s, 0);
  ASSERT_EQ(input.likely.size(), 2u);  // the NP over "he" and the VP
  EXPECT_NEAR(input.likely[1].confidence, 0.6f, 1e-6f);
  EXPECT_EQ(input.likely[1].begin, 1);
  for (const InputNode& n : input.nodes) {
    if (n.is_tag) continue;
    if (n.begin == 0 && n.end == 2) {
      EXPECT_NEAR(n.confidence, 0.2f, 1e-6f);
    } else if (n.begin == 2) {
      EXPECT_NEAR(n.confidence, 0.9f, 1e-6f);
    }
  }
}

}  // namespace
}  // namespace entente::roles
