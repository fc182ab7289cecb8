// Hashed features of the words of a sentence: forms, looks, tags, lists of names, around each word.
//
//   FeatureMaker maker(gazetteer);              // one per thread
//   maker.read(sentence);
//   maker.word(i, features);                    // of word i; cleared first
//
// A feature is a template and what it saw, mixed. Values are part of the model file: a change here
// needs a new kEntitiesVersion. read() is linear in the sentence but for phrases of lists, which are
// at most kLongestName words; word() is linear in what it makes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/document.h"
#include "corpus/word_shape.h"
#include "model/names/gazetteer.h"

namespace entente::entities {

inline constexpr int kLongestName = 6;  // words of a phrase that is looked up

class FeatureMaker {
 public:
  explicit FeatureMaker(const names::Gazetteer& gazetteer) : gazetteer_(gazetteer) {}

  void read(const Sentence& sentence);
  int size() const { return static_cast<int>(atoms_.size()); }
  void word(int i, std::vector<std::uint64_t>& out) const;

 private:
  struct Atom {
    std::uint64_t form = 0, lower = 0, tag = 0, coarse = 0, shape = 0, long_shape = 0, lemma = 0;
    std::uint64_t suffix[4] = {}, prefix[4] = {};
    unsigned flags = 0;
    unsigned lists = 0;       // what lists say of the word alone
    unsigned phrase = 0;      // and of the longest phrase around it
    int phrase_place = 0;     // first, within, last or single word of that; 0: none
    std::uint64_t again = 0;  // how the same word is written elsewhere in the sentence
  };
  const Atom& at(int i) const {
    if (i < 0) return before_;
    return i >= size() ? after_ : atoms_[static_cast<std::size_t>(i)];
  }
  void read_phrases();
  void look_around(int i, std::vector<std::uint64_t>& out) const;
  void look_inside(int i, std::vector<std::uint64_t>& out) const;
  void ask_lists(int i, std::vector<std::uint64_t>& out) const;
  void ask_context(int i, std::vector<std::uint64_t>& out) const;

  const names::Gazetteer& gazetteer_;
  std::vector<Atom> atoms_;
  std::vector<std::string> lower_;
  Atom before_, after_;
  bool shouted_ = false;  // most of it is in capitals
  WordShape shape_;
};

}  // namespace entente::entities
