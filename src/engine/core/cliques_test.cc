// Widened rows allow what the rows before them allowed, no more and no less.
#include "engine/core/cliques.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "kit/cases.h"

namespace entente {
namespace {

void add_node(Core& core, int states) {
  const int n = core.nodes();
  for (int s = 0; s < states; ++s) {
    core.node.push_back(n);
    core.score.push_back(0);
  }
  core.begin.push_back(core.states());
}
void add_row(Core& core, std::vector<std::pair<int, double>> entries, double lower, double upper) {
  std::sort(entries.begin(), entries.end());
  const auto begin = static_cast<std::int32_t>(core.row_state.size());
  for (const auto& [s, c] : entries) {
    core.row_state.push_back(s);
    core.row_coefficient.push_back(c);
  }
  core.rows.push_back(
      {begin, static_cast<std::int32_t>(core.row_state.size()), lower, upper, true});
}
bool allows(const Core& core, const std::vector<std::int32_t>& z) {
  for (const Core::Row& row : core.rows) {
    double total = 0;
    for (int e = row.begin; e < row.end; ++e) {
      const int s = core.row_state[e];
      if (z[core.node[s]] == s) total += core.row_coefficient[e];
    }
    if (total < row.lower || total > row.upper) return false;
  }
  return true;
}
template <typename F>
void for_each_choice(const Core& core, F f) {
  std::vector<std::int32_t> z(core.begin.begin(), core.begin.end() - 1);
  while (true) {
    f(z);
    int n = 0;
    while (n < core.nodes() && ++z[n] == core.begin[n + 1]) z[n] = core.begin[n], ++n;
    if (n == core.nodes()) return;
  }
}

TEST(Cliques, ThreeThatExcludeEachOtherMakeOneRow) {
  Core core;
  core.begin = {0};
  for (int n = 0; n < 3; ++n) add_node(core, 3);  // the first state of each is "none"
  for (int a = 0; a < 3; ++a) {
    for (int b = a + 1; b < 3; ++b) add_row(core, {{3 * a, 1}, {3 * b, 1}}, 1, kInfinity);
  }
  CliqueScratch ws;
  ASSERT_TRUE(widen_cliques(core, ws));
  ASSERT_EQ(core.rows.size(), 1u);
  const Core::Row& row = core.rows[0];
  EXPECT_EQ(row.factor, Core::kDerived);
  EXPECT_EQ(std::vector<std::int32_t>(core.row_state.begin() + row.begin,
                                      core.row_state.begin() + row.end),
            (std::vector<std::int32_t>{1, 2, 4, 5, 7, 8}));
}

TEST(Cliques, RowsAllowTheSameAsBefore) {
  Random r(91);
  CliqueScratch ws;
  int widened = 0, shorter = 0;
  for (int i = 0; i < random_cases(2000); ++i) {
    Core core;
    core.begin = {0};
    for (int n = r.between(2, 6); n > 0; --n) add_node(core, r.between(2, 4));
    for (int k = r.between(2, 9); k > 0; --k) {
      std::vector<std::pair<int, double>> entries;
      const int kind = r.below(4), width = kind == 0 ? r.between(2, 4) : 2;
      for (int e = 0; e < width; ++e) {
        const int s = r.below(core.states());
        if (std::none_of(entries.begin(), entries.end(), [&](auto x) { return x.first == s; }))
          entries.emplace_back(s, kind == 3 ? r.between(-2, 2) : kind == 2 && e == 0 ? -1 : 1);
      }
      if (kind == 1) {
        add_row(core, entries, 1, kInfinity);
      } else {
        add_row(core, entries, -kInfinity, kind == 2 ? 0 : kind == 3 ? r.between(-1, 2) : 1);
      }
    }
    Core wide = core;
    // Now and then some pairs may not be used, as where a proof cannot name the rule.
    auto provable = [&](int s, int t) { return (s + t) % 3 != 0; };
    if (!(i % 3 == 0 ? widen_cliques(wide, ws, provable) : widen_cliques(wide, ws))) continue;
    ++widened;
    shorter += wide.rows.size() < core.rows.size();
    for_each_choice(core, [&](const std::vector<std::int32_t>& z) {
      ASSERT_EQ(allows(core, z), allows(wide, z)) << "case " << i;
    });
  }
  EXPECT_GT(widened, covered(500));
  EXPECT_GT(shorter, covered(50));
}

}  // namespace
}  // namespace entente
