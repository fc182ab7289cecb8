// exact against an integer programming solver on the families it was not built around.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/families.h"
#include "bench/toulbar2.h"
#include "entente/solve.h"
#include "lp/lp.h"

namespace entente::bench {
namespace {

struct Part {
  std::string_view family;
  double scale;
  int most_variables;  // larger ones would take a sanitizer too long
};

class Agreement : public testing::TestWithParam<Part> {};

TEST_P(Agreement, ExactAndCbcSayTheSame) {
  if (!lp::find_backend("cbc")) GTEST_SKIP() << "no CBC here";
  Options exact, ilp;
  ilp.method = Method::ilp;
  ilp.presolve = false;
  exact.time_limit = ilp.time_limit = 20;
  Workspace workspace;
  Solution mine, theirs;
  Graph g;
  int compared = 0, infeasible = 0;
  for (const Raw& raw : make_family(GetParam().family, 77, GetParam().scale).problems) {
    build(raw, g);
    if (g.variable_count() > GetParam().most_variables) continue;
    solve(g, exact, workspace, mine);
    solve(g, ilp, workspace, theirs);
    const auto* named = std::get_if<GraphProblem>(&raw);
    const std::string what = named ? named->kind : std::string(GetParam().family);
    if (mine.status == Status::optimal) {
      EXPECT_NEAR(g.evaluate(mine.assignment), mine.value, 1e-7) << what;
      EXPECT_NE(theirs.status, Status::infeasible) << what;
    }
    if (theirs.status != Status::optimal && theirs.status != Status::infeasible) continue;
    ++compared;
    infeasible += theirs.status == Status::infeasible;
    ASSERT_EQ(mine.status, theirs.status) << what;
    if (mine.status == Status::optimal) {
      EXPECT_NEAR(mine.value, theirs.value, 1e-6 * std::max(1.0, std::abs(theirs.value))) << what;
    }
  }
  EXPECT_GE(compared, 4);
  if (GetParam().family == "mixed" || GetParam().family == "classic") {
    EXPECT_GE(infeasible, 1);
  }
}

// Intervals beside wide rows, where the relaxation is whole and no dive keeps it: what branching
// reads then must be what was evaluated last.
TEST(AgreementOnOne, BranchingAfterAWholeRelaxation) {
  const Family family = make_family("mixed", 77, 0.2);
  Graph g;
  build(family.problems[15], g);
  const Solution s = solve(g, {});
  ASSERT_EQ(s.status, Status::optimal);
  EXPECT_NEAR(g.evaluate(s.assignment), s.value, 1e-7);
}

TEST(Toulbar2, AnswersOfGroupsAndFreeVariablesAreRead) {
  if (!toulbar2_installed()) GTEST_SKIP() << "no toulbar2 here";
  Graph g;
  g.add_variable(0.5);
  const Group a = g.add_group({0.0, 1.0, 2.0});
  const Var x = g.add_variable(1.5);
  g.add_not_both(x, a[2]);
  const Toulbar2Answer answer = run_toulbar2(g, 5);
  ASSERT_TRUE(answer.proved);
  EXPECT_EQ(answer.assignment, (std::vector<std::uint8_t>{1, 0, 1, 0, 1}));
}

INSTANTIATE_TEST_SUITE_P(Families, Agreement,
                         testing::Values(Part{"mixed", 0.2, 130}, Part{"rows", 0.04, 4000},
                                         Part{"sparse", 1.0, 3000}, Part{"classic", 0.4, 400},
                                         Part{"documents", 1.0, 600}),
                         [](const auto& part) { return std::string(part.param.family); });

}  // namespace
}  // namespace entente::bench
