// The tutorial's theorems, on models that can be written out.
#include "entente/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "kit/cases.h"
#include "lp/lp.h"

namespace entente {
namespace {

struct RandomPair {
  std::vector<double> f, g;
  std::vector<std::vector<std::uint8_t>> y, z;

  // Every structure of one is drawn from a common pool, so that most pairs can agree somewhere.
  explicit RandomPair(Random& r) {
    const int n = r.between(2, 6);
    std::vector<std::vector<std::uint8_t>> pool(r.between(2, 8));
    for (auto& row : pool) {
      for (int i = 0; i < n; ++i) row.push_back(r.chance(0.5) ? 1 : 0);
    }
    const auto draw = [&](auto& rows, auto& scores, std::size_t fallback) {
      for (const auto& row : pool) {
        if (r.chance(0.3)) continue;
        rows.push_back(row);
        scores.push_back(r.normal(0, 2));
      }
      if (!rows.empty()) return;
      rows.push_back(pool[fallback]);
      scores.push_back(0);
    };
    draw(y, f, 0);
    draw(z, g, pool.size() - 1);
  }
  double optimum() const {
    double best = -INFINITY;
    for (std::size_t a = 0; a < y.size(); ++a) {
      for (std::size_t b = 0; b < z.size(); ++b) {
        if (y[a] == z[b]) best = std::max(best, f[a] + g[b]);
      }
    }
    return best;
  }
};

TEST(Agreement, TheDualIsNeverBelowTheOptimumAndAgreementIsTheOptimum) {
  Random r(1);
  for (int i = 0; i < random_cases(300); ++i) {
    const RandomPair p(r);
    ListModel first(p.f, p.y), second(p.g, p.z);
    const double optimum = p.optimum();
    AgreementOptions options;
    options.rule = static_cast<StepRule>(r.below(5));
    options.max_rounds = 60;
    options.trace = [&](const AgreementRound& round) {
      EXPECT_GE(round.dual, optimum - 1e-9);
      EXPECT_LE(round.best_primal, optimum + 1e-9);
    };
    const AgreementResult got = Agreement(first, second).run(options);
    if (got.agreed) {
      EXPECT_NEAR(got.value, optimum, 1e-9);
    }
    if (!got.on.empty()) {
      EXPECT_LE(got.value, optimum + 1e-9);  // the gap bounds the loss
      EXPECT_LE(optimum - got.value, got.bound - got.value + 1e-9);
    }
    EXPECT_NEAR(agreement_bound(first, second, got.prices), got.bound,
                got.status == Status::optimal ? 1e-6 : 1e-9);
  }
}

TEST(Agreement, BranchingProvesEverything) {
  Random r(2);
  int optimal = 0, infeasible = 0;
  for (int i = 0; i < random_cases(300); ++i) {
    const RandomPair p(r);
    ListModel first(p.f, p.y), second(p.g, p.z);
    const AgreementResult got = Agreement(first, second).run({.max_rounds = 30, .branches = 1000});
    if (p.optimum() == -INFINITY) {
      EXPECT_EQ(got.status, Status::infeasible);
      ++infeasible;
    } else {
      ASSERT_EQ(got.status, Status::optimal);
      EXPECT_NEAR(got.value, p.optimum(), 1e-6);
      ++optimal;
    }
  }
  EXPECT_GT(optimal, covered(200));
  EXPECT_GT(infeasible, 0);
}

// max over both simplices of the expected scores, indicators equal on average.
double lp_optimum(const RandomPair& p, const lp::Backend& backend) {
  lp::Problem lp;
  const int n = static_cast<int>(p.f.size()), m = static_cast<int>(p.g.size());
  for (const double s : p.f) lp.add_column(s, 0, 1, false);
  for (const double s : p.g) lp.add_column(s, 0, 1, false);
  for (int k = 0; k < n; ++k) lp.add_entry(k, 1);
  lp.end_row(1, 1);
  for (int k = 0; k < m; ++k) lp.add_entry(n + k, 1);
  lp.end_row(1, 1);
  for (std::size_t i = 0; i < p.y[0].size(); ++i) {
    for (int k = 0; k < n; ++k) {
      if (p.y[k][i] != 0) lp.add_entry(k, 1);
    }
    for (int k = 0; k < m; ++k) {
      if (p.z[k][i] != 0) lp.add_entry(n + k, -1);
    }
    lp.end_row(0, 0);
  }
  lp::Result out;
  backend.solve(lp, {.integer = false}, out);
  EXPECT_EQ(out.outcome, lp::Outcome::optimal);
  return out.value;
}

TEST(Agreement, HarmonicStepsConvergeToTheLinearProgram) {
  const lp::Backend* glpk = lp::find_backend("glpk");
  if (glpk == nullptr) GTEST_SKIP() << "GLPK is not here";
  Random r(3);
  for (int i = 0; i < 40; ++i) {
    const RandomPair p(r);
    if (p.optimum() == -INFINITY) continue;
    ListModel first(p.f, p.y), second(p.g, p.z);
    AgreementOptions options{.rule = StepRule::kHarmonic, .rate = 4, .max_rounds = 20000};
    const AgreementResult got = Agreement(first, second).run(options);
    EXPECT_NEAR(got.bound, lp_optimum(p, *glpk), 0.02);
  }
}

// Section 5: x over (a a), (b b), (c c) against the tags (a b), (b a), (c c). Indicators: the first
// word's a, b, c, then the second's.
struct Section5 {
  ListModel trees{{1, 1, 2}, {{1, 0, 0, 1, 0, 0}, {0, 1, 0, 0, 1, 0}, {0, 0, 1, 0, 0, 1}}};
  ListModel tags{{1, 1, -2}, {{1, 0, 0, 0, 1, 0}, {0, 1, 0, 1, 0, 0}, {0, 0, 1, 0, 0, 1}}};
};

TEST(Agreement, TheTutorialsExampleIsFractionalAtTwoAndTightAtZero) {
  Section5 s;
  AgreementOptions options{.rule = StepRule::kHarmonic, .max_rounds = 2000};
  const AgreementResult loose = Agreement(s.trees, s.tags).run(options);
  EXPECT_NE(loose.status, Status::optimal);
  EXPECT_NEAR(loose.bound, 2, 0.05);
  EXPECT_NEAR(loose.value, 0, 1e-9);
  s.trees.add_pair(0, 4);  // "a" then "b"
  s.tags.add_pair(0, 4);
  options.rate = 2;
  options.tolerance = 0.01;
  const AgreementResult tight = Agreement(s.trees, s.tags).run(options);
  EXPECT_EQ(tight.status, Status::optimal);
  EXPECT_NEAR(tight.value, 0, 1e-9);
  EXPECT_EQ(tight.on, (std::vector<std::uint8_t>{0, 0, 1, 0, 0, 1, 0}));
}

// Counts what it is asked for.
class Watched : public ListModel {
 public:
  using ListModel::ListModel;
  double maximize_again(std::span<const double> prices, std::span<const std::int32_t> changed,
                        std::span<std::uint8_t> on) override {
    for (std::size_t i = 0; i < prices.size(); ++i) {
      const bool named =
          std::find(changed.begin(), changed.end(), static_cast<int>(i)) != changed.end();
      EXPECT_EQ(named, prices[i] != last[i]);
    }
    return maximize(prices, on);
  }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override {
    last.assign(prices.begin(), prices.end());
    return ListModel::maximize(prices, on);
  }
  std::vector<double> last;
};

TEST(Agreement, OnlyChangedPricesAreNamed) {
  Random r(4);
  for (int i = 0; i < 50; ++i) {
    const RandomPair p(r);
    Watched first(p.f, p.y), second(p.g, p.z);
    Agreement(first, second).run({.max_rounds = 20, .branches = 4});
  }
}

}  // namespace
}  // namespace entente
