// The best tree without crossing arcs over arcs, neighbouring siblings and grandparents, exactly:
// the dynamic program of Koo and Collins, "Efficient third-order dependency parsers", 2010 (model
// 1), over the arcs that a pruner left.
//
//   ProjectiveChart chart;                                   // one a thread: keeps its memory
//   double value = chart.fill(parts, scores, /*single_root=*/true);
//   if (value != kForbidden) chart.best_tree(heads);         // heads[m - 1] is the head of m
//
// Parts and the value of a tree as oracle/tree_parts.h says (second order); scores may be
// -infinity. The root stands left of all words. value is -infinity if no tree is allowed. Ties:
// always the same tree for the same input. k-best trees, marginals and a check of the tables that
// does not trust how they were filled: projective_forest.h.
//
// Items. u is an arc g -> h, h's upper; the root has one upper of its own, kNoUpper.
//   right(u, e), left(u, e)  h and all its modifiers on that side, reaching to e
//   open(u, a)               h and its modifiers on the side of the arc a = h -> m up to m, with
//   all
//                            that lies between h and m
//   pair(s, a)               what lies between two neighbouring modifiers of one head
// Each tree is made of them in exactly one way, so that the same tables serve sums.
//
// Cost: O(grandparents * words + siblings * words) time, O(arcs * words) memory, where a dense
// chart needs O(words^4) and O(words^3). No heap use once warm. Thread-safe with one chart a
// thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracle/max_sum.h"
#include "oracle/tree_parts.h"

namespace entente {

class ProjectiveChart {
 public:
  enum class Kind : std::uint8_t { right, left, open, pair, goal };
  struct Item {
    Kind kind;
    std::int32_t a;  // right, left, open: the upper arc; pair: the inner arc
    std::int32_t b;  // right, left: where it ends; open: the arc; pair: the outer arc
  };

  // The spans must stay as they are until the last use of the tables.
  double fill(const trees::Parts& parts, const trees::PartScores& scores, bool single_root);
  void best_tree(std::span<std::int32_t> heads);

  // ---- for those who read the tables (projective_forest.cc)
  const trees::Parts& parts() const { return *parts_; }
  // What a tree without crossing arcs and with this upper may use.
  bool reaches(const Item& item) const;
  std::size_t items() const { return items_; }  // places, the goal's the last
  std::size_t place(const Item& item) const;
  std::span<const double> values() const { return values_; }
  static constexpr Item goal() { return {Kind::goal, 0, 0}; }

  // Calls visit(item) for all but the goal, each after those it is made of.
  template <typename Visit>
  void for_each_item(Visit visit) const;
  // Calls visit(score, one, two) for each way to make an item; one and two are items, null where
  // there are fewer.
  template <typename Visit>
  void for_each_way(const Item& item, Visit visit) const;

 private:
  struct Reach {
    std::ptrdiff_t base;  // the value of an end e stands at base + e
    std::int32_t low, high;
  };

  void lay_out();
  void fill_pairs_and_open(int arc, int inner_begin, int inner_end, int inner_step);
  void fill_right(int h);
  void fill_left(int h, int end);
  int head_of(int upper) const { return upper == root_ ? -1 : parts_->arcs[upper].head; }
  int modifier_of(int upper) const { return upper == root_ ? 0 : parts_->arcs[upper].modifier; }
  int uppers(int h) const { return h == 0 ? 1 : parts_->first_into[h + 1] - parts_->first_into[h]; }
  int upper(int h, int rank) const {
    return h == 0 ? root_ : parts_->into[parts_->first_into[h] + rank];
  }
  int rank(int upper) const { return upper == root_ ? 0 : rank_[upper]; }
  // Arcs of h on one side as a range of indices, modifiers ascending.
  int side_begin(int h, bool right) const {
    return parts_->first_of_head[h] + (right ? parts_->left_of_head[h] : 0);
  }
  int side_end(int h, bool right) const {
    return right ? parts_->first_of_head[h + 1]
                 : parts_->first_of_head[h] + parts_->left_of_head[h];
  }
  bool is_right(int arc) const { return parts_->arcs[arc].modifier > parts_->arcs[arc].head; }
  double sibling(int inner, int outer) const {
    return scores_->siblings[parts_->sibling(inner, outer)];
  }

  const trees::Parts* parts_ = nullptr;
  const trees::PartScores* scores_ = nullptr;
  bool single_root_ = true;
  int root_ = 0;  // the root's own upper: the number of arcs
  std::size_t items_ = 0;
  std::ptrdiff_t first_pair_ = 0;
  std::vector<Reach> right_, left_;   // by upper
  std::vector<std::ptrdiff_t> open_;  // by arc: then by the rank of the upper
  std::vector<std::int32_t> rank_;    // of an arc among those into its modifier
  std::vector<double> values_;
  std::vector<double> base_;  // arc and grandparent of open items, in their order
  std::vector<double> ends_;  // by arc: being the last on its side
  std::vector<double> work_;
  std::vector<std::int32_t> next_;  // by head: the next of its arcs to the left
  std::vector<Item> stack_;
};

template <typename Visit>
void ProjectiveChart::for_each_item(Visit visit) const {
  const trees::Parts& p = *parts_;
  auto side_item = [&](int a, bool right) {  // an arc's pairs, then its open items
    const int h = p.arcs[a].head;
    for (int s = right ? side_begin(h, true) : a + 1; s < (right ? a : side_end(h, false)); ++s) {
      visit(Item{Kind::pair, s, a});
    }
    for (int x = 0; x < uppers(h); ++x) visit(Item{Kind::open, upper(h, x), a});
  };
  for (int i = p.words; i >= (single_root_ ? 1 : 0); --i) {
    for (int a = side_begin(i, true); a < side_end(i, true); ++a) side_item(a, true);
    for (int x = 0; x < uppers(i); ++x) {
      const int u = upper(i, x);
      for (int e = i; e <= right_[u].high; ++e) visit(Item{Kind::right, u, e});
    }
    if (i == 0) break;
    for (int j = i; j <= p.words; ++j) {
      const int a = j == i ? -1 : p.find(j, i);
      if (a >= 0) side_item(a, false);
      for (int x = 0; x < uppers(j); ++x) {
        if (left_[upper(j, x)].low <= i) visit(Item{Kind::left, upper(j, x), i});
      }
    }
  }
}

template <typename Visit>
void ProjectiveChart::for_each_way(const Item& item, Visit visit) const {
  const trees::Parts& p = *parts_;
  const bool right = item.kind == Kind::right;
  if (item.kind == Kind::goal) {
    if (!single_root_) {
      const Item whole{Kind::right, root_, p.words};
      return visit(0.0, &whole, nullptr);
    }
    for (int a = p.first_of_head[0]; a < p.first_of_head[1]; ++a) {
      const Item before{Kind::left, a, 1}, after{Kind::right, a, p.words};
      visit(scores_->arcs[a] + sibling(-1, a) + sibling(a, -1), &before, &after);
    }
  } else if (item.kind == Kind::pair) {
    const bool outwards = is_right(item.a);  // from the inner to the outer is to the right
    const int l = outwards ? item.a : item.b, r = outwards ? item.b : item.a;
    for (int e = p.arcs[l].modifier; e < p.arcs[r].modifier; ++e) {
      const Item one{Kind::right, l, e}, two{Kind::left, r, e + 1};
      if (reaches(one) && reaches(two)) visit(sibling(item.a, item.b), &one, &two);
    }
  } else if (item.kind == Kind::open) {
    const int a = item.b, h = p.arcs[a].head;
    const double base = base_[place(item) - open_[0]];
    if (!reaches(item)) return;
    const Item first = is_right(a) ? Item{Kind::left, a, h + 1} : Item{Kind::right, a, h - 1};
    visit(base + sibling(-1, a), &first, nullptr);
    for (int s = is_right(a) ? side_begin(h, true) : a + 1;
         s < (is_right(a) ? a : side_end(h, false)); ++s) {
      const Item inner{Kind::open, item.a, s}, between{Kind::pair, s, a};
      visit(base, &inner, &between);
    }
  } else {
    const int h = modifier_of(item.a);
    if (h == item.b) return visit(0.0, nullptr, nullptr);
    for (int a = side_begin(h, right); a < side_end(h, right); ++a) {
      const int m = p.arcs[a].modifier;
      if (right ? m > item.b : m < item.b) continue;
      const Item open{Kind::open, item.a, a}, rest{item.kind, a, item.b};
      if (reaches(rest)) visit(ends_[a], &open, &rest);
    }
  }
}

}  // namespace entente
