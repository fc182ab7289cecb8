// Where each word stands in the text.
//
//   const std::vector<WordPlace> places = word_offsets(sentence, document.text);
//   document.text.substr(places[i].begin, places[i].end - places[i].begin);   // of word i
//
// Tokens have places, words are in tokens. Where the words of a token follow each other in its
// text ("don't": "do", "n't"), each has its own part of it; where they do not ("du": "de", "le"),
// each has the whole token. Linear. Thread-safe.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "corpus/document.h"

namespace entente {

struct WordPlace {
  std::int64_t begin = -1, end = -1;  // bytes of the document's text; -1: not known

  bool known() const { return begin >= 0; }
  bool operator==(const WordPlace&) const = default;
};

// One a word. `text` is that of the document; if the places lie outside of it, nothing is split.
std::vector<WordPlace> word_offsets(const Sentence& sentence, std::string_view text);

// From the first to the last of words first..last that have a place (both included).
WordPlace place_of_words(const std::vector<WordPlace>& places, int first, int last);

}  // namespace entente
