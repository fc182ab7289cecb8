// Kinds of nouns and verbs from WordNet (wordnet-base): what a word means, and what that is a kind
// of, so that words never seen in training are like those that were.
//
//   WordClasses classes = read_word_classes("/usr/share");
//   classes.find("slain", WordClasses::kVerb);     // murder, kill: synsets as numbers
//   classes.find("slayings", WordClasses::kNoun);  // the same, for the noun comes from the verb
//
// A verb has the synsets of its two commonest senses and all above them; a noun has its own with
// two levels above, and those of the verbs it is derived from. Inflected forms are found as WordNet
// does: lists of irregular ones, then endings. Reading takes some tenths of a second; find() is
// O(length). Thread-safe once made.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "learn/flat_table.h"
#include "learn/model_file.h"

namespace entente::names {

class WordClasses {
 public:
  enum Part : int { kNoun, kVerb };
  struct Entry {
    std::uint32_t check = 0;
    std::uint32_t begin = 0, size = 0;  // of its classes
  };
  struct Word {
    std::string lower;
    Part part = kNoun;
    std::vector<std::uint32_t> classes;
  };

  WordClasses() = default;
  explicit WordClasses(std::span<const Word> words);  // of equal words the first counts
  WordClasses(const ModelFile& file, const std::string& name);
  void save(ModelWriter& writer, const std::string& name) const;

  // Empty: not known. Valid as long as this is.
  std::span<const std::uint32_t> find(std::string_view lower, Part part) const;
  bool empty() const { return classes_.empty(); }

 private:
  const Entry* exact(std::string_view lower, Part part) const;

  std::vector<Entry> table_;
  std::vector<std::uint32_t> classes_;
};

// None where the files of WordNet are not there.
WordClasses read_word_classes(const std::string& share);

}  // namespace entente::names
