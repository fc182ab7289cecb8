// Sentences of conll04 as sentences of a Document, with entities and relations as layers, and back.
//
//   Sentence sentence;
//   read_conll04_sentence(row_sentence, sentence);
//   append_conll04(out, conll04_of(sentence));
//
// A row of several words joined by "/" becomes several words; COMMA, -LRB- and the like become what
// they stand for; tags of older tag sets become today's (PP$ -> PRP$) and stand in `xpos`. Back, an
// entity is one row and any other word one. Linear. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/conll04.h"
#include "corpus/document.h"

namespace entente {

// A row's words with their tags; a row has at least one word.
void append_row(const Conll04Row& row, std::vector<std::string>& words,
                std::vector<std::string>& tags);

void read_conll04_sentence(const Conll04Sentence& from, Sentence& to);

// The text of a sentence that has none, its words joined by spaces, and where they stand in it.
struct JoinedText {
  std::string text;
  std::vector<std::int64_t> begin, end;  // of words, in bytes
};
JoinedText join_words(const Sentence& sentence);

// Entities must not overlap.
Conll04Sentence conll04_of(const Sentence& from);

}  // namespace entente
