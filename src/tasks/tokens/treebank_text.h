// A treebank turned back into the text it was made from, with the tokens' places in it.
//
//   std::vector<Paragraph> paragraphs = paragraphs_of(sentences, seed);
//
// Sentences of a paragraph are joined by a space, or by nothing after SpaceAfter=No, as the raw
// texts of the CoNLL 2018 shared task are; a new document or paragraph starts a new text, and so
// does a stretch of more than kLongest tokens. A treebank that never says SpaceAfter=No has lost
// where its spaces were: half of its sentences are then written as people write, with punctuation
// attached to its word.
//
// Behind them come some of the paragraphs once more, laid out as text is outside of treebanks:
// wrapped at some width, with a line a sentence, as titles and verse without full stops; with
// abbreviations of our own in the middle and at the end of sentences (those of English, where the
// treebank is English). A model that saw no line breaks could learn nothing from them. O(bytes).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/document.h"

namespace entente::tokens {

struct GoldToken {
  std::uint32_t begin, end;  // bytes of the paragraph
  const Sentence* sentence;
  int first, last;  // its words
  bool ends_sentence;
};

struct Paragraph {
  static constexpr int kLongest = 400;
  std::string text;
  std::vector<GoldToken> tokens;
  int copy_of = -1;  // the paragraph that this is another layout of
};

// `copies`: how many of the paragraphs come a second time, as a share.
std::vector<Paragraph> paragraphs_of(std::span<const Sentence> sentences, std::uint64_t seed,
                                     double copies = 0);

}  // namespace entente::tokens
