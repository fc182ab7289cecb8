// What the spelling of words says about which words translate each other, where they are too rare to tell: forms of one
// word (they begin alike) translate alike, and words written alike on both sides (names, numbers, terms) each other.
//
//   Spelling spelling(text, table, {.letters = 5, .backoff = 5, .alike = 0.5});
//   spelling.smooth(counts, counts.column_sums(table, columns, 2), least, 2, t);   // t of both directions
//
// A word's stem is its first `letters`. t(f|e) is counted with `backoff` more translations of e, shared out as the
// stem of e is translated by stems and a stem stands for its words; and with `alike` more by a word that is written like e,
// fewer if only its beginning is. What falls to words that never stand beside e is lost: a row may sum to a little less than
// 1. Cost a round: linear in the entries of the table, shared out by stems.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/large_array.h"
#include "tasks/alignment/bitext.h"
#include "tasks/alignment/cooccurrence.h"
#include "tasks/alignment/link_counts.h"

namespace entente::alignment {

struct SpellingSettings {
  int letters = 5;
  double backoff = 0;
  double alike = 0;
};

// The first letters of a word; all of it if it has digits.
std::string_view stem_of(std::string_view word, int letters);

// How much alike two words are written: 1 if equal; less if they only begin alike, and by at least four letters and half of
// the longer one; else 0.
double written_alike(std::string_view a, std::string_view b);

class Spelling {
 public:
  Spelling(const Bitext& text, const Cooccurrence& table, const SpellingSettings& settings,
           int threads = 1);

  bool used() const { return settings_.backoff > 0 || settings_.alike > 0; }
  // No t is below `least`.
  void smooth(const LinkCounts& counts, std::span<const std::array<std::uint64_t, 2>> columns,
              double least, int threads, UnsetArray<std::array<float, 2>>& t) const;

 private:
  struct Alike {
    std::uint32_t entry;
    float share;
  };
  struct Sums;
  struct StemSums;
  void find_alike(const Bitext& text, int threads);
  void smooth_stem(std::span<const std::int32_t> words, const Sums& sums, StemSums& own,
                   UnsetArray<std::array<float, 2>>& t) const;
  void smooth_row(int word, const Sums& sums, const StemSums& own,
                  UnsetArray<std::array<float, 2>>& t) const;

  const Cooccurrence& table_;
  SpellingSettings settings_;
  std::array<std::vector<std::int32_t>, 2> stem_;  // [word]
  std::array<int, 2> stems_{};                     // how many
  std::vector<std::int32_t> by_stem_;              // words of side 0, sorted by stem
  std::vector<std::int32_t> stem_begins_;          // in by_stem_, of each stem; and the end
  std::vector<Alike> alike_;                       // by entry
  std::array<std::vector<double>, 2> alike_sum_;   // [word of side d]
};

}  // namespace entente::alignment
