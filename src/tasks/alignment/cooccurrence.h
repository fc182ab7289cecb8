// Which words of the two sides ever stand in one pair of lines, numbered, and for every cell of
// every pair the number of its two words: training then reads and counts by index, without hashing.
//
//   Cooccurrence table(text, /*threads=*/2);
//   table.cells(p)[i * m + j];         // the entry of word i of side 0 and word j of side 1
//   table.row(word)                    // entries of a word of side 0 are consecutive
//   table.column(entry)                // the entry's word of side 1
//
// Memory: 4 bytes a cell, 4 an entry. Made in time linear in the cells, word by word; words are dealt
// to the threads in shares, whose entries are numbered apart and then one after the other: the same
// numbers for any number of threads. Reading is thread-safe.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "tasks/alignment/bitext.h"

namespace entente::alignment {

class Cooccurrence {
 public:
  explicit Cooccurrence(const Bitext& text, int threads = 1);

  std::size_t entries() const { return columns_.size(); }
  const std::uint32_t* cells(int pair) const { return cells_.data() + begins_[pair]; }
  std::pair<std::uint32_t, std::uint32_t> row(int word) const {
    return {rows_[word], rows_[word + 1]};
  }
  int column(std::size_t entry) const { return static_cast<int>(columns_[entry]); }

 private:
  // Words of side 0 that one thread numbers at a time, and their entries, counted from 0.
  struct Share {
    int begin = 0, end = 0;
    UnsetArray<std::uint32_t> columns;
    std::uint32_t before = 0;  // entries of the shares before
  };
  struct Places;
  struct Seen;

  void number(const Bitext& text, const Places& places, Seen& seen, Share& share);
  void join(const Bitext& text, std::vector<Share>& shares, int threads);

  std::vector<std::size_t> begins_;  // of a pair's cells
  UnsetArray<std::uint32_t> cells_, columns_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace entente::alignment
