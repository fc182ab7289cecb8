// Hashed features of mentions and of ordered pairs of mentions, from words, tags and lists of names
// only: the local classifiers do not see each other's labels.
//
//   FeatureMaker maker(gazetteer);
//   maker.read(passage);
//   maker.mention(passage.mentions[2], features);                        // cleared first
//   maker.pair(passage.mentions[2], passage.mentions[0], features);      // head, tail
//
// A feature is a template and what it saw, mixed. Values are part of the model file: a change here
// needs a new kRelationsFingerprint. read() is linear in the passage, mention() in the window
// around it, pair() in the words between. One maker a thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/word_shape.h"
#include "model/names/gazetteer.h"
#include "tasks/relations/types.h"

namespace entente::relations {

using names::Gazetteer;
using names::WordClasses;
using Features = std::vector<std::uint64_t>;

class FeatureMaker {
 public:
  explicit FeatureMaker(const Gazetteer& gazetteer) : gazetteer_(gazetteer) {}

  void read(const Passage& passage);
  // Spans need not be among the passage's mentions: candidates from raw text are not. A pair's two
  // spans do not overlap.
  void mention(const Mention& span, Features& out);
  void pair(const Mention& head, const Mention& tail, Features& out);

  // Extra features of what another classifier said, for the pipeline and for omniscience.
  static std::uint64_t told(int slot, int label);
  static std::uint64_t told(int slot, int label, int other);

 private:
  struct Atom {
    std::uint64_t form, lower, tag, shape, suffix2, suffix3, suffix4, prefix3, prefix4, stem;
    unsigned gazetteer;
    unsigned flags;
    std::span<const std::uint32_t> classes = {};  // of nouns and verbs
  };
  struct Phrase {
    std::uint64_t lower, shape, tags;
    unsigned gazetteer;  // of the whole
    unsigned any;        // of any word
    unsigned last;       // of its last word
    unsigned first;
    std::uint64_t guess;  // what the lists and its looks make of it, coarsely
  };
  const Atom& atom(int i) const {
    return i < 0 ? before_ : i >= static_cast<int>(atoms_.size()) ? after_ : atoms_[i];
  }
  // Two mentions in the order of the text, which of them is the head, and what they look like.
  struct Pair {
    Mention first, second;
    Phrase head, tail;
    std::uint64_t way;      // the head comes first, or second
    int words, mentions;    // between them
    std::uint64_t guesses;  // of both phrases
    std::uint64_t looks;    // their shapes and lists
  };
  Phrase phrase(const Mention& m) const;
  std::span<const std::uint32_t> classes_of(std::string_view lower, std::string_view tag) const;
  const Phrase& phrase_at(int i) const { return phrases_[mention_at_[i]]; }
  std::uint64_t words_between(int from, int to) const;
  void inside(const Mention& m, Features& out) const;
  void context(const Mention& m, Features& out) const;
  void neighbours(const Mention& m, Features& out) const;
  Pair make_pair(const Mention& head, const Mention& tail) const;
  void argument(const Mention& m, const Phrase& p, std::uint64_t slot, Features& out) const;
  void distance(const Pair& p, Features& out) const;
  void between(const Pair& p, Features& out) const;
  void word_between(const Pair& p, int i, Features& out) const;
  void meanings(const Pair& p, int i, Features& out) const;
  void around(const Pair& p, Features& out) const;
  void sentence(const Pair& p, Features& out) const;
  void namesakes(const Pair& p, Features& out) const;

  const Gazetteer& gazetteer_;
  const Passage* passage_ = nullptr;
  std::vector<Atom> atoms_;
  std::vector<Phrase> phrases_;
  std::vector<int> mention_at_;  // of each word, -1: none
  Atom before_{}, after_{};
  WordShape shape_;
};

}  // namespace entente::relations
