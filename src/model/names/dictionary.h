// What dictionaries and lists of names say a single word can be: WordNet's parts of speech with
// inflected forms (wordnet-base), given and family names (rig), countries and their parts
// (iso-codes). For words that a treebank has never seen.
//
//   Dictionary words = read_dictionary("/usr/share", &missing);     // "purrs" -> kVerbThird
//   for (const auto& [lower, bits] : words) ...                     // in order of the words
//
// Regular forms are made from the lemmas, irregular ones are listed by WordNet. Reading takes some
// tenths of a second.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace entente::names {

enum DictionaryBit : std::uint16_t {
  kDictNoun = 1,
  kDictVerb = 2,
  kDictAdjective = 4,
  kDictAdverb = 8,
  kDictPlural = 16,
  kDictVerbThird = 32,
  kDictVerbPast = 64,  // and participles
  kDictVerbIng = 128,
  kDictCompared = 256,   // comparatives and superlatives
  kDictName = 512,       // a noun that WordNet writes with a capital
  kDictNamePart = 1024,  // has a capital inside a name of several words
  kDictGiven = 2048,
  kDictFamily = 4096,
  kDictPlace = 8192,
};

using Dictionary = std::map<std::string, std::uint16_t>;

// missing, if given, gets the packages whose files are not there.
Dictionary read_dictionary(const std::string& share, std::vector<std::string>* missing);

// The files ("noun.person": 18) under which WordNet has the commonest sense of a single word and the
// next one that is filed elsewhere, plus one; 0: none. By lemma; empty where there is no WordNet.
struct Topics {
  std::array<std::uint8_t, 2> nouns{}, verbs{};
};
std::map<std::string, Topics> read_topics(const std::string& share);

}  // namespace entente::names
