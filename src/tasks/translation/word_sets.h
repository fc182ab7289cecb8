// Sets of words by number, one a node of a chart, as bits.
//
//   WordSets last(nodes, words);
//   last.add(node, word);
//   last.add(node, other, from);        // all of another's: words / 64 steps
//   last.append_to(node, numbers);
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace entente::translation {

class WordSets {
 public:
  WordSets(int nodes, std::size_t words)
      : width_((words + 63) / 64), bits_(static_cast<std::size_t>(nodes) * width_) {}
  void add(int node, std::int32_t word) { row(node)[word / 64] |= std::uint64_t{1} << (word % 64); }
  void add(int node, const WordSets& other, int from) {
    for (std::size_t k = 0; k < width_; ++k) row(node)[k] |= other.row(from)[k];
  }
  void append_to(int node, std::vector<std::int32_t>& out) const {
    for (std::size_t k = 0; k < width_; ++k) {
      for (std::uint64_t rest = row(node)[k]; rest; rest &= rest - 1) {
        out.push_back(static_cast<std::int32_t>(64 * k) + std::countr_zero(rest));
      }
    }
  }

 private:
  std::uint64_t* row(int node) { return &bits_[node * width_]; }
  const std::uint64_t* row(int node) const { return &bits_[node * width_]; }
  std::size_t width_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace entente::translation
