// What tags a word may have, as far as its form tells: from the word itself where it was seen, from
// its lower-case form and its ending otherwise.
//
//   LexiconData data = build_lexicon(tagged_words, labels);          // from a training corpus
//   Lexicon lexicon = data.view();                            // or of a mapped file: see io
//   WordKeys keys = word_keys(shape, form);
//   lexicon.candidates(keys, labels);                         // most likely first, never empty
//   lexicon.ambiguity(keys).front()                           // its most frequent tag
//
// Entries are found by 64-bit hashes of form, lower-case form, or capitals and ending; forms are
// not stored. One to seven lookups a word. Reading is thread-safe and does not touch the heap.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/word_shape.h"
#include "learn/flat_table.h"
#include "learn/model_file.h"
#include "oracle/second_order_chain.h"

namespace entente::tagging {

using Lattice = SecondOrderLattice;
using Label = Lattice::Label;
constexpr Label kBorder = Lattice::kBorder;

constexpr int kLexiconSuffix = 5;  // longest ending looked at
// Candidates of a word. Steps of the search grow with their third power, and where there are
// hundreds of labels every word has many.
constexpr std::size_t most_candidates(std::size_t labels) { return labels > 200 ? 8 : 16; }

struct WordKeys {
  std::uint64_t form, lower;
  std::array<std::uint64_t, kLexiconSuffix + 1> endings;  // of 0, 1, ... characters
  int last_ending = 0;                                    // longest that the word has
};
WordKeys word_keys(const WordShape& shape, std::string_view form);

struct LexiconEntry {
  std::uint32_t check = 0;  // of the key; 0: no entry
  // Sets of labels by number. The top bit of `candidates` says that the counts are high enough to
  // ask nobody else.
  std::uint32_t candidates = 0, ambiguity = 0;
};

// How a word is known: by itself, by its lower-case form, by its ending.
enum class Known : std::uint8_t { form, lower, ending, no };

class Lexicon {
 public:
  Lexicon() = default;
  Lexicon(std::span<const LexiconEntry> table, std::span<const std::uint32_t> set_first,
          std::span<const Label> set_labels, std::size_t most);
  // Sections name + "/table", "/sets", "/labels"; Error if they do not fit together.
  Lexicon(const ModelFile& file, const std::string& name, std::size_t labels);

  // Replaces `out`. Never empty.
  void candidates(const WordKeys& keys, std::vector<Label>& out) const;
  struct Ambiguity {
    std::span<const Label> labels;  // most frequent first, at most four; empty only if !known
    Known known = Known::no;
  };
  Ambiguity ambiguity(const WordKeys& keys) const;

 private:
  std::span<const Label> set(std::uint32_t number) const {
    return set_labels_.subspan(set_first_[number], set_first_[number + 1] - set_first_[number]);
  }

  FlatTable<LexiconEntry> table_;
  std::span<const std::uint32_t> set_first_;
  std::span<const Label> set_labels_;
  std::size_t most_ = 1;  // candidates of a word
};

struct LexiconData {
  std::vector<LexiconEntry> table;
  std::vector<std::uint32_t> set_first;
  std::vector<Label> set_labels;
  std::size_t most = 1;

  Lexicon view() const { return {table, set_first, set_labels, most}; }
  void write(ModelWriter& writer, const std::string& name) const;
};

struct TaggedWord {
  std::string_view form;
  Label label;
};
LexiconData build_lexicon(std::span<const TaggedWord> words, std::size_t labels);

}  // namespace entente::tagging
