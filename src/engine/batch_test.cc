// Batches over threads, and the promise that warm solving leaves the heap alone.
#include <gtest/gtest.h>

#include <memory>

#include "entente/solve.h"
#include "kit/allocations.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

std::vector<Graph> problems(int count, const kit::RandomGraphOptions& o) {
  std::vector<Graph> out;
  for (int i = 0; i < count; ++i) {
    Random r(700 + i);
    out.push_back(kit::random_graph(r, o));
  }
  return out;
}

TEST(Batch, GivesTheSameForAnyNumberOfThreads) {
  const auto graphs = problems(600, {});
  std::vector<Solution> one, two, five;
  solve_batch(graphs, {}, 1, one);
  solve_batch(graphs, {}, 2, two);
  solve_batch(graphs, {}, 5, five);
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    for (const Solution* s : {&two[i], &five[i]}) {
      ASSERT_EQ(one[i].status, s->status);
      ASSERT_EQ(one[i].value, s->value);  // bit for bit
      ASSERT_EQ(one[i].bound, s->bound);
      ASSERT_EQ(one[i].assignment, s->assignment);
      ASSERT_EQ(one[i].nodes, s->nodes);
    }
  }
}

TEST(Batch, TheCountSeesAllocations) {
  ASSERT_TRUE(kit::allocations_are_seen());
  std::unique_ptr<std::vector<int>> p;
  EXPECT_GE(kit::count_allocations([&] { p = std::make_unique<std::vector<int>>(1000); }), 2)
      << p->size();
}

TEST(Batch, OfNothingIsNothing) {
  std::vector<Solution> out(3);
  solve_batch({}, {}, 4, out);
  EXPECT_TRUE(out.empty());
}

void expect_no_allocation(Method method, const kit::RandomGraphOptions& graph_options) {
  const auto graphs = problems(300, graph_options);
  Options o;
  o.method = method;
  Workspace ws;
  std::vector<Solution> out(graphs.size());
  for (int round = 0; round < 3; ++round) {
    if (round == 2) kit::start_counting();
    for (std::size_t i = 0; i < graphs.size(); ++i) solve(graphs[i], o, ws, out[i]);
  }
  EXPECT_EQ(kit::stop_counting(), 0);
}

kit::RandomGraphOptions without_clones() {
  kit::RandomGraphOptions o;
  o.structured = false;  // presolve clones structured factors: documented
  return o;
}

TEST(Batch, ExactAllocatesNothingOnceWarm) {
  expect_no_allocation(Method::exact, without_clones());
}
TEST(Batch, LocalAllocatesNothingOnceWarm) {
  kit::RandomGraphOptions o = without_clones();
  o.soft = o.tables = false;
  expect_no_allocation(Method::local, o);
}
TEST(Batch, BeamAllocatesNothingOnceWarm) { expect_no_allocation(Method::beam, without_clones()); }
TEST(Batch, Ad3AllocatesNothingOnceWarm) { expect_no_allocation(Method::ad3, without_clones()); }
TEST(Batch, SubgradientAllocatesNothingOnceWarm) {
  expect_no_allocation(Method::subgradient, without_clones());
}
TEST(Batch, BranchAndBoundAllocatesNothingOnceWarm) {
  expect_no_allocation(Method::branch_and_bound, without_clones());
}

TEST(Batch, RefillingAGraphAllocatesNothingOnceWarm) {
  Graph g;
  const std::vector<double> scores(40, -1.0);
  const std::vector<Interval> intervals(400, Interval{1, 3});
  for (int round = 0; round < 3; ++round) {
    if (round == 2) kit::start_counting();
    g.clear();
    const Rule overlap = g.rule("overlap");
    for (int i = 0; i < 10; ++i) g.add_group(scores);
    g.add_disjoint(Var{0}, intervals, overlap);
    for (int i = 0; i < 9; ++i) g.add_equal(Var{40 * i}, Var{40 * i + 40}, g.rule("requires"));
  }
  EXPECT_EQ(kit::stop_counting(), 0);
}

}  // namespace
}  // namespace entente
