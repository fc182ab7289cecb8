// What a dependency tree is made of, after pruning: arcs, consecutive siblings, grandparents.
//
//   Parts parts;
//   make_parts(words, kept_arcs, Order::second, parts);
//   // scores.arcs[i] belongs to parts.arcs[i], scores.siblings[i] to parts.siblings[i], ...
//
// Words are 1..words, 0 is the root. The value of a tree is the sum of the scores of its parts:
// each of its arcs; for each head and side, walking away from the head, the pairs (none, first
// modifier), (first, second), ..., (last, none), where a side without modifiers has the one pair
// (none, none) that is no part and scores 0; and for each arc g -> h and arc h -> m, the
// grandparent (g, h, m). Cost of making: linear in the number of parts. No heap use once warm.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace entente::trees {

struct Arc {
  std::int32_t head, modifier;
};

// Neighbouring modifiers of one head on one side. Arcs by index; -1: none (before the first, after
// the last). Never -1 in both.
struct Sibling {
  std::int32_t inner, outer;
};

struct Grandparent {
  std::int32_t upper, lower;  // arcs by index: upper's modifier is lower's head
};

enum class Order { first, second };

struct Parts {
  int words = 0;
  std::vector<Arc> arcs;                    // by head, then by modifier
  std::vector<std::int32_t> first_of_head;  // words + 2: the arcs of head h are from
                                            // first_of_head[h] to first_of_head[h + 1]
  std::vector<std::int32_t> left_of_head;   // words + 1: how many of them are left of it
  std::vector<std::int32_t> first_into;     // words + 2, and
  std::vector<std::int32_t> into;           // the arcs by modifier, then by head
  std::vector<Sibling> siblings;  // by head, left side before right, by outer, inner, both
                                  // counted away from the head, none before the first and after the
                                  // last: the order of oracle/head_automaton.h
  std::vector<std::int32_t> first_sibling;      // words + 2, by head
  std::vector<Grandparent> grandparents;        // by lower, then by upper; without g -> h -> g
  std::vector<std::int32_t> first_grandparent;  // arcs + 1, by lower

  // Where an arc stands on its side, counted away from the head.
  int place(int arc) const {
    const int h = arcs[arc].head, i = arc - first_of_head[h], left = left_of_head[h];
    return i < left ? left - 1 - i : i - left;
  }
  int find(int head, int modifier) const;  // index of an arc, -1 if it is not there
  // Indices of parts; second order only. inner, outer: -1 is none.
  int sibling(int inner, int outer) const;
  int grandparent(int upper, int lower) const;
};

struct PartScores {  // finite numbers
  std::vector<double> arcs, siblings, grandparents;
};

// `kept` lists the arcs in any order, each once. Every word must have at least one head.
void make_parts(int words, std::span<const Arc> kept, Order order, Parts& parts);

// The parts among some arcs (keep: rising; every word needs a head) with their scores; arc i there
// is keep[i] here.
void restrict_parts(const Parts& parts, const PartScores& scores,
                    std::span<const std::int32_t> keep, Parts& fewer, PartScores& fewer_scores);

// The sum of the scores of a tree's parts; heads[m - 1] is the head of word m. -infinity if the
// tree uses an arc that is not there. Linear in words, but for the search for the arcs.
double score_of(const Parts& parts, const PartScores& scores, std::span<const std::int32_t> heads);

// Calls visit_arc(i), visit_sibling(i) and visit_grandparent(i) for the parts of a tree given by
// its arcs: chosen[m - 1] is the arc into m. `last` is scratch.
template <typename VisitArc, typename VisitSibling, typename VisitGrandparent>
void for_each_part(const Parts& parts, std::span<const std::int32_t> chosen,
                   std::vector<std::int32_t>& last, VisitArc visit_arc, VisitSibling visit_sibling,
                   VisitGrandparent visit_grandparent) {
  for (std::int32_t arc : chosen) visit_arc(arc);
  if (parts.siblings.empty()) return;
  // Walking to the right passes right modifiers away from their heads, walking back left ones.
  for (int way : {1, -1}) {
    last.assign(parts.words + 1, -1);
    for (int x = 1; x <= parts.words; ++x) {
      const int m = way > 0 ? x : parts.words + 1 - x;
      const int arc = chosen[m - 1], h = parts.arcs[arc].head;
      if ((m > h) != (way > 0)) continue;
      visit_sibling(parts.sibling(last[h], arc));
      last[h] = arc;
    }
    for (int h = 0; h <= parts.words; ++h) {
      if (last[h] >= 0) visit_sibling(parts.sibling(last[h], -1));
    }
  }
  for (std::int32_t lower : chosen) {
    const int h = parts.arcs[lower].head;
    if (h > 0) visit_grandparent(parts.grandparent(chosen[h - 1], lower));
  }
}

}  // namespace entente::trees
