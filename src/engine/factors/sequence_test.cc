#include <gtest/gtest.h>

#include "engine/factors/factor.h"
#include "engine/factors/test_kit.h"
#include "entente/error.h"
#include "kit/enumerate.h"

namespace entente {
namespace {

TEST(Sequence, RefusesWrongSizesAndNumbers) {
  EXPECT_THROW(make_sequence(0, 2, {0, 0, 0, 0}), Error);
  EXPECT_THROW(make_sequence(3, 0, {}), Error);
  EXPECT_THROW(make_sequence(3, 2, {0, 0, 0}), Error);
  EXPECT_THROW(make_sequence(3, 2, std::vector<double>(12)), Error);
  EXPECT_THROW(make_sequence(2, 1, {kInfinity}), Error);
  EXPECT_THROW(make_sequence(2, 1, {std::nan("")}), Error);
  EXPECT_EQ(make_sequence(3, 2, std::vector<double>(8))->size(), 6);
  EXPECT_EQ(make_sequence(1, 2, {})->size(), 2);
}

TEST(Sequence, TellsWhatAFileNeedsToMakeItAgain) {
  auto s = make_sequence(3, 2, {1, -2, -kInfinity, 0.5});
  EXPECT_EQ(s->type(), "sequence");
  ASSERT_EQ(s->shape().size(), 2u);
  auto again =
      make_sequence(s->shape()[0], s->shape()[1], {s->scores().begin(), s->scores().end()});
  auto copy = s->clone();
  for (int bits = 0; bits < 64; ++bits) {
    std::vector<std::uint8_t> z(6);
    for (int l = 0; l < 6; ++l) z[l] = bits >> l & 1;
    EXPECT_EQ(s->own_score(z), again->own_score(z));
    EXPECT_EQ(s->own_score(z), copy->own_score(z));
    if (s->own_score(z) == -kInfinity) continue;
    EXPECT_LE(std::fabs(s->own_score(z)), s->own_range());
  }
}

TEST(Sequence, ExpandsToTheSameProblem) {
  Random r(31);
  for (int round = 0; round < 600; ++round) {
    kit::Case c(r, Shape::structured, 9, false);
    if (c.view().structured->type() != "sequence") continue;
    Graph chain, expanded;
    std::vector<Literal> links;
    for (int l = 0; l < c.links(); ++l) {
      const double score = r.between(-2, 2);
      links.push_back(Literal(chain.add_variable(score), l % 2 == 1));
      expanded.add_variable(score);
    }
    chain.add_structured(links, c.view().structured->clone());
    ASSERT_TRUE(c.view().structured->expand(expanded, links, expanded.rule("chain")));
    std::vector<std::uint8_t> z(links.size());
    for (std::uint32_t bits = 0; bits < 1u << z.size(); ++bits) {
      for (std::size_t v = 0; v < z.size(); ++v) z[v] = bits >> v & 1;
      const double a = chain.evaluate(z), b = expanded.evaluate(z);
      if (a == -kInfinity) {
        ASSERT_EQ(a, b);
      } else {
        ASSERT_NEAR(a, b, 1e-12);
      }
    }
  }
}

TEST(Sequence, SoftOnesCannotBeExpanded) {
  Graph g;
  std::vector<Literal> links{g.add_variable(0), g.add_variable(0)};
  EXPECT_FALSE(make_sequence(1, 2, {})->expand(g, links, g.rule("soft", 1.0)));
  EXPECT_EQ(g.factor_count(), 0);
}

}  // namespace
}  // namespace entente
