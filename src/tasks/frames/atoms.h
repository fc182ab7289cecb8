// The tree of a sentence and the words on it, as the argument model sees them.
//
//   Atoms atoms;                              // keeps its memory between sentences
//   atoms.read(sentence);
//   atoms[3].lemma; atoms.low(3), atoms.high(3);        // the words that hang under word 3
//   for (int child : atoms.children(3)) ...
//
// Words count from 0; the head of the root is -1. Heads that lead nowhere but in a circle are
// harmless: such words have depth -1. Linear in the words; no heap use once warm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/document.h"
#include "tasks/frames/facts.h"

namespace entente::frames {

// Spans of words are two 16-bit numbers; arguments are not looked for in anything longer.
inline constexpr int kLongestSentence = 4000;

class Atoms {
 public:
  void read(const Sentence& sentence);
  void read(std::span<const WordFact> words);

  int size() const { return static_cast<int>(words_.size()); }
  const WordFact& operator[](int i) const { return words_[i]; }
  std::span<const WordFact> words() const { return words_; }
  bool punctuation(int i) const { return words_[i].pos == Pos::punct; }
  int low(int i) const { return low_[i]; }    // the first word of the subtree
  int high(int i) const { return high_[i]; }  // the last
  int depth(int i) const { return depth_[i]; }
  std::span<const std::int32_t> children(int i) const { return tree_.children(i); }
  // The word of first..last nearest to the root, the first of several.
  int head_of(int first, int last) const;
  int head_of(std::span<const int> target) const;

 private:
  void build_tree();

  std::vector<WordFact> words_;
  FactTree tree_;
  std::vector<std::int32_t> low_, high_, depth_, order_;
};

}  // namespace entente::frames
