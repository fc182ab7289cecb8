#include "tasks/frames/arguments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "kit/cases.h"

namespace entente::frames {
namespace {

TEST(ByShare, IsTheLogOddsOfTheSpanAgainstAllElseLessThoseOfTheLeastShare) {
  for (int i = 0; i < random_cases(300); ++i) {
    Random random(static_cast<std::uint64_t>(i) + 1);
    std::vector<float> scores(static_cast<std::size_t>(1 + random.below(12)));
    for (float& s : scores) s = static_cast<float>(random.uniform(-8, 8));
    const double least = random.uniform(0.05, 0.95);
    std::vector<float> found = scores;
    by_share(found, least);
    long double total = 1;  // the null span
    for (float s : scores) total += std::exp(static_cast<long double>(s));
    for (std::size_t s = 0; s < scores.size(); ++s) {
      const long double p = std::exp(static_cast<long double>(scores[s])) / total;
      const long double odds = std::log(p / (1 - p)) - std::log(least / (1 - least));
      EXPECT_NEAR(found[s], static_cast<double>(odds), 1e-4) << "case " << i;
      EXPECT_EQ(found[s] > 0, p > least) << "case " << i;
    }
  }
}

TEST(ByShare, StaysFiniteWhereTheScoresAreFarApart) {
  std::vector<float> scores = {900, -900, 880, 0};
  by_share(scores, 0.3);
  for (float s : scores) EXPECT_TRUE(std::isfinite(s));
  EXPECT_GT(scores[0], 15);
  EXPECT_LT(scores[1], -1000);
}

TEST(ByShare, SpansThatShareWhatSpeaksAgainstNullMayAllBeLeftOut) {
  std::vector<float> one = {1.0f}, four = {1.0f, 1.0f, 1.0f, 1.0f};
  by_share(one, 0.3);
  by_share(four, 0.3);
  EXPECT_GT(one[0], 0);
  EXPECT_LT(four[0], 0);
  std::vector<float> none;
  by_share(none, 0.3);  // nothing to do
}

}  // namespace
}  // namespace entente::frames
