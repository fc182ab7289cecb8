// Limits hold by the wall clock for whatever is asked, and what is known by then is returned.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/random.h"
#include "entente/session.h"
#include "entente/solve.h"
#include "entente/verify.h"
#include "kit/cases.h"
#include "kit/random_graph.h"
#include "lp/lp.h"

namespace entente {
namespace {

using Clock = std::chrono::steady_clock;

// Hard for every method, and all zeros (first states) keep the rules.
Graph large(int variables) {
  Random r(3);
  Graph g;
  for (int v = 0; v < variables; ++v) g.add_variable(r.normal());
  for (int i = 0; i < 2 * variables; ++i) {
    const int a = r.below(variables), b = (a + r.between(1, variables - 1)) % variables;
    g.add_implies(Var{a}, Var{b});
  }
  std::vector<Literal> row;
  for (int i = 0; i < variables / 2; ++i) {
    row.clear();
    const int first = r.below(variables);
    for (int k = 0; k < 4; ++k) row.push_back(Var{(first + 1 + k * 97) % variables});
    g.add_at_most_one(row);
  }
  return g;
}

// Seconds on a machine that has other things to do: far more than the 0.2 that a quiet one needs,
// far less than what a limit that is not asked takes.
constexpr double kPatience = 3;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// All zeros keep the rules; the methods that were stopped had none to tell.
TEST(Limits, WhatIsStoppedTellsAnAnswerThatIsAtHand) {
  Random r(1);
  Graph g;
  constexpr int kItems = 60;
  std::vector<Literal> all;
  for (int v = 0; v < kItems; ++v) all.push_back(g.add_variable(r.uniform(1, 100)));
  std::vector<double> weights(kItems);
  for (int row = 0; row < 30; ++row) {
    for (double& w : weights) w = r.uniform(1, 100);
    g.add_linear(all, weights, -kInfinity, 500);
  }
  const std::atomic<bool> stop = true;
  for (Method method : {Method::exact, Method::beam, Method::ad3, Method::subgradient,
                        Method::branch_and_bound, Method::ilp}) {
    if (method == Method::ilp && !lp::find_backend("cbc")) continue;
    Options o;
    o.method = method;
    o.stop = &stop;
    const Solution s = solve(g, o);
    ASSERT_TRUE(s.status == Status::feasible || s.status == Status::optimal) << method_name(method);
    EXPECT_EQ(s.value, g.evaluate(s.assignment)) << method_name(method);
    EXPECT_GE(s.bound, s.value) << method_name(method);
  }
}

TEST(Limits, EveryMethodStopsInTime) {
  const Graph g = large(3000);
  for (Method method : {Method::exact, Method::local, Method::beam, Method::ad3,
                        Method::subgradient, Method::branch_and_bound, Method::ilp, Method::lp}) {
    for (const char* backend : {"cbc", "cbc_default", "glpk"}) {
      const bool outside = method == Method::ilp || method == Method::lp;
      if (outside ? !lp::find_backend(backend) : backend != std::string_view("cbc")) continue;
      Options o;
      o.method = method;
      o.backend = backend;
      o.time_limit = 0.05;
      const auto start = Clock::now();
      const Solution s = solve(g, o);
      EXPECT_LT(seconds_since(start), kPatience) << method_name(method) << " " << backend;
      if (s.status == Status::feasible || s.status == Status::optimal) {
        EXPECT_NEAR(g.evaluate(s.assignment), s.value, 1e-6) << method_name(method);
        EXPECT_GE(s.bound, s.value - 1e-6) << method_name(method);
      }
      if (method == Method::exact) {
        EXPECT_NE(s.status, Status::unknown) << "all zeros keep the rules";
      }
    }
  }
}

TEST(Limits, AStopIsHeardInsideOutsideSolversToo) {
  const Graph g = large(3000);
  for (const char* backend : {"cbc", "cbc_default", "glpk"}) {
    if (!lp::find_backend(backend)) continue;
    std::atomic<bool> stop = false;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      stop = true;
    });
    Options o;
    o.method = Method::ilp;
    o.backend = backend;
    o.presolve = false;
    o.stop = &stop;
    const auto start = Clock::now();
    solve(g, o);
    EXPECT_LT(seconds_since(start), kPatience) << backend;
    other.join();
  }
}

TEST(Limits, OneLimitIsForAllOfTheKBestAndTheyComeBestFirst) {
  const Graph g = large(3000);
  Options o;
  o.time_limit = 0.1;
  Workspace workspace;
  const auto start = Clock::now();
  const std::vector<Solution> best = k_best(g, 5, o, workspace);
  EXPECT_LT(seconds_since(start), kPatience);
  ASSERT_FALSE(best.empty());
  for (std::size_t i = 0; i < best.size(); ++i) {
    EXPECT_NEAR(g.evaluate(best[i].assignment), best[i].value, 1e-6);
    EXPECT_LE(best[i].value, best[i > 0 ? i - 1 : 0].value);
    EXPECT_GE(best[i].bound, best[0].value - 1e-6);
  }
}

// A search that is stopped may have found the best answer and a bound that says so: then it is the
// best, and no other solver has to be asked.
TEST(Limits, AnAnswerThatItsBoundShowsToBeTheBestIsOptimal) {
  Random r(91);
  kit::RandomGraphOptions ro;
  ro.min_variables = 20;
  ro.max_variables = 90;
  ro.max_factors = 30;
  ro.step = 0.25;
  int open = 0;
  Workspace workspace;
  for (int i = 0; i < random_cases(10000); ++i) {
    ro.rows = i % 2;
    const Graph g = kit::random_graph(r, ro);
    Options o;
    o.node_limit = r.between(1, 4);
    o.certificate = true;
    const Solution s = solve(g, o, workspace);
    if (s.status == Status::optimal) {
      const Verdict v = verify(g, s.certificate);
      EXPECT_TRUE(v.optimal) << i << " " << v.reason;
    }
    if (s.status != Status::feasible) continue;
    ++open;
    EXPECT_GT(s.bound - s.value, o.tolerance * std::max(1.0, std::abs(s.value))) << i;
  }
  EXPECT_GT(open, covered(100));
}

TEST(Limits, SessionsStopInTime) {
  Options o;
  o.time_limit = 0.05;
  Session session(large(3000), o);
  for (int v : {3, 4}) {
    session.clamp(Var{v}, false);
    const auto start = Clock::now();
    EXPECT_NE(session.solve().status, Status::unknown);
    EXPECT_LT(seconds_since(start), kPatience);
  }
}

}  // namespace
}  // namespace entente
