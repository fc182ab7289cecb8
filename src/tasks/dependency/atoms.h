// What features are made of: each word of a sentence as a handful of hashes, computed once.
//
//   Atoms atoms;                            // keeps its memory between sentences
//   atoms.read(sentence.words);
//   atoms[m].upos; atoms[0] is the root, atoms[-2], atoms[n + 2] are paddings
//
// Linear in the text; no heap use once warm. Columns that hold "_" cost nothing but what they would
// have told: the fine tag falls back on the coarse one with its morphology, the lemma on the form.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/document.h"
#include "learn/word_classes.h"

namespace entente::dependency {

struct Atom {
  std::uint64_t form = 0;  // lower case (ASCII)
  std::uint64_t lemma = 0;
  std::uint64_t upos = 0;
  std::uint64_t tag = 0;    // XPOS, or UPOS and features where there is none
  std::uint64_t feats = 0;  // 0: none
  std::uint64_t prefix = 0, suffix = 0;
  std::uint64_t shape = 0;                         // capitals, digits, other signs
  std::uint64_t fine = 0, middle = 0, coarse = 0;  // classes from raw text; 0: none known
  std::uint64_t key = 0;  // form where it is worth a lexical feature of its own, else the tag:
                          // function words, punctuation
  std::uint8_t slot = 0;  // UPOS as a bit of a 64-bit set
};

// What stands between two words, from prefix sums.
struct Between {
  int verbs = 0, punctuation = 0, commas = 0, conjunctions = 0, nouns = 0;
};

class Atoms {
 public:
  // Classes that words have from raw text: none of them unless this is said. They must outlive it.
  void use(const WordClasses* classes) { classes_ = classes; }
  void read(std::span<const Word> words);

  int words() const { return words_; }
  const Atom& operator[](int position) const { return atoms_[position + kPad]; }
  // The words strictly between positions a and b, in any order.
  Between between(int a, int b) const;
  // The set of UPOS slots strictly between them: O(distance).
  std::uint64_t slots_between(int a, int b) const;
  // The bracket or quote that matches the one at a position, 0: none.
  int partner(int position) const { return partner_[position]; }
  // The innermost opening bracket or quote around a position, 0: none. Of a bracket, those around
  // the pair.
  int enclosure(int position) const { return enclosure_[position]; }

 private:
  void match_brackets(std::span<const Word> words);

  static constexpr int kPad = 2;

  int words_ = 0;
  const WordClasses* classes_ = nullptr;
  std::vector<Atom> atoms_;
  std::vector<Between> sums_;  // of positions < i
  std::vector<std::int32_t> partner_, enclosure_;
  std::vector<std::int32_t> open_stack_;  // while matching
  std::string lower_;                     // while reading
};

}  // namespace entente::dependency
