#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/frames.h"
#include "entente/formats.h"
#include "entente/verify.h"
#include "tasks/frames/decode.h"
#include "tasks/frames/decode_test_kit.h"

namespace entente::frames {
namespace {

bool names(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

Verdict verify_texts(const FrameExplanation& e) {
  Graph g;
  read_graph(e.problem, Format::json, "problem", g);
  return verify(g, read_certificate(g, e.certificate, "certificate"));
}

TEST(Explain, NamesRulesMarginsAndTheRunnerUp) {
  const framenet::Frame f = kit::similarity();
  const ArgumentProblem p =
      kit::problem_of(f, {{0, 2}, {3, 5}}, {{2.0f, -1}, {-1, 1.5f}, {2.25f, -2}, {-4, -4}});
  ArgumentDecision d;
  std::vector<double> margins;
  const FrameExplanation e = explain(f, p, {}, d, margins);
  EXPECT_EQ(d.span_of, (std::vector<int>{0, 1, -1, -1}));
  EXPECT_TRUE(d.proven);
  EXPECT_NEAR(d.value, 3.5, 1e-6);
  EXPECT_NEAR(d.bound, 3.5, 1e-6);
  // Without the two entities the best is Entities alone.
  EXPECT_EQ(margins.size(), 4u);
  EXPECT_NEAR(margins[0], 1.25, 1e-6);
  EXPECT_NEAR(margins[1], 1.25, 1e-6);
  EXPECT_EQ(margins[2], 0);
  ASSERT_EQ(e.runner_up.size(), 1u);
  EXPECT_EQ(e.runner_up[0].role, "Entities");
  EXPECT_NEAR(e.runner_up_value, 2.25, 1e-6);
  // The local choice has all three.
  EXPECT_EQ(e.broken_locally,
            (std::vector<std::string>{"no overlap", "Similarity: Entity_1 excludes Entities",
                                      "Similarity: Entity_2 excludes Entities"}));
  // Entities could be worth its 2.25 beside Entity_2 alone only if two rules fell at once: both
  // exclusions and no overlap stand in the way together, and none of them alone.
  EXPECT_TRUE(e.active_rules.empty());
  const Verdict verdict = verify_texts(e);
  EXPECT_TRUE(verdict.accepted) << verdict.reason;
  EXPECT_TRUE(verdict.optimal);
}

TEST(Explain, ARuleIsActiveIfSomethingElseWouldWinWithoutIt) {
  const framenet::Frame f = kit::frame_of("F", {"A", "B"});
  const ArgumentProblem p = kit::problem_of(f, {{0, 2}, {1, 3}}, {{2, -1}, {-1, 1}});
  ArgumentDecision d;
  std::vector<double> margins;
  const FrameExplanation e = explain(f, p, {}, d, margins);
  EXPECT_EQ(d.span_of, (std::vector<int>{0, -1}));
  EXPECT_EQ(e.active_rules, std::vector<std::string>{"no overlap"});
  EXPECT_NEAR(margins[0], 1.0, 1e-6);
}

TEST(Explain, SaysWhichRulesCannotAllHold) {
  const framenet::Frame f = kit::similarity();
  const ArgumentProblem p =
      kit::problem_of(f, {{0, 2}, {3, 5}}, {{2.0f, -1}, {-1, 1.5f}, {2.25f, -2}, {-4, -4}});
  RuleSet rules;
  rules.require = {{"", "Entities"}, {"Similarity", "Entity_1"}};
  ArgumentDecision d;
  std::vector<double> margins;
  const FrameExplanation e = explain(f, p, rules, d, margins);
  EXPECT_FALSE(d.feasible);
  EXPECT_FALSE(d.proven);
  EXPECT_EQ(d.span_of, (std::vector<int>{0, 1, -1, -1}));  // as without `require`
  EXPECT_TRUE(names(e.active_rules, "Similarity: Entities is required"));
  EXPECT_TRUE(names(e.active_rules, "Similarity: Entity_1 is required"));
  EXPECT_TRUE(names(e.active_rules, "Similarity: Entity_1 excludes Entities"));
  EXPECT_TRUE(verify_texts(e).optimal);
}

TEST(Explain, ARequiredArgumentHasNoOther) {
  const framenet::Frame f = kit::frame_of("F", {"A"});
  const ArgumentProblem p = kit::problem_of(f, {{0, 2}}, {{-2}});
  RuleSet rules;
  rules.require = {{"F", "A"}};
  ArgumentDecision d;
  std::vector<double> margins;
  const FrameExplanation e = explain(f, p, rules, d, margins);
  EXPECT_EQ(d.span_of, std::vector<int>{0});
  EXPECT_TRUE(std::isinf(margins[0]));
  EXPECT_TRUE(e.runner_up.empty());
  EXPECT_EQ(e.active_rules, std::vector<std::string>{"F: A is required"});
  const auto arguments = to_arguments(f, p, d.span_of, margins);
  ASSERT_EQ(arguments.size(), 1u);
  EXPECT_EQ(arguments[0].words.end, 2);
  EXPECT_EQ(arguments[0].score, -2);
}

// Spans given twice still have names that read back.
TEST(Explain, WritesProblemsThatReadBack) {
  const framenet::Frame f = kit::frame_of("F", {"A", "B"});
  const ArgumentProblem p = kit::problem_of(f, {{0, 2}, {0, 2}}, {{2, 1}, {1, 1.5f}});
  ArgumentDecision d;
  std::vector<double> margins;
  EXPECT_TRUE(verify_texts(explain(f, p, {}, d, margins)).optimal);
}

TEST(Explain, ItsProofIsOfWhatExactFinds) {
  for (int seed = 0; seed < 500; ++seed) {
    Random r(seed);
    const kit::RandomCase c = kit::random_case(r);
    ArgumentDecision proved, fast;
    std::vector<double> margins;
    const FrameExplanation e = explain(c.frame, c.problem, c.rules, proved, margins);
    Decoder().decode(c.frame, c.problem, c.rules, fast);
    ASSERT_NEAR(proved.value, fast.value, 1e-6) << seed;
    ASSERT_EQ(proved.feasible, fast.feasible) << seed;
    ASSERT_EQ(proved.proven, fast.proven) << seed;
    const Verdict verdict = verify_texts(e);
    ASSERT_TRUE(verdict.optimal) << seed << verdict.reason;
    ASSERT_NEAR(verdict.value, fast.value, 1e-6) << seed;
  }
  const bench::FrameProblems p = bench::make_frame_problems(60, 4);
  for (std::size_t i = 0; i < p.predicates.size(); ++i) {
    ArgumentDecision proved, fast;
    std::vector<double> margins;
    const FrameExplanation e = explain(p.frames[i], p.predicates[i].problem, {}, proved, margins);
    Decoder().decode(p.frames[i], p.predicates[i].problem, {}, fast);
    ASSERT_NEAR(proved.value, fast.value, 1e-6) << i;
    ASSERT_TRUE(verify_texts(e).optimal) << i;
  }
}

}  // namespace
}  // namespace entente::frames
