// What the models of targets and frames know of a word, as a few numbers: 32 bytes that training
// can keep for millions of words.
//
//   std::vector<WordFact> facts;
//   append_facts(sentence, facts);                  // one a word
//   FactTree tree;  tree.begin(facts);              // who depends on whom
//   for (int c : tree.children(i)) facts[c].deprel ...
//
// Text becomes 32-bit hashes of its lower-case form. Next to form and lemma stand up to three
// guesses of what an annotator would call the word ("splitting" -> "split", "organisation" ->
// "organization"): lemmatizers say "splitting" of a noun where FrameNet has split.v. Numbers in
// digits have the lemma "#". Linear in the sentence.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/document.h"

namespace entente::frames {

// Coarse parts of speech: those of Universal Dependencies, in this order; 0 is any other.
enum class Pos : std::uint8_t {
  other,
  adj,
  adp,
  adv,
  aux,
  cconj,
  det,
  intj,
  noun,
  num,
  part,
  pron,
  propn,
  punct,
  sconj,
  sym,
  verb
};
Pos pos_of(std::string_view upos);

std::uint32_t text_hash(std::string_view lower_case);  // never 0

struct WordFact {
  enum Flag : std::uint8_t { kCapital = 1, kDigits = 2, kFirst = 4 };
  static constexpr int kStems = 3;

  std::uint32_t form = 0, lemma = 0, tag = 0, deprel = 0;
  std::array<std::uint32_t, kStems> stems{};  // 0: none
  std::int16_t head = -1;                     // word, from 0; -1: the root, not known or past 32767
  Pos pos = Pos::other;
  std::uint8_t flags = 0;

  // Could the word be meant by this lexeme of a lexical unit?
  bool is(std::uint32_t lexeme) const {
    return lemma == lexeme || form == lexeme || stems[0] == lexeme || stems[1] == lexeme ||
           stems[2] == lexeme;
  }
};

void append_facts(const Sentence& sentence, std::vector<WordFact>& facts);

class FactTree {
 public:
  void begin(std::span<const WordFact> facts);
  std::span<const std::int32_t> children(int word) const {
    return std::span<const std::int32_t>(children_).subspan(first_[word],
                                                            first_[word + 1] - first_[word]);
  }

 private:
  std::vector<std::int32_t> children_, first_, place_;
};

// The word of a target that the others hang on: the one whose head is outside, the first if there
// are several.
int head_of(std::span<const WordFact> facts, std::span<const int> target);

}  // namespace entente::frames
