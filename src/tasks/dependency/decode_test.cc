#include "tasks/dependency/decode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "entente/solve.h"
#include "entente/verify.h"
#include "kit/cases.h"
#include "kit/trees.h"
#include "oracle/tree_parts_kit.h"

namespace entente::dependency {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

struct Best {
  explicit Best(int most) {
    for (int words = 0; words <= most; ++words) trees.push_back(entente::kit::all_trees(words));
  }
  double of(const trees::kit::Problem& p, const DecodeOptions& o) const {
    double best = kNone;
    for (const auto& heads : trees[p.parts.words]) {
      if (o.projective && !entente::kit::is_projective(heads)) continue;
      if (o.single_root && !entente::kit::has_single_root(heads)) continue;
      best = std::max(best, score_of(p.parts, p.scores, heads));
    }
    return best;
  }
  std::vector<std::vector<entente::kit::Heads>> trees;
};

void check_claims(const trees::kit::Problem& p, const DecodeOptions& o, const Decoded& d,
                  double best) {
  if (best == kNone) {
    ASSERT_EQ(d.status, Status::infeasible);
    ASSERT_EQ(d.value, kNone);
    return;
  }
  ASSERT_TRUE(d.status == Status::optimal || d.status == Status::feasible);
  const double slack = 1e-7 * std::max(1.0, std::fabs(best));
  ASSERT_GE(d.bound, best - slack);
  const entente::kit::Heads heads(d.heads.begin(), d.heads.end());
  ASSERT_TRUE(entente::kit::is_tree(heads));
  ASSERT_TRUE(!o.single_root || entente::kit::has_single_root(heads));
  ASSERT_TRUE(!o.projective || entente::kit::is_projective(heads));
  ASSERT_NEAR(score_of(p.parts, p.scores, heads), d.value, 1e-9);
  if (d.status == Status::optimal) {
    ASSERT_NEAR(d.value, best, slack);
    ASSERT_NEAR(d.bound, d.value, slack);
  }
}

TEST(Decode, FindsTheBestTreeOfAllAndProvesIt) {
  Random r(1);
  Decoder decoder;
  const Best best(6);
  for (int round = 0; round < random_cases(4000); ++round) {
    const int words = round % 50 == 0 ? 6 : r.between(1, 5);
    const Order order = r.chance(0.2) ? Order::first : Order::second;
    const auto p = trees::kit::random_problem(r, words, order);
    DecodeOptions o;
    o.projective = r.chance(0.5);
    o.single_root = r.chance(0.5);
    const Decoded d = decoder.decode(p.parts, p.scores, o);
    const double want = best.of(p, o);
    check_claims(p, o, d, want);
    ASSERT_EQ(d.status, want == kNone ? Status::infeasible : Status::optimal) << "round " << round;
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

TEST(Decode, KeepsTheNextBestTreesOfTheProjectiveProgram) {
  Random r(9);
  Decoder decoder;
  const Best best(5);
  TreeList list;
  for (int round = 0; round < random_cases(400); ++round) {
    const auto p = trees::kit::random_problem(r, r.between(1, 5), Order::second);
    const DecodeOptions o{.projective = r.chance(0.8), .single_root = r.chance(0.5)};
    const int k = r.between(1, 6);
    const Decoded d = decoder.decode(p.parts, p.scores, o);
    const double value = d.value;
    decoder.k_best(k, list);
    const bool made = o.projective && !p.parts.siblings.empty() && value != kNone;
    if (!made) {
      ASSERT_TRUE(list.values.empty()) << "round " << round;
      continue;
    }
    std::vector<double> all;
    for (const auto& heads : best.trees[p.parts.words]) {
      if (!entente::kit::is_projective(heads)) continue;
      if (o.single_root && !entente::kit::has_single_root(heads)) continue;
      const double score = score_of(p.parts, p.scores, heads);
      if (score != kNone) all.push_back(score);
    }
    std::sort(all.begin(), all.end(), std::greater<>());
    ASSERT_EQ(list.values.size(), std::min<std::size_t>(k, all.size())) << "round " << round;
    for (std::size_t t = 0; t < list.values.size(); ++t) {
      const entente::kit::Heads heads(list.tree(t).begin(), list.tree(t).end());
      ASSERT_NEAR(list.values[t], all[t], 1e-9) << "round " << round;
      ASSERT_NEAR(score_of(p.parts, p.scores, heads), all[t], 1e-9) << "round " << round;
    }
  }
}

TEST(Decode, EngineMethodsClaimOnlyWhatIsTrueAndMostlyProveIt) {
  Random r(2);
  Decoder decoder;
  const Best best(5);
  int proven = 0, rounds = random_cases(400);
  for (int round = 0; round < rounds; ++round) {
    const auto p = trees::kit::random_problem(r, r.between(1, 5), Order::second);
    DecodeOptions o;
    o.projective = r.chance(0.5);
    o.single_root = r.chance(0.5);
    o.method = round % 2 == 0 ? Method::ad3 : Method::subgradient;
    const Decoded d = decoder.decode(p.parts, p.scores, o);
    const double want = best.of(p, o);
    check_claims(p, o, d, want);
    if (HasFatalFailure()) FAIL() << "round " << round;
    proven += d.status != Status::feasible;
  }
  EXPECT_GT(proven, rounds * 0.8);
}

TEST(Decode, CertificatesOfTheBuiltProblemVerify) {
  Random r(3);
  const Best best(5);
  Workspace workspace;
  for (int round = 0; round < random_cases(150); ++round) {
    const auto p = trees::kit::random_problem(r, r.between(1, 5), Order::second);
    DecodeOptions o;
    o.projective = r.chance(0.5);
    o.single_root = r.chance(0.5);
    Graph graph;
    build(p.parts, p.scores, o, graph);
    Options options;
    options.certificate = true;
    const Solution s = solve(graph, options, workspace);
    const double want = best.of(p, o);
    ASSERT_EQ(s.status, want == kNone ? Status::infeasible : Status::optimal) << "round " << round;
    if (want != kNone) {
      ASSERT_NEAR(s.value, want, 1e-6);
    }
    const Verdict v = verify(graph, s.certificate);
    ASSERT_TRUE(v.accepted) << "round " << round << ": " << v.reason;
    ASSERT_TRUE(v.optimal);
  }
}

TEST(Decode, LimitsLeaveAnHonestBound) {
  Random r(4);
  Decoder decoder, limited;
  int open = 0;
  for (int round = 0; round < random_cases(150); ++round) {
    const auto p = trees::kit::likely_problem(r, r.between(5, 20), 5, 1.7);
    DecodeOptions o;
    const Decoded full = decoder.decode(p.parts, p.scores, o);
    ASSERT_EQ(full.status, Status::optimal);
    o.max_iterations = 3;
    o.max_nodes = 1;
    const Decoded d = limited.decode(p.parts, p.scores, o);
    open += d.status == Status::feasible;
    ASSERT_LE(d.value, full.value + 1e-6);
    ASSERT_GE(d.bound, full.value - 1e-6);
  }
  EXPECT_GT(open, covered(20));
}

TEST(Decode, ExactAgreesWithTheEngineOnLongerProblems) {
  Random r(5);
  Decoder decoder;
  Workspace workspace;
  for (int round = 0; round < 20; ++round) {
    const auto p = trees::kit::likely_problem(r, r.between(8, 14), 5, 1.5);
    DecodeOptions o;
    o.projective = round % 2 == 0;
    const Decoded d = decoder.decode(p.parts, p.scores, o);
    ASSERT_EQ(d.status, Status::optimal);
    Graph graph;
    build(p.parts, p.scores, o, graph);
    Options options;
    options.method = entente::Method::branch_and_bound;
    const Solution s = solve(graph, options, workspace);
    ASSERT_EQ(s.status, Status::optimal);
    ASSERT_NEAR(s.value, d.value, 1e-5);
  }
}

}  // namespace
}  // namespace entente::dependency
