// What the relations task works on: a passage (mostly a sentence) with mentions of entities, and
// the relations between them.
//
//   Passage p;
//   p.words = {"Oswald", "shot", "Kennedy"};   p.tags = {"NNP", "VBD", "NNP"};
//   p.mentions = {{0, 1}, {2, 3}};             // spans of words
//   p.links = {{.head = 0, .tail = 1, .label = 5}};
//
// Labels are numbers into a LabelSet; relation 0 is always "none". Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace entente::relations {

inline constexpr int kNone = 0;  // of relations

struct Mention {
  int begin = 0, end = 0;  // words [begin, end)
  int label = -1;          // of LabelSet::entities; -1: not known
};

struct Link {
  int head = 0, tail = 0;  // mentions
  int label = kNone;       // of LabelSet::relations
};

struct Passage {
  std::string id;
  std::vector<std::string> words, tags;
  std::vector<Mention> mentions;  // in order of their first word
  std::vector<Link> links;        // without those labelled "none"
  // Where words stand in a text, in bytes; empty for corpora that have no text.
  std::vector<std::int64_t> word_begin, word_end;

  int size() const { return static_cast<int>(words.size()); }
  int mention_count() const { return static_cast<int>(mentions.size()); }
};

// Which types the arguments of a relation may have; read off the training corpus.
struct Signature {
  int relation = 0, head = 0, tail = 0;
  friend bool operator==(const Signature&, const Signature&) = default;
};

struct LabelSet {
  std::vector<std::string> entities;   // sorted
  std::vector<std::string> relations;  // "none", then sorted
  std::vector<Signature> signatures;   // those that occur, sorted

  int entity_count() const { return static_cast<int>(entities.size()); }
  int relation_count() const { return static_cast<int>(relations.size()); }
  bool allows(int relation, int head, int tail) const {
    for (const Signature& s : signatures) {
      if (s == Signature{relation, head, tail}) return true;
    }
    return relation == kNone;
  }
};

}  // namespace entente::relations
