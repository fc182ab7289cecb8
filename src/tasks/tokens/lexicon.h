// What the training text says about each word: how frequent, what part of speech, how it is
// capitalised, how often it opens or closes a sentence.
//
//   LexiconBuilder builder;  builder.add(paragraph, +1);  std::vector<LexiconEntry> t =
//   builder.table(); LexiconView lexicon(t); const WordFacts facts =
//   lexicon.find(characters.hash(b, e));
//
// Training looks words up in a lexicon made of the other parts of the treebank, so that a model
// does not learn to trust what it will not know of new words. A lookup is one or two cache misses;
// the view is immutable and may lie in a mapped model file.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tasks/tokens/characters.h"
#include "tasks/tokens/treebank_text.h"

namespace entente::tokens {

// Parts of speech that are asked for by name.
enum class WordTag : std::uint32_t { adj = 1, aux = 4, noun = 8, pron = 11, propn = 12, verb = 16 };

// All zero: never seen.
struct WordFacts {
  std::uint32_t bits = 0;

  std::uint32_t count() const { return bits & 7; }  // 1: once ... 5: 32 times or more
  std::uint32_t tag() const { return bits >> 3 & 63; }
  bool is(WordTag t) const { return count() > 0 && (tag() & 31) == static_cast<std::uint32_t>(t); }
  std::uint32_t capital() const { return bits >> 9 & 7; }  // inside sentences; 0: no data
  std::uint32_t opens() const { return bits >> 12 & 7; }
  std::uint32_t closes() const { return bits >> 15 & 7; }
};

struct LexiconEntry {
  std::uint32_t key = 0;  // 0: empty
  WordFacts facts;
};

class LexiconView {
 public:
  LexiconView() = default;
  // The table's size is a power of two, with empty places.
  explicit LexiconView(std::span<const LexiconEntry> table) : table_(table) {}
  static bool is_table(std::span<const LexiconEntry> table);

  WordFacts find(std::uint64_t hash) const {
    const std::uint32_t key = key_of(hash);
    for (std::size_t i = hash & (table_.size() - 1);; i = (i + 1) & (table_.size() - 1)) {
      if (table_[i].key == key) return table_[i].facts;
      if (table_[i].key == 0) return {};
    }
  }
  // For words never seen, the part of speech of rare words that end alike.
  WordFacts find_or_guess(const Characters& c, int begin, int end) const;

  static std::uint32_t key_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> 32) | 1;
  }
  static std::uint64_t suffix_key(const Characters& c, int begin, int end);

 private:
  std::span<const LexiconEntry> table_;
};

class LexiconBuilder {
 public:
  // times = -1 takes back an earlier add.
  void add(const Paragraph& paragraph, int times);
  std::vector<LexiconEntry> table() const;

 private:
  struct Counts {
    int all = 0, inside = 0, inside_capital = 0, opens = 0, closes = 0;
    std::array<int, 64> tags{};
  };
  static WordFacts facts_of(const Counts& counts);

  std::unordered_map<std::uint64_t, Counts> words_;
  std::unordered_map<std::uint64_t, std::uint64_t> suffixes_;  // word -> its suffix key
};

}  // namespace entente::tokens
