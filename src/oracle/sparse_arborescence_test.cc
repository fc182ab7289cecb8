#include "oracle/sparse_arborescence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kit/cases.h"
#include "kit/trees.h"
#include "oracle/arborescence.h"
#include "oracle/max_sum.h"
#include "oracle/tree_parts_kit.h"

namespace entente {
namespace {

// The dense algorithm, itself compared with enumeration, over the same arcs.
TEST(SparseArborescence, IsWorthWhatTheDenseOneIs) {
  Random r(1);
  TreeWorkspace dense_work;
  SparseTreeWorkspace work;
  int impossible = 0, several = 0;
  for (int round = 0; round < random_cases(4000); ++round) {
    const int words = round % 50 == 0 ? r.between(30, 60) : r.between(1, 9), n = words + 1;
    const auto p = trees::kit::random_problem(r, words, trees::Order::first);
    std::vector<double> scores = p.scores.arcs;
    if (r.chance(0.3)) {
      for (double& x : scores) x = r.chance(0.3) ? kForbidden : x;
    }
    if (r.chance(0.2)) {
      for (std::size_t a = 0; a < scores.size(); ++a)
        scores[a] += p.parts.arcs[a].head == 0 ? 5 : 0;
    }
    std::vector<double> dense(n * n, kForbidden);
    for (std::size_t a = 0; a < scores.size(); ++a) {
      dense[p.parts.arcs[a].head * n + p.parts.arcs[a].modifier] = scores[a];
    }
    for (bool single : {false, true}) {
      kit::Heads heads(words), chosen(words, -1);
      const double want = best_arborescence(words, dense, single, heads, dense_work);
      several += !single && want != kForbidden && !kit::has_single_root(heads);
      const double got = best_sparse_arborescence(p.parts, scores, single, chosen, work);
      if (want == kForbidden) {
        ++impossible;
        ASSERT_EQ(got, kForbidden) << "round " << round;
        continue;
      }
      ASSERT_NEAR(got, want, 1e-10 * (1 + std::fabs(want))) << "round " << round;
      double sum = 0;
      for (int m = 1; m <= words; ++m) {
        ASSERT_EQ(p.parts.arcs[chosen[m - 1]].modifier, m);
        heads[m - 1] = p.parts.arcs[chosen[m - 1]].head;
        sum += scores[chosen[m - 1]];
      }
      ASSERT_TRUE(kit::is_tree(heads));
      ASSERT_TRUE(!single || kit::has_single_root(heads));
      ASSERT_NEAR(sum, got, 1e-10 * (1 + std::fabs(want)));
    }
  }
  EXPECT_GT(impossible, covered(100));
  EXPECT_GT(several, covered(500));
}

}  // namespace
}  // namespace entente
