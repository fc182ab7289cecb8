// Batches over threads, and the promise that warm solving leaves the heap alone.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#include "entente/solve.h"
#include "kit/random_graph.h"

// Counts every allocation of the test program while `counting` is on.
namespace {
std::atomic<bool> counting{false};
std::atomic<long> allocations{0};
}  // namespace

// Sanitizers bring their own allocator, with a hook to count by; elsewhere operator new does it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*,
                                                                  std::size_t),
                                                         void (*)(const volatile void*));
namespace {
void on_malloc(const volatile void*, std::size_t) {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}
void on_free(const volatile void*) {}
const int hooked = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}  // namespace
#else
namespace {
const int hooked = 1;
}
void* operator new(std::size_t size) {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
#endif

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
  ASSERT_NE(hooked, 0);
  allocations = 0;
  counting = true;
  auto p = std::make_unique<std::vector<int>>(1000);
  counting = false;
  EXPECT_GE(allocations.load(), 2) << p->size();
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
    if (round == 2) {
      allocations = 0;
      counting = true;
    }
    for (std::size_t i = 0; i < graphs.size(); ++i) solve(graphs[i], o, ws, out[i]);
    counting = false;
  }
  EXPECT_EQ(allocations.load(), 0);
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
    if (round == 2) {
      allocations = 0;
      counting = true;
    }
    g.clear();
    const Rule overlap = g.rule("overlap");
    for (int i = 0; i < 10; ++i) g.add_group(scores);
    g.add_disjoint(Var{0}, intervals, overlap);
    for (int i = 0; i < 9; ++i) g.add_equal(Var{40 * i}, Var{40 * i + 40}, g.rule("requires"));
    counting = false;
  }
  EXPECT_EQ(allocations.load(), 0);
}

}  // namespace
}  // namespace entente
