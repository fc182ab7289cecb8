// What kind of thing a word means, as far as lists tell: its classes by the company it keeps in raw
// text, and the topics WordNet files its commonest senses under (noun.person, verb.motion, ...).
// Made by `entente train clusters`, kept in a model file, looked up by whoever labels meanings.
//
//   WordMeanings meanings(file, "frames/meanings");
//   WordMeaning m = meanings.find(word_meaning_hash("ship"));    // all 0 where it is not known
//   m.nouns[0]                                                   // 6: noun.artifact
//
// Words go by 32-bit hashes of their lower-case form, which is what training keeps of them. O(1) a
// word, no heap; thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "learn/flat_table.h"
#include "learn/hash.h"
#include "learn/model_file.h"

namespace entente {

struct WordMeaning {
  std::uint32_t check = 0;  // of the key; 0: none
  std::uint16_t fine = 0;   // classes of learn/word_classes.h; 0: none
  std::uint8_t middle = 0;
  std::array<std::uint8_t, 2> nouns{};  // WordNet's file of the first sense and of the next in
  std::array<std::uint8_t, 2> verbs{};  // another file, plus one; 0: none
  std::uint8_t spare = 0;
};

inline std::uint32_t word_meaning_hash(std::string_view lower_case) {  // never 0
  const std::uint32_t hash = static_cast<std::uint32_t>(hash_of(lower_case) >> 32);
  return hash == 0 ? 1 : hash;
}
inline std::uint64_t word_meaning_key(std::uint32_t hash) { return spread(mix(0x3EA21, hash)); }

class WordMeanings {
 public:
  WordMeanings() = default;
  explicit WordMeanings(std::span<const WordMeaning> table) : table_(table) {}
  // Nothing is known of any word where the file has no such section.
  WordMeanings(const ModelFile& file, const std::string& name) {
    if (file.has(name)) table_ = FlatTable<WordMeaning>(file, name);
  }

  bool empty() const { return table_.entries().empty(); }
  std::span<const WordMeaning> entries() const { return table_.entries(); }
  WordMeaning find(std::uint32_t hash) const {
    const WordMeaning* m = empty() ? nullptr : table_.find(word_meaning_key(hash));
    return m == nullptr ? WordMeaning{} : *m;
  }

 private:
  FlatTable<WordMeaning> table_;
};

}  // namespace entente
