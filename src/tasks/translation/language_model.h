// A back-off language model of any order up to five, read from an ARPA file or
// from our own format.
//
//   LanguageModel lm = read_arpa(file);                  // gzipped or not
//   lm.write(writer);                                     // sections "lm/...",
//   compact LanguageModel again(model_file);                      // used where
//   it lies Context c = lm.start();                               // after <s>
//   double logp = lm.score(lm.word("house"), c, c);       // log10; c moves on
//
// N-grams lie in one hash table a length, keyed by hashes of their words from
// the last to the first, so that one probe more asks for one word more of
// context. A Context that does not know all the words before it (the inside of
// a translation whose left is still open) is scored by the greatest probability
// that any words to the left could give: an admissible bound, equal to the
// probability once the context is complete. For that every n-gram stores,
// besides probability and back-off weight, both maxima over what may stand
// before it. A key that is not in the table is taken for one that is about once
// in 10^9 times. Thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_source.h"
#include "learn/flat_table.h"
#include "learn/model_file.h"

namespace entente::translation {

constexpr int kMaxOrder = 5;
using WordHash = std::uint64_t;  // words of the target language are their hashes

// The words before, the nearest first, and whether more of them could matter.
struct Context {
  std::array<WordHash, kMaxOrder - 1> words{};
  std::int8_t size = 0;
  bool complete = false;

  friend bool operator==(const Context&, const Context&) = default;
};

class LanguageModel {
 public:
  struct Entry {
    std::uint32_t check = 0;
    float probability = 0;  // log10
    float back_off = 0;
    float best = 0;           // greatest probability with any words before
    float best_back_off = 0;  // greatest product of back-off weights of longer
                              // contexts, at least 0
    std::uint32_t flags = 0;  // 1: as a context it matters to what follows; 2: it is in the file
  };

  LanguageModel() = default;
  explicit LanguageModel(const ModelFile& file);  // the file must outlive it
  static bool is_in(const ModelFile& file) { return file.has("lm/order"); }
  void write(ModelWriter& writer) const;

  int order() const { return order_; }
  std::size_t size(int length) const { return counts_[length - 1]; }
  // What a word is scored as: itself, or <unk>.
  WordHash word(std::string_view text) const;
  bool knows(std::string_view text) const;
  Context start() const;
  WordHash end() const { return end_; }

  // The same model of texts that have only these words, with bounds that know it.
  LanguageModel restricted_to(std::span<const WordHash> words) const;

  // log10 of the probability, or of its bound if the context is not complete;
  // `next` is the context after the word, cut to what can matter (may be the
  // same as `context`).
  float score(WordHash word, const Context& context, Context& next) const;

 private:
  friend class LmBuilder;
  const Entry* find(int length, std::uint64_t key) const { return tables_[length - 1].find(key); }
  void use_owned();

  int order_ = 0;
  std::vector<std::vector<Entry>> owned_;  // of one read from text
  std::array<FlatTable<Entry>, kMaxOrder> tables_;
  // Every n-gram as the numbers of its words, the last first; words_ has their hashes. Of the whole
  // model only.
  std::vector<std::uint64_t> owned_words_;
  std::vector<std::vector<std::uint32_t>> owned_grams_;
  std::span<const std::uint64_t> words_;
  std::array<std::span<const std::uint32_t>, kMaxOrder> grams_;
  std::array<std::size_t, kMaxOrder> counts_{};
  WordHash start_ = 0, end_ = 0, unknown_ = 0;
};

// An Error names the line of whatever is not as the format has it.
LanguageModel read_arpa(LineSource& file);
}  // namespace entente::translation
