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

namespace entente::dependency {

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
  std::vector<Sibling> siblings;            // by head, left side before right, by outer, inner
  std::vector<Grandparent> grandparents;    // by lower, then by upper
};

struct PartScores {
  std::vector<double> arcs, siblings, grandparents;
};

// `kept` lists the arcs in any order, each once. Every word must have at least one head.
void make_parts(int words, std::span<const Arc> kept, Order order, Parts& parts);

// The sum of the scores of a tree's parts; heads[m - 1] is the head of word m. -infinity if the
// tree uses an arc that is not there.
double score_of(const Parts& parts, const PartScores& scores, std::span<const std::int32_t> heads);

}  // namespace entente::dependency
