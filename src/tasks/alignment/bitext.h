// Two texts, line by line translations of each other, as numbers: what training reads.
//
//   Bitext text;
//   text.add(pair);                                   // words in, numbers kept
//   std::span<const int> e = text.words(0, p);        // of pair p, side 0
//   text.vocabulary(0).name(e[0]);
//
// Flat: 4 bytes a word. Reading is thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"

namespace entente::alignment {

// One line of each text, cut into words.
struct WordPair {
  std::array<std::vector<std::string>, 2> words;
  std::int64_t line = 0;  // from 1
};

// Time grows with the cube of a length, and memory with the square: lines longer than kLongestLine (whole documents,
// mostly) are cut into pieces of at most kPiece words that hold equal shares of both sides.
constexpr std::size_t kLongestLine = 500, kPiece = 100;
inline std::size_t pieces_of(std::size_t words0, std::size_t words1) {
  const std::size_t longer = std::max(words0, words1);
  return longer <= kLongestLine ? 1 : (longer + kPiece - 1) / kPiece;
}
inline std::size_t piece_begin(std::size_t words, std::size_t piece, std::size_t pieces) {
  return words * piece / pieces;
}

// The words of one text, line after line.
class BitextSide {
 public:
  void add(std::string_view word) {
    const int known = vocabulary_.find(word);
    words_.push_back(known >= 0 ? known
                                : vocabulary_.add(vocabulary_.keep(std::string(word))).index);
  }
  void end_line() { begins_.push_back(words_.size()); }

 private:
  friend class Bitext;
  NameTable vocabulary_;
  std::vector<std::int32_t> words_;
  std::vector<std::size_t> begins_{0};
};

class Bitext {
 public:
  Bitext() = default;
  // Two texts of as many lines each: what add() makes of them line by line.
  Bitext(BitextSide side0, BitextSide side1) : sides_{std::move(side0), std::move(side1)} {
    std::array<std::vector<std::size_t>, 2> cut;
    for (int side = 0; side < 2; ++side) cut[side].swap(sides_[side].begins_);
    for (auto& side : sides_) {
      side.begins_.reserve(cut[0].size());
      side.begins_.assign(1, 0);
    }
    for (std::size_t line = 1; line < cut[0].size(); ++line) {
      const std::size_t words[2] = {cut[0][line] - cut[0][line - 1],
                                    cut[1][line] - cut[1][line - 1]};
      const std::size_t pieces = pieces_of(words[0], words[1]);
      for (std::size_t piece = 1; piece <= pieces; ++piece) {
        for (int side = 0; side < 2; ++side) {
          sides_[side].begins_.push_back(cut[side][line - 1] +
                                         piece_begin(words[side], piece, pieces));
        }
      }
    }
  }

  // A pair, or several for lines longer than kLongestLine.
  void add(const WordPair& pair) {
    const std::size_t pieces = pieces_of(pair.words[0].size(), pair.words[1].size());
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      for (int side = 0; side < 2; ++side) {
        const std::size_t end = piece_begin(pair.words[side].size(), piece + 1, pieces);
        for (std::size_t k = piece_begin(pair.words[side].size(), piece, pieces); k < end; ++k)
          sides_[side].add(pair.words[side][k]);
        sides_[side].end_line();
      }
    }
  }

  int size() const { return static_cast<int>(sides_[0].begins_.size()) - 1; }
  std::span<const std::int32_t> words(int side, int pair) const {
    const BitextSide& s = sides_[side];
    return {s.words_.data() + s.begins_[pair], s.begins_[pair + 1] - s.begins_[pair]};
  }
  int length(int side, int pair) const {
    return static_cast<int>(sides_[side].begins_[pair + 1] - sides_[side].begins_[pair]);
  }
  std::size_t begin(int side, int pair) const { return sides_[side].begins_[pair]; }
  std::span<const std::int32_t> all_words(int side) const { return sides_[side].words_; }
  const NameTable& vocabulary(int side) const { return sides_[side].vocabulary_; }

 private:
  std::array<BitextSide, 2> sides_;
};

}  // namespace entente::alignment
