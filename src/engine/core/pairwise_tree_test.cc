// The search by soft arc consistency against enumeration, and what it tells a proof against the
// definition of each step.
#include "engine/core/pairwise_tree.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/core/pairwise_walk.h"
#include "entente/options.h"
#include "kit/cases.h"

namespace entente {
namespace {

constexpr double kForbidden = -1e6, kImpossible = -1e5;

struct Problem {
  std::vector<std::int32_t> begin = {0};
  std::vector<double> unary, table;
  std::vector<PairwiseView::Edge> edges;

  PairwiseView view() const { return {begin, unary, edges, table}; }
  int nodes() const { return static_cast<int>(begin.size()) - 1; }
  double value(const std::vector<std::int32_t>& z) const {
    double total = 0;
    for (int n = 0; n < nodes(); ++n) total += unary[begin[n] + z[n]];
    for (const auto& e : edges) total += table[e.offset + z[e.a] * view().size(e.b) + z[e.b]];
    return total;
  }
  double best() const {
    std::vector<std::int32_t> z(nodes(), 0);
    double best = 4 * kForbidden;
    while (true) {
      best = std::max(best, value(z));
      int n = 0;
      while (n < nodes() && ++z[n] == view().size(n)) z[n++] = 0;
      if (n == nodes()) return best;
    }
  }
};

// Tables at most 0, as sharing out leaves them; whole numbers or not, some pairs forbidden.
Problem random_problem(Random& r) {
  Problem p;
  const bool wide = r.chance(0.2), whole = r.chance(0.5);
  const int nodes = wide ? r.between(2, 3) : r.between(2, 6);
  auto score = [&](double range) {
    return whole ? -static_cast<double>(r.below(static_cast<int>(range) + 1))
                 : -range * r.uniform();
  };
  for (int n = 0; n < nodes; ++n) {
    for (int s = wide ? r.between(9, 14) : r.between(1, 4); s > 0; --s)
      p.unary.push_back(score(3) + 2);
    p.begin.push_back(static_cast<std::int32_t>(p.unary.size()));
  }
  const double forbidden = r.chance(0.5) ? 0.4 * r.uniform() : 0;
  for (int a = 0; a < nodes; ++a) {
    for (int b = a + 1; b < nodes; ++b) {
      if (r.chance(0.2)) continue;
      p.edges.push_back({a, b, static_cast<std::int32_t>(p.table.size())});
      for (int i = p.view().size(a) * p.view().size(b); i > 0; --i)
        p.table.push_back(r.chance(forbidden) ? kForbidden : score(6));
    }
  }
  return p;
}

// Follows the log: which states are open, what a price bounds, and what the whole log arrives at.
class Follower : public PairwiseLog {
 public:
  explicit Follower(const Problem& p) : p_(p) {
    open_.assign(1, std::vector<bool>(p.unary.size(), true));
  }

  int prices(std::span<const double> moved) override {
    moved_.emplace_back(moved.begin(), moved.end());
    return static_cast<int>(moved_.size()) - 1;
  }
  void strike(int price, int state) override {
    ASSERT_TRUE(open_.back()[state]);
    reached = std::max(reached, bound_at(price, state));
    open_.back()[state] = false;
  }
  void close(int state) override {
    bool alone = false;
    for (const auto& e : p_.edges) alone |= !allowed(e, state);
    EXPECT_TRUE(alone) << "state " << state;
    open_.back()[state] = false;
  }
  // The log of the supposition comes first, then the same log goes on without the states.
  void suppose(std::span<const std::int32_t> states) override {
    std::vector<bool> inside = open_.back();
    const int n = node_of(states.front());
    for (int s = p_.begin[n]; s < p_.begin[n + 1]; ++s)
      inside[s] = inside[s] && std::find(states.begin(), states.end(), s) != states.end();
    for (int s : states) open_.back()[s] = false;
    open_.push_back(inside);
  }
  void bound(int price) override {
    reached = std::max(reached, bound_at(price, -1));
    open_.pop_back();
  }
  bool finished() const { return open_.empty(); }

  double reached = 4 * kForbidden;

 private:
  int node_of(int s) const {
    int n = 0;
    while (p_.begin[n + 1] <= s) ++n;
    return n;
  }
  bool allowed(const PairwiseView::Edge& e, int state) const {
    const int n = node_of(state);
    if (n != e.a && n != e.b) return true;
    const int da = p_.view().size(e.a), db = p_.view().size(e.b);
    for (int i = 0; i < da; ++i) {
      for (int j = 0; j < db; ++j) {
        const int own = n == e.a ? p_.begin[n] + i : p_.begin[n] + j;
        const int other = n == e.a ? p_.begin[e.b] + j : p_.begin[e.a] + i;
        if (own == state && open_.back()[other] && p_.table[e.offset + i * db + j] > kImpossible)
          return true;
      }
    }
    return false;
  }
  double bound_at(int price, int chosen) const {
    std::vector<double> unary = p_.unary;
    const int node = chosen < 0 ? -1 : node_of(chosen);
    auto is_open = [&](int n, int s) { return open_.back()[s] && (n != node || s == chosen); };
    std::size_t at = 0;
    double total = 0;
    for (const auto& e : p_.edges) {
      const int da = p_.view().size(e.a), db = p_.view().size(e.b);
      const double *ma = moved_[price].data() + at, *mb = ma + da;
      at += da + db;
      for (int i = 0; i < da; ++i) unary[p_.begin[e.a] + i] -= ma[i];
      for (int j = 0; j < db; ++j) unary[p_.begin[e.b] + j] -= mb[j];
      double best = 4 * kForbidden;
      for (int i = 0; i < da; ++i) {
        for (int j = 0; j < db; ++j) {
          if (is_open(e.a, p_.begin[e.a] + i) && is_open(e.b, p_.begin[e.b] + j))
            best = std::max(best, p_.table[e.offset + i * db + j] + ma[i] + mb[j]);
        }
      }
      total += best;
    }
    for (int n = 0; n < p_.nodes(); ++n) {
      double best = 4 * kForbidden;
      for (int s = p_.begin[n]; s < p_.begin[n + 1]; ++s) {
        if (is_open(n, s)) best = std::max(best, unary[s]);
      }
      total += best;
    }
    return total;
  }

  const Problem& p_;
  std::vector<std::vector<bool>> open_;
  std::vector<std::vector<double>> moved_;
};

TEST(PairwiseTree, EqualsEnumerationAndProvesIt) {
  PairwiseTree tree;
  Random r(71);
  int allowed = 0, stepped = 0;
  for (int i = 0; i < random_cases(1500); ++i) {
    const Problem p = random_problem(r);
    const double best = p.best();
    Follower log(p);
    std::vector<std::int32_t> chosen(p.nodes(), 0);
    PairwiseGoal goal{.best = kForbidden, .impossible = kImpossible, .epsilon = 1e-9};
    const auto answer = tree.search(p.view(), goal, Limits(Options{}), 1'000'000, chosen, &log);
    ASSERT_FALSE(answer.stopped);
    ASSERT_TRUE(log.finished()) << "case " << i;
    if (best < kImpossible) {
      EXPECT_EQ(answer.best, kForbidden) << "case " << i;
      EXPECT_LT(log.reached, kImpossible) << "case " << i;
      continue;
    }
    ++allowed;
    stepped += answer.nodes > 1;
    ASSERT_NEAR(answer.best, best, 1e-7) << "case " << i;
    EXPECT_NEAR(p.value(chosen), best, 1e-7);
    EXPECT_LT(log.reached, best + 1e-7) << "case " << i;
    // Where the best is known nothing better is found; a bound is never below it.
    goal.best = best;
    EXPECT_EQ(tree.search(p.view(), goal, Limits(Options{}), 1'000'000, chosen, nullptr).best,
              best);
    goal.best = kForbidden;
    const auto cut = tree.search(p.view(), goal, Limits(Options{}), 1, chosen, nullptr);
    if (cut.stopped) {
      EXPECT_GE(std::max(cut.bound, cut.best), best - 1e-7) << "case " << i;
    }
  }
  EXPECT_GT(allowed, covered(1000));
  EXPECT_GT(stepped, covered(300));
}

// Values that are whole numbers: what cannot gain one is not looked into.
TEST(PairwiseTree, StepsOfTheValueChangeNothing) {
  PairwiseTree tree;
  Random r(72);
  for (int i = 0; i < random_cases(500); ++i) {
    Problem p = random_problem(r);
    for (double& u : p.unary) u = std::round(u);
    for (double& t : p.table) t = std::round(t);
    const double best = p.best();
    std::vector<std::int32_t> chosen(p.nodes(), 0);
    const PairwiseGoal goal{
        .best = kForbidden, .impossible = kImpossible, .step = 1, .epsilon = 1e-9};
    const auto answer = tree.search(p.view(), goal, Limits(Options{}), 1'000'000, chosen, nullptr);
    EXPECT_EQ(answer.best, best < kImpossible ? kForbidden : best) << "case " << i;
  }
}

TEST(PairwiseWalk, FindsTheBestOfSmallOnesAndSaysWhatItIsWorth) {
  PairwiseWalk walk;
  Random r(73);
  int found = 0;
  for (int i = 0; i < random_cases(200); ++i) {
    const Problem p = random_problem(r);
    std::vector<std::int32_t> z(p.nodes(), 0);
    const double start = p.value(z), value = walk.improve(p.view(), z, 20000, Limits(Options{}));
    ASSERT_NEAR(value, p.value(z), 1e-6);
    EXPECT_GE(value, start - 1e-6);
    found += value >= p.best() - 1e-6;
  }
  EXPECT_GT(found, covered(190));
}

}  // namespace
}  // namespace entente
