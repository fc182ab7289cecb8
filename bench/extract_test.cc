#include <gtest/gtest.h>

#include "bench/extract_problems.h"
#include "schema/test_kit.h"

namespace entente::bench {
namespace {

TEST(BenchExtract, GreedyAndBeamKeepTheRulesAndNeverBeatTheProof) {
  const schema::Schema s = stress_schema(false);
  schema::Extractor extractor(s);
  int worse = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    schema::Candidates c = make_stress(s, 28, 232, seed);
    ASSERT_EQ(c.spans.size(), 28u);
    ASSERT_EQ(c.pairs.size(), 232u);
    schema::Extraction e;
    extractor.run(c, {}, e);
    ASSERT_EQ(e.status, Status::optimal);
    schema::kit::Judge judge(s, c);
    EXPECT_NEAR(judge.value(e.chosen), e.value, 1e-6);
    for (const schema::Choice& choice : {greedy(s, c), beam(s, c, 32)}) {
      EXPECT_NEAR(judge.value(choice), choice.value, 1e-6);
      EXPECT_LE(choice.value, e.value + 1e-6);
      worse += choice.value < e.value - 1e-6;
    }
    EXPECT_GE(beam(s, c, 32).value, beam(s, c, 1).value - 1e-6);
  }
  EXPECT_GT(worse, 10);  // the problems ask for more than greed
}

TEST(BenchExtract, TheSameSeedGivesTheSameCandidates) {
  const schema::Schema s = stress_schema(true);
  const schema::Candidates a = make_document(s, 100, 500, 7), b = make_document(s, 100, 500, 7);
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (std::size_t i = 0; i < a.pairs.size(); ++i) EXPECT_EQ(a.pairs[i].weight, b.pairs[i].weight);
  // Sentences do not reach into each other.
  for (const schema::Span& x : a.spans) {
    for (const schema::Span& y : a.spans)
      EXPECT_TRUE(x.sentence >= y.sentence || x.finish <= y.begin);
  }
}

}  // namespace
}  // namespace entente::bench
