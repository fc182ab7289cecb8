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

class Bitext {
 public:
  // A pair, or several for lines longer than kLongestLine.
  void add(const WordPair& pair) {
    const std::size_t pieces = pieces_of(pair.words[0].size(), pair.words[1].size());
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      for (int side = 0; side < 2; ++side) {
        const std::size_t end = piece_begin(pair.words[side].size(), piece + 1, pieces);
        for (std::size_t k = piece_begin(pair.words[side].size(), piece, pieces); k < end; ++k) {
          const std::string& word = pair.words[side][k];
          const int known = vocabulary_[side].find(word);
          words_[side].push_back(
              known >= 0 ? known : vocabulary_[side].add(vocabulary_[side].keep(word)).index);
        }
        begins_[side].push_back(words_[side].size());
      }
    }
  }

  int size() const { return static_cast<int>(begins_[0].size()) - 1; }
  std::span<const std::int32_t> words(int side, int pair) const {
    const std::size_t begin = begins_[side][pair];
    return {words_[side].data() + begin, begins_[side][pair + 1] - begin};
  }
  int length(int side, int pair) const {
    return static_cast<int>(begins_[side][pair + 1] - begins_[side][pair]);
  }
  std::size_t begin(int side, int pair) const { return begins_[side][pair]; }
  std::span<const std::int32_t> all_words(int side) const { return words_[side]; }
  const NameTable& vocabulary(int side) const { return vocabulary_[side]; }

 private:
  std::array<NameTable, 2> vocabulary_;
  std::array<std::vector<std::int32_t>, 2> words_;
  std::array<std::vector<std::size_t>, 2> begins_{std::vector<std::size_t>{0},
                                                  std::vector<std::size_t>{0}};
};

}  // namespace entente::alignment
