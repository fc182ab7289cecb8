#include "corpus/layers/dependency/arcs.h"

#include <algorithm>

namespace entente {

namespace {

// Does the arc meet another of its level at a word that is not the head of both?
bool meets_badly(const Arc& arc, const std::vector<Arc>& placed,
                 const std::vector<std::vector<int>>& at_word) {
  for (int word : {arc.left, arc.right}) {
    for (int other : at_word[word]) {
      const Arc& o = placed[other];
      if (o.level == arc.level && (o.head() != word || arc.head() != word)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Arc> lay_out_arcs(const Sentence& sentence, const ArcOptions& options) {
  std::vector<Arc> arcs;
  for (int i = 0; i < sentence.size(); ++i) {
    const int head = sentence.words[i].head - 1;
    if (head < 0 || head == i || head >= sentence.size()) continue;
    arcs.push_back({.left = std::min(i, head), .right = std::max(i, head), .dependent = i});
  }
  std::stable_sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) {
    return a.length() != b.length() ? a.length() < b.length() : a.left < b.left;
  });
  std::vector<int> level(static_cast<std::size_t>(sentence.size()) + 1, 0);  // of each gap, so far
  std::vector<std::vector<int>> at_word(options.only_heads_meet ? sentence.words.size() : 0);
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    Arc& arc = arcs[k];
    const auto begin = level.begin() + arc.left, end = level.begin() + arc.right;
    arc.level = *std::max_element(begin, end) + 1;
    if (options.only_heads_meet) {
      while (meets_badly(arc, arcs, at_word)) ++arc.level;
      at_word[arc.left].push_back(static_cast<int>(k));
      at_word[arc.right].push_back(static_cast<int>(k));
    }
    std::fill(begin, end, arc.level);
  }
  return arcs;
}

int highest_level(const std::vector<Arc>& arcs) {
  int highest = 0;
  for (const Arc& arc : arcs) highest = std::max(highest, arc.level);
  return highest;
}

}  // namespace entente
