// What raw text tells about a word: its classes by the company it keeps, coarse to fine, and the
// parts of speech it was seen with. Made by `entente train clusters` (tasks/clusters), kept in a
// model file, looked up by whoever makes features of words.
//
//   WordClasses classes(file, "clusters");               // where it lies in the file
//   WordClass c = classes.find(word_class_key(lower));   // all 0 where the word is not known
//
// `tags` says which of kTagGroups a tagged corpus had the word in: up to three of them, the most
// frequent first, four bits each, then how sure the first is (two bits) and how often the word was
// seen (two bits). 0: never seen tagged. `lists` has the bits of model/names/dictionary.h: what
// dictionaries and lists of names say of the word. O(1) a word, no heap; thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "learn/flat_table.h"
#include "learn/model_file.h"

namespace entente {

struct WordClass {
  std::uint32_t check = 0;  // of the key; 0: none
  std::uint16_t fine = 0;
  std::uint16_t tags = 0;
  std::uint8_t middle = 0, coarse = 0;
  std::uint16_t lists = 0;
};

// Digits are all alike; `lower` is in lower case already.
std::uint64_t word_class_key(std::string_view lower);

class WordClasses {
 public:
  WordClasses() = default;
  explicit WordClasses(std::span<const WordClass> table) : table_(table) {}
  // Nothing is known of any word where the file has no such section.
  WordClasses(const ModelFile& file, const std::string& name);

  bool empty() const { return table_.entries().empty(); }
  std::span<const WordClass> entries() const { return table_.entries(); }
  WordClass find(std::uint64_t key) const {
    const WordClass* c = empty() ? nullptr : table_.find(key);
    return c == nullptr ? WordClass{} : *c;
  }

 private:
  FlatTable<WordClass> table_;
};

// A copy of the table in a model file; an Error if it has none.
std::vector<WordClass> read_word_classes(const std::string& path);

}  // namespace entente
