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

// Types that may be related, and the signatures of the relations they may stand in.
struct TypePair {
  int head = 0, tail = 0;
  std::vector<int> signatures;
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
  std::vector<TypePair> type_pairs() const {
    std::vector<TypePair> out;
    for (std::size_t s = 0; s < signatures.size(); ++s) {
      std::size_t at = 0;
      while (at < out.size() &&
             (out[at].head != signatures[s].head || out[at].tail != signatures[s].tail)) {
        ++at;
      }
      if (at == out.size()) out.push_back({signatures[s].head, signatures[s].tail, {}});
      out[at].signatures.push_back(static_cast<int>(s));
    }
    return out;
  }
};

}  // namespace entente::relations
