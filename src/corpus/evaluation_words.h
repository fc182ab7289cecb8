// Inside evaluation: the words of both sides as stretches of the text, and which agree.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/document.h"

namespace entente::evaluation {

// Characters of the text without its spaces: [begin, end).
struct CharacterRange {
  std::int64_t begin = 0, end = 0;
  friend bool operator==(const CharacterRange&, const CharacterRange&) = default;
};

struct WordPlace {
  CharacterRange span;  // of its token
  bool multiword = false;
  const Word* word = nullptr;
  int parent = -1;  // index among all words; -1: the root; -2: not known
};

// One side of the comparison.
struct Side {
  std::string text;  // without spaces
  std::vector<CharacterRange> tokens, sentences;
  std::vector<WordPlace> words;
};

Side make_side(std::span<const Sentence> sentences);

// For each word of the system the gold word it agrees with, -1: none. Increasing.
std::vector<int> align_words(const Side& gold, const Side& system);

}  // namespace entente::evaluation
