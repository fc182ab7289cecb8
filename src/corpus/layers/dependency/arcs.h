// A dependency tree as arcs over its words, at heights where they do not run into each other.
//
//   std::vector<Arc> arcs = lay_out_arcs(sentence, {});
//   arcs[0].level;                                     // 1: the lowest
//
// Arcs that cover a common gap between words get different levels, the shorter the lower, so that
// an arc lies above all it covers. Words without a head, and roots, have no arc. O(n^2) at worst,
// for trees whose arcs are all long; about linear for language. Thread-safe.
#pragma once

#include <vector>

#include "corpus/document.h"

namespace entente {

struct Arc {
  int left = 0, right = 0;  // words, from 0
  int dependent = 0;        // one of the two; the other is the head
  int level = 1;

  int head() const { return left + right - dependent; }
  int length() const { return right - left; }
};

struct ArcOptions {
  // Arcs that only meet at a word may share a level if it is the head of both, or always.
  bool only_heads_meet = false;
};

// By length, then from the left.
std::vector<Arc> lay_out_arcs(const Sentence& sentence, const ArcOptions& options);
int highest_level(const std::vector<Arc>& arcs);  // 0: there are none

}  // namespace entente
