#include "oracle/tree_parts.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "oracle/head_automaton.h"

namespace entente::trees {

namespace {

void add_side(int first, int count, bool left, std::vector<Sibling>& out) {
  // Candidate i of the side, counted away from the head.
  auto arc = [&](int i) { return left ? first + count - 1 - i : first + i; };
  for (int outer = 0; outer < count; ++outer) {
    out.push_back({-1, arc(outer)});
    for (int inner = 0; inner < outer; ++inner) out.push_back({arc(inner), arc(outer)});
  }
  for (int inner = 0; inner < count; ++inner) out.push_back({arc(inner), -1});
}

// first_of_head, left_of_head, first_into, into, of arcs in their order.
void index_arcs(int words, Parts& p) {
  p.words = words;
  p.first_of_head.assign(words + 2, 0);
  p.left_of_head.assign(words + 1, 0);
  p.first_into.assign(words + 2, 0);
  for (const Arc& arc : p.arcs) {
    ENTENTE_CHECK(0 <= arc.head && arc.head <= words && 1 <= arc.modifier &&
                  arc.modifier <= words && arc.head != arc.modifier);
    ++p.first_of_head[arc.head + 1];
    ++p.first_into[arc.modifier + 1];
    p.left_of_head[arc.head] += arc.modifier < arc.head;
  }
  for (int x = 0; x <= words; ++x) {
    ENTENTE_CHECK(x == 0 || p.first_into[x + 1] > 0);  // every word has a head
    p.first_of_head[x + 1] += p.first_of_head[x];
    p.first_into[x + 1] += p.first_into[x];
  }
  p.into.resize(p.arcs.size());
  for (std::size_t a = 0; a < p.arcs.size(); ++a) {
    p.into[p.first_into[p.arcs[a].modifier]++] = static_cast<std::int32_t>(a);
  }
  for (int x = words + 1; x > 0; --x) p.first_into[x] = p.first_into[x - 1];
  p.first_into[0] = 0;
}

// What follows from the arcs.
void make_pairs(Order order, Parts& p) {
  const int words = p.words;
  p.siblings.clear();
  p.grandparents.clear();
  p.first_sibling.assign(words + 2, 0);
  p.first_grandparent.assign(p.arcs.size() + 1, 0);
  if (order == Order::first) return;
  for (int h = 0; h <= words; ++h) {
    const int first = p.first_of_head[h], end = p.first_of_head[h + 1];
    const int left = p.left_of_head[h];
    add_side(first, left, true, p.siblings);
    add_side(first + left, end - first - left, false, p.siblings);
    p.first_sibling[h + 1] = static_cast<std::int32_t>(p.siblings.size());
    for (int lower = first; lower < end; ++lower) {
      for (int x = p.first_into[h]; x < p.first_into[h + 1]; ++x) {
        const std::int32_t upper = p.into[x];
        if (p.arcs[upper].head != p.arcs[lower].modifier) p.grandparents.push_back({upper, lower});
      }
      p.first_grandparent[lower + 1] = static_cast<std::int32_t>(p.grandparents.size());
    }
  }
}

}  // namespace

void make_parts(int words, std::span<const Arc> kept, Order order, Parts& p) {
  p.arcs.assign(kept.begin(), kept.end());
  std::sort(p.arcs.begin(), p.arcs.end(), [](const Arc& a, const Arc& b) {
    return a.head != b.head ? a.head < b.head : a.modifier < b.modifier;
  });
  index_arcs(words, p);
  make_pairs(order, p);
}

void restrict_parts(const Parts& parts, const PartScores& scores,
                    std::span<const std::int32_t> keep, Parts& fewer, PartScores& fewer_scores) {
  fewer.arcs.clear();
  for (const std::int32_t arc : keep) fewer.arcs.push_back(parts.arcs[arc]);
  index_arcs(parts.words, fewer);
  make_pairs(parts.siblings.empty() ? Order::first : Order::second, fewer);
  const auto old = [&](std::int32_t arc) { return arc < 0 ? -1 : keep[arc]; };
  fewer_scores.arcs.clear();
  fewer_scores.siblings.clear();
  fewer_scores.grandparents.clear();
  for (const std::int32_t arc : keep) fewer_scores.arcs.push_back(scores.arcs[arc]);
  for (const Sibling& s : fewer.siblings) {
    fewer_scores.siblings.push_back(scores.siblings[parts.sibling(old(s.inner), old(s.outer))]);
  }
  for (const Grandparent& g : fewer.grandparents) {
    fewer_scores.grandparents.push_back(
        scores.grandparents[parts.grandparent(old(g.upper), old(g.lower))]);
  }
}

int Parts::find(int head, int modifier) const {
  const auto begin = arcs.begin() + first_of_head[head],
             end = arcs.begin() + first_of_head[head + 1];
  const auto it = std::lower_bound(begin, end, modifier,
                                   [](const Arc& arc, int value) { return arc.modifier < value; });
  return it == end || it->modifier != modifier ? -1 : static_cast<int>(it - arcs.begin());
}

int Parts::sibling(int inner, int outer) const {
  const Arc& arc = arcs[inner < 0 ? outer : inner];
  const int h = arc.head, left = left_of_head[h];
  const bool is_left = arc.modifier < h;
  const int count = is_left ? left : first_of_head[h + 1] - first_of_head[h] - left;
  return first_sibling[h] + (is_left ? 0 : sibling_count(left)) +
         sibling_index(count, inner < 0 ? -1 : place(inner), outer < 0 ? count : place(outer));
}

int Parts::grandparent(int upper, int lower) const {
  const int g = arcs[upper].head, h = arcs[lower].head, m = arcs[lower].modifier;
  // One upper is left out where m -> h is there; it stands before those from beyond m.
  const auto begin = into.begin() + first_into[h], end = into.begin() + first_into[h + 1];
  const int rank = static_cast<int>(std::lower_bound(begin, end, upper) - begin);
  const int listed = first_grandparent[lower + 1] - first_grandparent[lower];
  const bool before = listed < end - begin && m < g;
  return first_grandparent[lower] + rank - (before ? 1 : 0);
}

double score_of(const Parts& parts, const PartScores& scores, std::span<const std::int32_t> heads) {
  std::vector<std::int32_t> chosen(parts.words), last;
  for (int m = 1; m <= parts.words; ++m) {
    chosen[m - 1] = parts.find(heads[m - 1], m);
    if (chosen[m - 1] < 0) return -std::numeric_limits<double>::infinity();
  }
  double total = 0;
  for_each_part(
      parts, chosen, last, [&](int i) { total += scores.arcs[i]; },
      [&](int i) { total += scores.siblings[i]; }, [&](int i) { total += scores.grandparents[i]; });
  return total;
}

}  // namespace entente::trees
