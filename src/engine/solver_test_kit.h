// What the tests of the dual solvers share: seeded graphs small enough to enumerate, and the
// contract of solvers.h as one check.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "engine/limits.h"
#include "engine/solvers.h"
#include "engine/workspace.h"
#include "entente/solution.h"
#include "entente/verify.h"
#include "kit/enumerate.h"
#include "kit/random_graph.h"

namespace entente::kit {

using Solver = void (*)(const Graph&, const Options&, const Limits&, WorkspaceParts&, Solution&);

inline Solution run(Solver solver, const Graph& g, const Options& o, WorkspaceParts& ws) {
  Solution out;
  solver(g, o, Limits(o), ws, out);
  return out;
}

// Mixed kinds; every third graph has integer scores and so many ties.
inline Graph small_graph(std::uint64_t seed, int max_variables = 8) {
  Random r(seed);
  RandomGraphOptions options;
  options.max_variables = max_variables;
  options.integer_scores = seed % 3 == 0;
  return random_graph(r, options);
}

// Status, value, bound and assignment agree with each other and with the best value there is.
inline void expect_contract(const Graph& g, const Solution& s, double best,
                            double tolerance = 1e-7) {
  const double slack = 1e-7 * std::max(1.0, std::abs(best));
  if (best == -kInfinity) {
    EXPECT_TRUE(s.status == Status::infeasible || s.status == Status::unknown);
  } else {
    EXPECT_NE(s.status, Status::infeasible);
    EXPECT_GE(s.bound, best - slack);
  }
  switch (s.status) {
    case Status::optimal:
      EXPECT_NEAR(s.value, best, 2 * tolerance * std::max(1.0, std::abs(best)));
      EXPECT_LE(s.gap(), tolerance * std::max(1.0, std::abs(s.value)));
      [[fallthrough]];
    case Status::feasible:
      ASSERT_EQ(static_cast<int>(s.assignment.size()), g.variable_count());
      EXPECT_EQ(g.evaluate(s.assignment), s.value);
      EXPECT_LE(s.value, s.bound);
      break;
    case Status::infeasible:
      EXPECT_TRUE(s.assignment.empty());
      EXPECT_EQ(s.value, -kInfinity);
      EXPECT_EQ(s.bound, -kInfinity);
      break;
    case Status::unknown:
      EXPECT_EQ(s.value, -kInfinity);
      break;
  }
}

// Arguments of one predicate: `roles` groups over the same spans, the last state of each is "none".
inline Graph arguments_graph(Random& r, int roles, int spans, int length, int pairs = 2) {
  Graph g;
  std::vector<Interval> intervals;
  for (int s = 0; s < spans; ++s) {
    int b = r.below(length);
    intervals.push_back({b, std::min(length, b + r.between(1, 5))});
  }
  std::vector<Interval> all;
  std::vector<double> scores(spans + 1);
  for (int i = 0; i < roles; ++i) {
    for (int s = 0; s < spans; ++s) scores[s] = r.normal(-3, 2);
    if (r.chance(0.3)) scores[r.below(spans)] = r.uniform(1, 5);
    scores[spans] = 0;
    g.add_group(scores);
    all.insert(all.end(), intervals.begin(), intervals.end());
    all.push_back({0, 0});
  }
  g.add_disjoint(Var{0}, all, g.rule("overlap"));
  for (int i = 0; i < pairs && roles > 1; ++i) {
    int a = r.below(roles), b = r.below(roles);
    if (a == b) continue;
    if (r.chance(0.7)) {
      g.add_at_least_one({Var{a * (spans + 1) + spans}, Var{b * (spans + 1) + spans}},
                         g.rule("excludes"));
    } else {
      g.add_equal(Var{a * (spans + 1) + spans}, Var{b * (spans + 1) + spans}, g.rule("requires"));
    }
  }
  return g;
}

}  // namespace entente::kit
