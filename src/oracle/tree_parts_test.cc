#include "oracle/tree_parts.h"

#include <gtest/gtest.h>

#include "kit/trees.h"
#include "oracle/tree_parts_kit.h"

namespace entente::trees {
namespace {

using entente::kit::Heads;

// Is arc i (-1: none) in the tree?
bool has(const Parts& p, const Heads& heads, int i) {
  return i < 0 || heads[p.arcs[i].modifier - 1] == p.arcs[i].head;
}

// A sibling part by its definition: both there, and nobody of the same head and side between them.
bool holds(const Parts& p, const Heads& heads, const Sibling& s) {
  if (!has(p, heads, s.inner) || !has(p, heads, s.outer)) return false;
  const Arc& known = p.arcs[s.inner < 0 ? s.outer : s.inner];
  const int h = known.head, words = p.words;
  const bool right = known.modifier > h;
  const int from = s.inner < 0 ? h : p.arcs[s.inner].modifier;
  const int to = s.outer >= 0 ? p.arcs[s.outer].modifier : right ? words + 1 : 0;
  for (int x = std::min(from, to) + 1; x < std::max(from, to); ++x) {
    if (x != h && heads[x - 1] == h) return false;
  }
  return right ? from < to : from > to;
}

TEST(Parts, TheValueOfATreeIsWhatTheDefinitionSays) {
  Random r(1);
  for (int round = 0; round < 300; ++round) {
    const auto p = kit::random_problem(r, r.between(1, 5), Order::second);
    std::vector<std::int32_t> chosen(p.parts.words), last;
    for (const Heads& heads : entente::kit::all_trees(p.parts.words)) {
      if (!r.chance(0.1)) continue;
      double want = 0;
      bool there = true;
      for (int m = 1; m <= p.parts.words; ++m) {
        chosen[m - 1] = p.parts.find(heads[m - 1], m);
        there = there && chosen[m - 1] >= 0;
        if (there) want += p.scores.arcs[chosen[m - 1]];
      }
      if (!there) {
        ASSERT_EQ(score_of(p.parts, p.scores, heads), -std::numeric_limits<double>::infinity());
        continue;
      }
      std::vector<int> siblings(p.parts.siblings.size()), grand(p.parts.grandparents.size());
      for_each_part(
          p.parts, chosen, last, [](int) {}, [&](int i) { ++siblings[i]; },
          [&](int i) { ++grand[i]; });
      for (std::size_t i = 0; i < siblings.size(); ++i) {
        ASSERT_EQ(siblings[i], holds(p.parts, heads, p.parts.siblings[i]));
        want += siblings[i] * p.scores.siblings[i];
      }
      for (std::size_t i = 0; i < grand.size(); ++i) {
        const auto [upper, lower] = p.parts.grandparents[i];
        ASSERT_EQ(grand[i], has(p.parts, heads, upper) && has(p.parts, heads, lower));
        want += grand[i] * p.scores.grandparents[i];
      }
      ASSERT_NEAR(score_of(p.parts, p.scores, heads), want, 1e-9);
    }
  }
}

TEST(Parts, AreListedAsThePlacesSay) {
  Random r(2);
  for (int round = 0; round < 500; ++round) {
    const auto [p, scores] = kit::random_problem(r, r.between(1, 9), Order::second);
    for (std::size_t i = 0; i < p.siblings.size(); ++i) {
      ASSERT_EQ(p.sibling(p.siblings[i].inner, p.siblings[i].outer), static_cast<int>(i));
    }
    for (std::size_t i = 0; i < p.grandparents.size(); ++i) {
      const auto [upper, lower] = p.grandparents[i];
      ASSERT_EQ(p.arcs[upper].modifier, p.arcs[lower].head);
      ASSERT_NE(p.arcs[upper].head, p.arcs[lower].modifier);
      ASSERT_EQ(p.grandparent(upper, lower), static_cast<int>(i));
    }
    for (std::size_t a = 0; a < p.arcs.size(); ++a) {
      ASSERT_EQ(p.find(p.arcs[a].head, p.arcs[a].modifier), static_cast<int>(a));
    }
    for (int m = 1; m <= p.words; ++m) {
      for (int x = p.first_into[m]; x < p.first_into[m + 1]; ++x) {
        ASSERT_EQ(p.arcs[p.into[x]].modifier, m);
      }
    }
  }
}

TEST(Parts, OfSomeArcsHaveTheSameScores) {
  Random r(7);
  for (int round = 0; round < 200; ++round) {
    const auto p = kit::random_problem(r, r.between(1, 5), Order::second);
    std::vector<std::int32_t> keep;
    for (int a = 0; a < static_cast<int>(p.parts.arcs.size()); ++a) {
      const int m = p.parts.arcs[a].modifier;
      const bool only =
          p.parts.into[p.parts.first_into[m]] == a;  // every word keeps its first head
      if (only || r.chance(0.6)) keep.push_back(a);
    }
    Parts fewer;
    PartScores scores;
    restrict_parts(p.parts, p.scores, keep, fewer, scores);
    ASSERT_EQ(fewer.arcs.size(), keep.size());
    std::vector<Arc> arcs;
    for (const std::int32_t a : keep) arcs.push_back(p.parts.arcs[a]);
    Parts again;
    make_parts(p.parts.words, arcs, Order::second, again);
    ASSERT_EQ(again.into, fewer.into);
    ASSERT_EQ(again.siblings.size(), scores.siblings.size());
    ASSERT_EQ(again.grandparents.size(), scores.grandparents.size());
    for (const Heads& heads : entente::kit::all_trees(p.parts.words)) {
      bool there = true;
      for (int m = 1; m <= fewer.words; ++m) there = there && fewer.find(heads[m - 1], m) >= 0;
      if (!there || !r.chance(0.2)) continue;
      ASSERT_NEAR(score_of(fewer, scores, heads), score_of(p.parts, p.scores, heads), 1e-9);
    }
  }
}

}  // namespace
}  // namespace entente::trees
