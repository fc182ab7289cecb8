#include "tasks/roles/second_look.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace entente::roles {
namespace {

const RoleLabels& labels() {
  static const RoleLabels l = RoleLabels::from_names({"_", "ARG0", "ARG1", "ARGM-TMP"});
  return l;
}

Guess guess_of(int word, std::vector<std::pair<Candidate, std::vector<float>>> spans) {
  Guess g;
  g.word = word;
  g.problem.labels = labels().size();
  for (auto& [c, s] : spans) {
    g.problem.candidates.push_back(c);
    g.problem.scores.push_back(0);
    g.problem.scores.insert(g.problem.scores.end(), s.begin(), s.end());
  }
  guess(labels(), g);
  return g;
}

Input sentence_of(int words) {
  propbank::PropSentence s;
  for (int i = 0; i < words; ++i) {
    s.words.push_back("w");
    s.lemmas.push_back("w");
    s.tags.push_back("NN");
    s.relations.push_back("dep");
    s.heads.push_back(i - 1);
  }
  Input input;
  input.assign(s);
  return input;
}

TEST(Guess, takes_what_is_likely_once_and_without_overlap) {
  const Guess g = guess_of(2, {{{0, 2}, {4, 0, 0}},       // ARG0
                               {{0, 1}, {3, 0, 0}},       // overlaps the better one
                               {{3, 5}, {3, 1, 0}},       // ARG0 is there already
                               {{5, 6}, {0, 0, 3}},       // ARGM-TMP
                               {{6, 7}, {-9, -9, -9}}});  // nothing
  EXPECT_EQ(g.taken, (std::vector<int>{0, 3}));
  EXPECT_EQ(g.best[2].label, 1);
  EXPECT_EQ(g.best[2].second, 2);
  EXPECT_TRUE(g.hopeless(4));
  EXPECT_FALSE(g.hopeless(3));
  EXPECT_NEAR(g.best[3].some, (std::exp(3.0) + 2) / (std::exp(3.0) + 3), 1e-5);
  EXPECT_NEAR(g.best[3].odds, std::log(std::exp(3.0) + 2), 1e-5);
}

// A span's features change with the roles around it, and with what it is to other predicates.
TEST(ContextMaker, sees_other_roles_and_predicates) {
  const Input input = sentence_of(8);
  ContextMaker maker(labels());
  const auto features = [&](const std::vector<Guess>& guesses) {
    FeatureList out;
    maker.features(input, guesses, 0, 0, out);
    std::sort(out.begin(), out.end());
    return out;
  };
  const Candidate c{3, 5};
  const Guess alone = guess_of(2, {{c, {0, 2, 0}}});
  const Guess with_subject = guess_of(2, {{c, {0, 2, 0}}, {{0, 2}, {4, 0, 0}}});
  const Guess other = guess_of(6, {{c, {0, 3, 0}}});
  const FeatureList a = features({alone});
  EXPECT_EQ(a, features({alone}));
  EXPECT_NE(a, features({with_subject}));
  EXPECT_NE(a, features({alone, other}));
}

}  // namespace
}  // namespace entente::roles
