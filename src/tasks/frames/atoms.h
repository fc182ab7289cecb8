// A sentence as the frame-semantic models see it: each word as a few numbers, and its tree.
//
//   Atoms atoms;                              // keeps its memory between sentences
//   atoms.read(sentence.words);
//   atoms[3].lemma; atoms.low(3), atoms.high(3);        // the words that hang under word 3
//   for (int child : atoms.children(3)) ...
//
// Words count from 0; the head of the root is -1. Strings are 32-bit hashes: a model does not care
// if two of a million words share one. A sentence takes 24 bytes a word, so that a training corpus
// fits in memory. Linear in the words; no heap use once warm.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/document.h"

namespace entente::frames {

enum class Pos : std::uint8_t {
  kOther,
  kAdj,
  kAdp,
  kAdv,
  kAux,
  kCconj,
  kDet,
  kIntj,
  kNoun,
  kNum,
  kPart,
  kPron,
  kPropn,
  kPunct,
  kSconj,
  kSym,
  kVerb
};

struct WordAtom {
  std::uint32_t form = 0;   // lower case
  std::uint32_t lemma = 0;  // lower case
  std::uint32_t tag = 0;    // XPOS, or UPOS where there is none
  std::uint32_t relation = 0;
  std::int16_t head = -1;
  Pos pos = Pos::kOther;
  std::uint8_t shape = 0;  // capital, all capitals, digit, hyphen

  bool punctuation() const { return pos == Pos::kPunct; }
};

std::uint32_t atom_of(std::string_view text);        // of a string in lower case (ASCII)
std::uint32_t relation_atom(std::string_view text);  // of a relation as it is

class Atoms {
 public:
  void read(std::span<const Word> words);
  void read(std::span<const WordAtom> words);

  int size() const { return static_cast<int>(words_.size()); }
  const WordAtom& operator[](int i) const { return words_[i]; }
  std::span<const WordAtom> words() const { return words_; }
  int low(int i) const { return low_[i]; }    // the first word of the subtree
  int high(int i) const { return high_[i]; }  // the last
  int depth(int i) const { return depth_[i]; }
  std::span<const std::int16_t> children(int i) const {
    return {children_.data() + first_child_[i], children_.data() + first_child_[i + 1]};
  }
  // The word of first..last nearest to the root, the first of several.
  int head_of(int first, int last) const;
  int head_of(std::span<const int> target) const;

 private:
  void build_tree();

  std::vector<WordAtom> words_;
  std::vector<std::int16_t> low_, high_, depth_, children_, first_child_, order_;
  std::string lower_;
};

}  // namespace entente::frames
