// One suite for every solver: what it says must be true of graphs that mix every kind of factor.
#include <gtest/gtest.h>

#include <cmath>

#include "entente/solve.h"
#include "entente/verify.h"
#include "kit/cases.h"
#include "kit/enumerate.h"
#include "kit/random_graph.h"
#include "lp/lp.h"

namespace entente {
namespace {

using kit::families;
using kit::Family;

// What must hold of any solver's answer on any graph.
void check_claims(const Graph& g, const Solution& s, double best) {
  switch (s.status) {
    case Status::optimal:
      ASSERT_NEAR(s.value, best, 1e-6);
      ASSERT_NEAR(g.evaluate(s.assignment), s.value, 1e-9);
      break;
    case Status::feasible:
      ASSERT_NEAR(g.evaluate(s.assignment), s.value, 1e-9);
      ASSERT_LE(s.value, best + 1e-9);
      break;
    case Status::infeasible:
      ASSERT_EQ(best, -kInfinity);
      ASSERT_TRUE(s.assignment.empty());
      break;
    case Status::unknown:
      ASSERT_EQ(s.value, -kInfinity);
      break;
  }
  ASSERT_GE(s.bound, best - 1e-7) << "a bound below the optimum";
}

void run(const Options& o, int cases, bool must_be_exact) {
  Workspace ws;
  for (const Family& family : families()) {
    // Trees have no form that the backends take.
    const bool backend = o.method == Method::ilp || o.method == Method::lp;
    if (backend && family.options.trees) continue;
    for (int i = 0; i < random_cases(cases); ++i) {
      Random r(1000 + i);
      Graph g = kit::random_graph(r, family.options);
      for (int k = i % 2 == 1 ? r.below(4) : 0; k > 0; --k) {
        g.fix(Var{r.below(g.variable_count())}, r.chance(0.5));
      }
      SCOPED_TRACE(std::string(family.name) + ", case " + std::to_string(i));
      const double best = kit::best_value(g);
      const Solution s = solve(g, o, ws);
      check_claims(g, s, best);
      if (must_be_exact) {
        ASSERT_EQ(s.status, best == -kInfinity ? Status::infeasible : Status::optimal);
      }
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

Options with(Method m) {
  Options o;
  o.method = m;
  return o;
}

TEST(Conformance, ExactAgreesWithEnumeration) { run(with(Method::exact), 500, true); }
TEST(Conformance, LocalClaimsOnlyWhatIsTrue) { run(with(Method::local), 150, false); }
TEST(Conformance, Ad3ClaimsOnlyWhatIsTrue) { run(with(Method::ad3), 60, false); }
TEST(Conformance, SubgradientClaimsOnlyWhatIsTrue) { run(with(Method::subgradient), 40, false); }
TEST(Conformance, BranchAndBoundAgreesWithEnumeration) {
  run(with(Method::branch_and_bound), 60, true);
}
TEST(Conformance, BeamClaimsOnlyWhatIsTrue) {
  Options o = with(Method::beam);
  for (int width : {1, 2, 100}) {
    o.beam_width = width;
    run(o, 60, false);
  }
}
TEST(Conformance, IntegerProgramsAgreeWithEnumeration) {
  Options o = with(Method::ilp);
  for (std::string_view backend : {"cbc", "glpk"}) {
    if (lp::find_backend(backend) == nullptr) continue;
    o.backend = backend;
    run(o, 25, true);
    o.method = Method::lp;
    run(o, 25, false);
    o.method = Method::ilp;
  }
}
TEST(Conformance, PresolveChangesNoAnswer) {
  for (Method m : {Method::ad3, Method::branch_and_bound}) {
    Options o = with(m);
    o.presolve = false;
    run(o, 30, m == Method::branch_and_bound);
  }
}

TEST(Conformance, ExactCertificatesVerify) {
  Options o;
  o.certificate = true;
  Workspace ws;
  for (const Family& family : families()) {
    for (int i = 0; i < 60; ++i) {
      Random r(5000 + i);
      const Graph g = kit::random_graph(r, family.options);
      const Solution s = solve(g, o, ws);
      const Verdict v = verify(g, s.certificate);
      ASSERT_TRUE(v.accepted) << family.name << " case " << i << ": " << v.reason;
      ASSERT_TRUE(v.optimal) << family.name << " case " << i;
    }
  }
}

}  // namespace
}  // namespace entente
