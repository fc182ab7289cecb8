// A trained alignment as it is saved, compactly, and used where it lies in the file.
//
//   write_model(text, trained, settings, keep, writer);        // sections "alignment/..."
//   AlignmentModel model(file);                                 // mapped, nothing is copied
//   int e = model.word(0, "house"), f = model.word(1, "chambre");   // -1: not known
//   model.gather(es, fs, t0, t1);                               // t of both directions, every cell
//
// Probabilities are bytes: their logarithm in steps of 1/16 of a nat, which changes none by more
// than 3.2%. Entries that no direction believes in are dropped (`keep`). A pair of words that is
// not in the table has the probability unseen(), more if both words are written alike. Reading is
// thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "learn/flat_table.h"
#include "learn/model_file.h"
#include "tasks/alignment/jumps.h"
#include "tasks/alignment/training.h"

namespace entente::alignment {

void write_model(const Bitext& text, const Trained& trained, const TrainingSettings& settings,
                 bool raw_text, ModelWriter& writer);

// A word of a sentence as the model knows it.
struct KnownWord {
  int index = -1;  // in the model, or of the most frequent one that begins like it; -1: neither
  std::uint64_t hash = 0;  // of its letters
};

class AlignmentModel {
 public:
  explicit AlignmentModel(const ModelFile& file);  // the file must outlive it

  KnownWord word(int side, std::string_view text) const;
  // t[d][target * sources + source] of direction d.
  void gather(std::span<const KnownWord> side0, std::span<const KnownWord> side1,
              std::array<std::vector<float>, 2>& t) const;
  float null_emission(int direction, const KnownWord& target) const;
  const Jumps& jumps(int direction) const { return jumps_[direction]; }
  bool has_classes() const { return !classes_[0].empty(); }
  int jump_class(int side, const KnownWord& word) const;
  float null(int direction) const { return null_[direction]; }
  bool has_stays() const { return !stays_[0].empty(); }
  // What the weight of staying at the word is multiplied by.
  float stay(int side, const KnownWord& word) const;
  bool raw_text() const { return raw_text_; }  // trained on what the tokenizer made
  int words(int side) const { return static_cast<int>(null_codes_[1 - side].size()); }
  std::size_t entries() const { return columns_.size(); }

 private:
  struct WordEntry {
    std::uint32_t check = 0, index = 0;
  };
  friend void write_model(const Bitext&, const Trained&, const TrainingSettings&, bool,
                          ModelWriter&);

  static std::vector<WordEntry> stand_ins(const Bitext& text, int side, int letters);

  std::array<FlatTable<WordEntry>, 2> words_, stems_;
  std::span<const std::uint32_t> rows_;                      // of words of side 0, one more
  std::span<const std::uint32_t> columns_;                   // words of side 1, ascending in a row
  std::span<const std::array<std::uint8_t, 2>> codes_;       // of t
  std::array<std::span<const std::uint8_t>, 2> null_codes_;  // [word of side 1 - d]
  std::array<std::span<const std::uint8_t>, 2> classes_;     // [word of side d]; may be empty
  std::array<std::span<const std::uint8_t>, 2> stays_;       // [word of side d]; may be empty
  std::array<Jumps, 2> jumps_;
  std::array<float, 256> decoded_{};
  std::array<float, 2> null_{};
  int letters_ = 0;
  bool raw_text_ = false;
};

}  // namespace entente::alignment
