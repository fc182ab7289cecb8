#include "tasks/frames/evaluate.h"

#include <gtest/gtest.h>

#include "bench/frames.h"
#include "tasks/frames/decode_test_kit.h"
#include "tasks/frames/decoder_table.h"

namespace entente::frames {
namespace {

FrameArgument argument(std::string role, int first, int last, bool core = true) {
  return {.role = std::move(role), .words = {first, last + 1}, .core = core};
}

FrameInstance instance(std::vector<int> target, std::string frame,
                       std::vector<FrameArgument> arguments) {
  FrameInstance out;
  out.target = std::move(target);
  out.frame = std::move(frame);
  out.arguments = std::move(arguments);
  return out;
}

// Gold: A 0-1, A 5-6 (twice the same role), B 3-3 (not core). Predicted: A 0-1 right, B 3-4 wrong
// span, C 5-6 wrong role.
TEST(ScoreArguments, ByHand) {
  const std::vector<FrameArgument> gold = {argument("A", 0, 1), argument("A", 5, 6),
                                           argument("B", 3, 3, false)};
  const std::vector<FrameArgument> predicted = {argument("A", 0, 1), argument("B", 3, 4, false),
                                                argument("C", 5, 6)};
  const ArgumentScore s = score_arguments(gold, predicted);
  EXPECT_EQ(s.plain.right, 1);
  EXPECT_EQ(s.plain.gold, 3);
  EXPECT_EQ(s.plain.predicted, 3);
  EXPECT_NEAR(s.plain.f1(), 100.0 / 3, 1e-9);
  EXPECT_EQ(s.weighted.right, 1);
  EXPECT_EQ(s.weighted.gold, 2.5);
  EXPECT_EQ(s.weighted.predicted, 2.5);
  EXPECT_NEAR(s.weighted.precision(), 40, 1e-9);
  EXPECT_NEAR(s.weighted.recall(), 40, 1e-9);
}

TEST(ScoreArguments, MatchesAGoldLabelOnce) {
  const std::vector<FrameArgument> one = {argument("A", 0, 1)};
  const std::vector<FrameArgument> twice = {argument("A", 0, 1), argument("A", 0, 1)};
  EXPECT_EQ(score_arguments(one, twice).plain.right, 1);
  EXPECT_EQ(score_arguments(twice, one).plain.right, 1);
  EXPECT_EQ(score_arguments(twice, twice).plain.right, 2);
}

TEST(Counts, OfNothingAreZeroPercent) {
  EXPECT_EQ(Counts{}.precision(), 0);
  EXPECT_EQ(Counts{}.recall(), 0);
  EXPECT_EQ(Counts{}.f1(), 0);
}

// Gold: words 1 evoke F with A 0-0 and B 2-3 (not core); 4 evokes G with A 5-5; 6 evokes H, no
// arguments. Predicted: F right with A right; 4 as K (wrong) with A 5-5; 7 as G with B 0-0, not
// core; 6 is missed.
TEST(FrameScorer, CountsArgumentsOfRightFramesOnlyByHand) {
  const std::vector<FrameInstance> gold = {
      instance({1}, "F", {argument("A", 0, 0), argument("B", 2, 3, false)}),
      instance({4}, "G", {argument("A", 5, 5)}), instance({6}, "H", {})};
  const std::vector<FrameInstance> predicted = {instance({1}, "F", {argument("A", 0, 0)}),
                                                instance({4}, "K", {argument("A", 5, 5)}),
                                                instance({7}, "G", {argument("B", 0, 0, false)})};
  FrameScorer scorer;
  scorer.add(gold, predicted);
  EXPECT_EQ(scorer.arguments().plain.right, 1);
  EXPECT_EQ(scorer.arguments().plain.gold, 3);
  EXPECT_EQ(scorer.arguments().plain.predicted, 3);
  EXPECT_EQ(scorer.arguments().weighted.right, 1);
  EXPECT_EQ(scorer.arguments().weighted.gold, 2.5);
  EXPECT_EQ(scorer.arguments().weighted.predicted, 2.5);
  EXPECT_EQ(scorer.targets().right, 2);
  EXPECT_EQ(scorer.frames().right, 1);
  EXPECT_NEAR(scorer.frame_accuracy(), 100.0 / 3, 1e-9);
  EXPECT_EQ(scorer.together().right, 2);   // a frame and an argument
  EXPECT_EQ(scorer.together().gold, 5.5);  // three frames, 2.5 of arguments
  EXPECT_EQ(scorer.together().predicted, 5.5);
}

TEST(FrameScorer, TwoFramesOfOneTargetFindTheirOwn) {
  const std::vector<FrameInstance> gold = {instance({1, 3}, "F", {argument("A", 0, 0)}),
                                           instance({1, 3}, "G", {argument("B", 0, 0)})};
  const std::vector<FrameInstance> predicted = {gold[1], gold[0]};
  FrameScorer scorer;
  scorer.add(gold, predicted);
  EXPECT_EQ(scorer.frames().right, 2);
  EXPECT_EQ(scorer.arguments().plain.right, 2);
  // One prediction can match only one of two gold frames, and it is the equal one.
  FrameScorer half;
  half.add(gold, std::vector<FrameInstance>{gold[1]});
  EXPECT_EQ(half.frames().right, 1);
  EXPECT_EQ(half.arguments().plain.right, 1);
  EXPECT_EQ(half.targets().right, 1);
}

TEST(FrameScorer, CountsWhatIsFoundForPredicatesThatHaveNothing) {
  const std::vector<FrameInstance> gold = {instance({1}, "F", {argument("A", 0, 0)}),
                                           instance({4}, "G", {}), instance({6}, "H", {})};
  const std::vector<FrameInstance> predicted = {
      instance({1}, "F", {argument("B", 2, 2)}),
      instance({4}, "G", {argument("A", 5, 5), argument("B", 0, 0)}),
      instance({6}, "K", {argument("A", 5, 5)})};  // the frame is wrong, whatever it has
  FrameScorer scorer;
  scorer.add(gold, predicted);
  EXPECT_EQ(scorer.needless(), 2);
}

TEST(ScoreDecision, AgreesWithTheScorerOfInstances) {
  framenet::Frame f = kit::similarity();
  ScoredPredicate p;
  p.problem = kit::problem_of(f, {{0, 2}, {3, 5}}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}});
  p.gold = {{"Entity_1", {0, 2}}, {"Dimension", {3, 5}}, {"Dimension", {7, 9}}};
  // Entity_1 right (core), Entity_2 wrong (core); two gold labels of Dimension (not core) missed.
  const ArgumentScore s = score_decision(f, p, std::vector<int>{0, 1, -1, -1});
  EXPECT_EQ(s.plain.right, 1);
  EXPECT_EQ(s.plain.predicted, 2);
  EXPECT_EQ(s.plain.gold, 3);
  EXPECT_EQ(s.weighted.gold, 2);
  EXPECT_EQ(s.weighted.predicted, 2);
  Coverage c;
  c.add(p);
  EXPECT_EQ(c.gold, 3);
  EXPECT_EQ(c.covered, 2);
  EXPECT_NEAR(c.recall(), 200.0 / 3, 1e-9);
  EXPECT_EQ(c.spans_a_predicate(), 2);
}

// Core-Unexpressed is not "Core" in the SemEval weighting.
TEST(ScoreDecision, OnlyCoreCountsInFull) {
  framenet::Frame f = kit::frame_of("F", {"A", "B"});
  f.roles[0].core = framenet::Core::kCoreUnexpressed;
  ScoredPredicate p;
  p.problem = kit::problem_of(f, {{0, 2}, {3, 5}}, {{1, 1}, {1, 1}});
  p.gold = {{"A", {0, 2}}, {"B", {3, 5}}, {"Unheard_of", {5, 6}}};
  const ArgumentScore s = score_decision(f, p, std::vector<int>{0, 1});
  EXPECT_EQ(s.weighted.right, 1.5);
  EXPECT_EQ(s.weighted.gold, 2);
}

TEST(DecoderTable, HasARowADecoderAndExactOnesAgree) {
  const bench::FrameProblems p = bench::make_frame_problems(150, 1);
  std::vector<DecoderSpec> decoders;
  for (const char* name : {"local", "beam_2", "lp", "ilp", "ad3", "ad3_exact", "exact"})
    decoders.push_back(parse_decoder(name));
  const DecoderTable t = compare_decoders(p.frames, p.predicates, {}, decoders, 2);
  EXPECT_EQ(t.rows.size() + t.left_out.size(), decoders.size());
  EXPECT_EQ(t.predicates, 150);
  const DecoderRow* exact = t.find("exact");
  ASSERT_NE(exact, nullptr);
  EXPECT_EQ(exact->violations, Violations{});
  EXPECT_EQ(exact->proven, 150);
  EXPECT_EQ(exact->times_exact, 1);
  EXPECT_GT(exact->seconds, 0);
  EXPECT_GT(exact->score.plain.f1(), 40);
  EXPECT_EQ(exact->score.plain.gold, static_cast<double>(t.coverage.gold));
  for (const char* name : {"ad3_exact", "ilp"}) {
    if (const DecoderRow* row = t.find(name)) {
      EXPECT_NEAR(row->total_value, exact->total_value, 1e-4) << name;
      EXPECT_EQ(row->violations, Violations{}) << name;
    }
  }
  EXPECT_GT(t.find("local")->violations.overlap, 0);
  EXPECT_EQ(t.find("beam_2")->violations.overlap, 0);
  EXPECT_GT(t.find("ad3")->tight, 0.9);
  DecoderTable without_cbc = t;
  without_cbc.left_out = {"ilp"};
  const std::string left_out = render(without_cbc);
  const std::size_t ilp = left_out.rfind("\nilp ");
  ASSERT_NE(ilp, std::string::npos);
  EXPECT_NE(left_out.substr(ilp + 1, left_out.find('\n', ilp + 1) - ilp - 1)
                .find("left out: this build has no CBC"),
            std::string::npos);
  const std::string text = render(t);
  EXPECT_NE(text.find("150 predicates"), std::string::npos);
  for (const DecoderRow& row : t.rows) EXPECT_NE(text.find("\n" + row.name), std::string::npos);
}

TEST(DecoderTable, OfNoPredicatesIsEmpty) {
  const DecoderTable t = compare_decoders({}, {}, {}, all_decoders(), 1);
  EXPECT_EQ(t.predicates, 0);
  EXPECT_FALSE(render(t).empty());
}

}  // namespace
}  // namespace entente::frames
