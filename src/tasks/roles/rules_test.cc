#include "tasks/roles/rules.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "entente/error.h"
#include "kit/cases.h"

namespace entente::roles {
namespace {

RoleLabels test_labels() {
  return RoleLabels::from_names({"", "ARG0", "ARG1", "C-ARG1", "R-ARG0", "ARGM-TMP"});
}

RoleProblem random_problem(Random& random, int labels, int candidates) {
  RoleProblem p;
  p.labels = labels;
  for (int c = 0; c < candidates; ++c) {
    const int begin = random.between(0, 6);
    p.candidates.push_back({.begin = begin, .end = begin + random.between(1, 3)});
    p.scores.push_back(0);
    for (int l = 1; l < labels; ++l) p.scores.push_back(static_cast<float>(random.normal(0, 2)));
  }
  return p;
}

// The rules again, in other words than the decoder's.
bool lawful(const RoleProblem& p, const RoleLabels& labels, const std::vector<int>& of,
            const std::vector<char>& allowed, const RoleRules& rules) {
  propbank::Proposition proposition;
  for (std::size_t c = 0; c < of.size(); ++c) {
    if (of[c] == 0) continue;
    const std::string& name = labels.names[of[c]];
    for (const std::string& f : rules.forbid) {
      if (f == name) return false;
    }
    if (rules.frame && !allowed.empty() && !allowed[of[c]]) return false;
    proposition.roles.push_back({name, p.candidates[c].begin, p.candidates[c].end});
  }
  for (const std::string& r : rules.require) {
    bool there = false;
    for (const auto& x : proposition.roles) there |= x.label == r;
    if (!there) return false;
  }
  for (std::size_t i = 0; i < proposition.roles.size(); ++i) {
    const propbank::RoleSpan& a = proposition.roles[i];
    bool before = false, there = false;
    for (std::size_t j = 0; j < proposition.roles.size(); ++j) {
      const propbank::RoleSpan& b = proposition.roles[j];
      if (i == j) continue;
      if (rules.overlap && std::max(a.begin, b.begin) < std::min(a.end, b.end)) return false;
      if (rules.once && a.label == b.label && propbank::is_numbered(a.label)) return false;
      there |= b.label == propbank::bare_role(a.label);
      before |= b.label == propbank::bare_role(a.label) && b.begin < a.begin;
    }
    if (rules.continues && a.label.starts_with("C-") && !before) return false;
    if (rules.refers && a.label.starts_with("R-") && !there) return false;
  }
  return true;
}

// The best value over all choices; -1: none obeys.
double enumerated(const RoleProblem& p, const RoleLabels& labels, const std::vector<char>& allowed,
                  const RoleRules& rules) {
  std::vector<int> of(p.candidates.size(), 0);
  double best = -1e9;
  while (true) {
    if (lawful(p, labels, of, allowed, rules)) {
      double value = 0;
      for (std::size_t c = 0; c < of.size(); ++c) value += p.score(c, of[c]);
      best = std::max(best, value);
    }
    std::size_t c = 0;
    while (c < of.size() && ++of[c] == p.labels) of[c++] = 0;
    if (c == of.size()) return best;
  }
}

void compare_with_enumeration(bool use_search) {
  Random random(5);
  const RoleLabels labels = test_labels();
  RoleDecoder decoder(labels);
  decoder.use_search = use_search;
  RoleDecision decision;
  int searched = 0, refused = 0;
  for (int round = 0; round < random_cases(300); ++round) {
    const RoleProblem p = random_problem(random, labels.size(), random.between(1, 5));
    RoleRules rules;
    for (std::string_view name : RoleRules::names()) {
      if (random.chance(0.2)) rules.switch_rule(name, false);
    }
    if (random.chance(0.2)) rules.require = {labels.names[random.between(1, 4)]};
    if (random.chance(0.2)) rules.forbid = {"ARG1"};
    std::vector<char> allowed;
    if (random.chance(0.3)) allowed = {1, 1, 0, 0, 1, 1};
    decoder.decode(p, allowed, rules, decision);
    double want = enumerated(p, labels, allowed, rules);
    EXPECT_EQ(decision.feasible, want > -1e8);
    if (want < -1e8) {
      rules.require.clear();
      want = enumerated(p, labels, allowed, rules);
      ++refused;
    }
    EXPECT_TRUE(decision.proven);
    EXPECT_TRUE(lawful(p, labels, decision.label_of, allowed, rules)) << "round " << round;
    EXPECT_NEAR(decision.value, want, 1e-5) << "round " << round;
    searched += !decision.local;
  }
  EXPECT_GT(searched, covered(50));
  EXPECT_GT(refused, covered(3));
}

TEST(RoleDecoder, search_equals_enumeration_under_any_rules) { compare_with_enumeration(true); }
TEST(RoleDecoder, engine_equals_enumeration_under_any_rules) { compare_with_enumeration(false); }

TEST(RoleDecoder, search_and_engine_agree_on_many_candidates) {
  Random random(8);
  const RoleLabels labels = test_labels();
  RoleDecoder search(labels), engine(labels);
  engine.use_search = false;
  RoleDecision a, b;
  for (int round = 0; round < random_cases(100); ++round) {
    const RoleProblem p = random_problem(random, labels.size(), random.between(6, 12));
    search.decode(p, {}, {}, a);
    engine.decode(p, {}, {}, b);
    EXPECT_NEAR(a.value, b.value, 1e-5) << "round " << round;
  }
}

TEST(RoleRules, unknown_names_are_refused_with_the_nearest) {
  RoleRules rules;
  try {
    rules.switch_rule("overlaps", false);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean \"overlap\""), std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace entente::roles
