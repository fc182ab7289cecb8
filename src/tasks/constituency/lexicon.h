// What is known about words: the tags each was seen with, and for rare and unknown ones the tags of
// words that look like them.
//
//   Lexicon lexicon = Lexicon::count(trees);
//   lexicon.candidates("cats", first_word, out);     // tags worth considering
//   double s = lexicon.score("cats", tag, ...);      // log P(tag | word) / P(tag): up to a
//   constant
//                                                    // log P(word | tag)
// A word that was seen `kFrequent` times has the tags it was seen with; a rarer one also those of
// its signature (case, digits, hyphens, last letters). Immutable; thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/layers/constituency/phrase_tree.h"
#include "learn/model_file.h"
#include "learn/word_classes.h"

namespace entente::constituency {

struct TagCandidate {
  std::int32_t tag;
  float score;  // log P(tag | word) - log P(tag)
};

class Lexicon {
 public:
  // `classes`: the table of learn/word_classes.h, empty where there is none.
  static Lexicon count(std::span<const PhraseTree> trees, std::span<const WordClass> classes = {});
  static Lexicon read(const ModelFile& file, const std::string& prefix);
  void write(ModelWriter& writer, const std::string& prefix) const;

  int tags() const { return static_cast<int>(tags_.size()); }
  const std::string& tag(int t) const { return tags_[t]; }
  int find_tag(std::string_view name) const;
  bool known(std::string_view word) const { return seen(word) >= 2; }
  int seen(std::string_view word) const;  // how often
  bool has_classes() const { return !classes_.empty(); }
  WordClass word_class(std::string_view word) const;
  std::span<const WordClass> classes() const { return classes_; }
  // Replaces `out`; never empty. `first`: does the word begin the sentence?
  void candidates(std::string_view word, bool first, std::vector<TagCandidate>& out) const;

 private:
  // Keys ascending; the entries of key k are first[k] .. first[k+1].
  struct Table {
    std::vector<std::uint64_t> keys;
    std::vector<std::int32_t> first, tags, counts;
    int find(std::uint64_t key) const;
  };
  static Table read_table(const ModelFile& file, const std::string& name, int tags);
  void add_signature(std::uint64_t key, double share, std::vector<float>& p) const;

  std::vector<std::string> tags_;
  std::vector<float> log_p_;  // of each tag
  Table words_, signatures_;
  std::vector<WordClass> classes_;
};

}  // namespace entente::constituency
