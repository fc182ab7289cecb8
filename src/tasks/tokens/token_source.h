// Where tokens may end within a stretch of text without spaces, and the features that tell.
//
//   TokenSource source(gaps, lexicon);
//   source.start(characters);
//   while (source.next_chunk()) {                   // "don't", "(well-known):"
//     if (source.pieces() > 1) lattice.fill(source, weights); ...
//   }
//
// Pieces are what no token of the training text ever ended within, as seen from the classes of the
// two characters: most chunks are one piece and need no model. Patterns that are one token by
// definition (patterns.h) are chunks of their own, and so is a full stop behind a word that is no
// abbreviation. O(1) a feature.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tasks/tokens/characters.h"
#include "tasks/tokens/lexicon.h"
#include "tasks/tokens/segments.h"

namespace entente::tokens {

// Which pairs of neighbouring characters a token may end between.
class GapTable {
 public:
  static constexpr std::size_t kSize = std::size_t{kClasses} * kClasses * 2;

  GapTable() = default;
  explicit GapTable(std::span<const std::uint8_t> open) : open_(open) {}

  // Whether the place before character k is open; if not, it is a token's end just where there is
  // space.
  bool is_open(const Characters& c, int k) const;

  static std::vector<std::uint8_t> learn(std::span<const Paragraph> paragraphs);

 private:
  std::span<const std::uint8_t> open_;
};

class TokenSource : public SegmentSource {
 public:
  TokenSource(GapTable gaps, LexiconView lexicon) : gaps_(gaps), lexicon_(lexicon) {}

  void start(const Characters& characters);
  // False at the end. A chunk of more than kMostPieces is cut there.
  bool next_chunk();
  bool is_cut() const { return is_cut_; }
  // The next chunk starts at piece i of this one. Requires: 0 < i <= pieces().
  void resume_at(int i) { starts_.resize(i + 1); }

  int pieces() const override { return static_cast<int>(starts_.size()) - 1; }
  void cut(int j, Features& out) const override;
  void segment(int i, int j, Features& out) const override;
  // First character of piece i; of the next chunk for i = pieces().
  int character(int i) const { return starts_[i]; }

 private:
  static constexpr int kMostPieces = 2000;

  static constexpr int kLongestChunk = 400;  // looked at for patterns

  int end_of_chunk(int begin) const;
  bool ends_with_stop(int begin, int end) const;
  int pattern_end_at(int begin) const;
  int run_left(int end) const;
  int run_right(int begin) const;
  void window(int k, Features& out) const;
  void words(int k, Features& out) const;
  void describe_chunk();

  GapTable gaps_;
  LexiconView lexicon_;
  const Characters* characters_ = nullptr;
  std::vector<int> starts_ = {0};
  bool is_cut_ = false;
  std::uint64_t chunk_kind_ = 0;  // address-like signs in the chunk, what follows it
  std::uint64_t next_word_ = 0, previous_kind_ = 0;
};

}  // namespace entente::tokens
