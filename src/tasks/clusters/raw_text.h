// Text for word classes: sentences in, numbered words with counts out.
//
//   RawText text;
//   text.add_words(words);                         // of a treebank: tokens as they are
//   text.add_line("The ships aren't new.");        // plain text, cut roughly: at white space,
//                                                  // punctuation and apostrophes
//   text.add_tag("ships", "NN2");                  // a word as some tagged corpus has it
//   Numbered n = text.number(50000);               // the most frequent words, and the tokens
//
// Words count in lower case with all digits alike. Linear in the text; memory: four bytes a token
// and each different word once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "corpus/word_shape.h"

namespace entente::clusters {

// Groups of tags, the same for BNC's and Penn's names; 0 is none.
enum TagGroup : int {
  kNoGroup,
  kNoun,
  kNouns,
  kName,
  kAdjective,
  kAdverb,
  kVerbBase,
  kVerbPast,
  kVerbParticiple,
  kVerbIng,
  kVerbThird,
  kNumber,
  kPronoun,
  kFunction,
  kOther,
  kTagGroups
};
TagGroup tag_group(std::string_view tag);

struct Numbered {
  std::vector<std::string> words;    // [0] is the border, [1] all rare ones
  std::vector<std::int32_t> tokens;  // as count_bigrams wants them
  std::vector<std::uint16_t> tags;   // one a word, as learn/word_classes.h has them
};

class RawText {
 public:
  void add_words(std::span<const std::string_view> words);
  void add_line(std::string_view line);
  void add_tag(std::string_view word, std::string_view tag);

  // At most `most` words, each seen `least` times or tagged twice.
  Numbered number(std::size_t most, std::int64_t least = 3) const;
  std::int64_t size() const { return static_cast<std::int64_t>(tokens_.size()); }

 private:
  struct Entry {
    std::string word;
    std::int64_t count = 0;
    std::array<std::int32_t, kTagGroups> groups{};
  };
  std::int32_t find(std::string_view word);
  void add(std::string_view word);

  std::unordered_map<std::string, std::int32_t> numbers_;
  std::vector<Entry> entries_;
  std::vector<std::int32_t> tokens_;  // -1 between sentences
  WordShape shape_;
  std::string normal_;
};

}  // namespace entente::clusters
