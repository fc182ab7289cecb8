// The features of a word in its sentence, and of a tag after other tags.
//
//   SentenceFacts facts;
//   facts.read(sentence, lexicon);                  // once a sentence
//   facts.word_features(i, out);                    // hashes, replaces `out`
//   std::uint64_t f = facts.pair_feature(k, i, tag_before);
//   std::uint64_t g = triple_feature(k, tags, two_before, before);
//
// About 55 features a word: the word, its ends and looks; the words around it up to three away,
// alone and in pairs; and what the lexicon knows of it and of its neighbours; with word classes
// some 25 more. All are hashes for learn/row_weights.h; their definition is part of the model
// format (kFeatureVersion). Linear in the sentence; no heap use once warm.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/document.h"
#include "corpus/word_shape.h"
#include "learn/word_classes.h"
#include "tasks/tagging/lexicon.h"

namespace entente::tagging {

constexpr std::uint64_t kFeatureVersion = 3;
constexpr int kPairFeatures = 4, kTripleFeatures = 3;

// The two tags a label stands for.
struct Tags {
  std::vector<std::string> upos, xpos;  // names
  struct Pair {
    std::uint16_t upos, xpos;
  };
  std::vector<Pair> labels;

  std::uint64_t upos_of(Label label) const {  // the border has one of its own
    return label == kBorder ? 0 : labels[label].upos + 1u;
  }
};

class SentenceFacts {
 public:
  // classes: what raw text tells of words; may be empty.
  void read(const Sentence& sentence, const Lexicon& lexicon, const WordClasses& classes = {});
  int size() const { return size_; }
  const Lattice& lattice() const { return lattice_; }  // the candidates of each word
  // For training: makes sure that the given labels are candidates.
  void require(std::span<const Label> labels);

  // nameless: without those that know which word it is, as for a word never met.
  void word_features(int i, std::vector<std::uint64_t>& out, bool nameless = false) const;
  bool known(int i) const {
    return at(i).known;
  }  // does the lexicon have the form or its lower case?
  std::uint64_t pair_feature(int k, int i, Label before) const;

 private:
  static constexpr int kAround = 3;  // words looked at to either side
  static constexpr int kPrefixes = 4, kSuffixes = 5;

  struct Facts {
    std::uint64_t form, lower, shape, long_shape, ambiguity, best;
    std::uint64_t prefixes[kPrefixes], suffixes[kSuffixes];  // 0: the word is shorter
    std::uint64_t suffix2, suffix3;                          // the whole word if it is shorter
    std::uint64_t fine, middle, coarse, tags, lists;         // learn/word_classes.h; 0: not known
    unsigned flags;
    bool known;
    bool opens;  // nothing but signs stands before it since the sentence or a sign began
    int length;
  };
  static Facts border(std::uint64_t value);
  void find_style();
  void read_word(const std::string& form, const Lexicon& lexicon, const WordClasses& classes,
                 Facts& facts);
  const Facts& at(int i) const { return facts_[i + kAround]; }

  int size_ = 0;
  bool shouting_ = false;  // no lower-case letter in the whole sentence
  bool classes_ = false;   // there are any
  unsigned style_ = 0;     // how many of the words that need no capital have one: 0 to 3
  std::vector<Facts> facts_;
  Lattice lattice_, required_;
  WordShape shape_;
  std::vector<Label> candidates_;
};

std::uint64_t triple_feature(int k, const Tags& tags, Label two_before, Label before);

}  // namespace entente::tagging
