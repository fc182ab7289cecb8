// A hash table from 64-bit keys to small entries, flat in memory so that it can be used where it
// lies in a model file.
//
//   struct Entry { std::uint32_t check = 0; std::uint32_t script = 0; };
//   std::vector<Entry> table = make_flat_table<Entry>({{key, {.script = 7}}, ...});
//   FlatTable<Entry> view(table);
//   if (const Entry* e = view.find(key)) use(e->script);
//
// Keys are well-spread hashes and are not stored, only 31 bits of them in `check`: a key that is
// not in the table is taken for one that is about once in a thousand million times. Of equal keys
// the first counts. find() is O(1) expected. Thread-safe.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "learn/model_file.h"

namespace entente {

inline std::uint32_t flat_check(std::uint64_t key) { return static_cast<std::uint32_t>(key) | 1; }

template <typename Entry>
std::vector<Entry> make_flat_table(std::span<const std::pair<std::uint64_t, Entry>> entries) {
  std::vector<Entry> table(std::bit_ceil(entries.size() + entries.size() / 4 + 2));
  const int shift = 64 - std::countr_zero(table.size());
  for (const auto& [key, entry] : entries) {
    std::size_t at = key >> shift;
    while (table[at].check != 0) at = (at + 1) & (table.size() - 1);
    table[at] = entry;
    table[at].check = flat_check(key);
  }
  return table;
}

template <typename Entry>
class FlatTable {
 public:
  FlatTable() = default;
  explicit FlatTable(std::span<const Entry> table)
      : table_(table), shift_(64 - std::countr_zero(table.size())) {}
  // Error if the section cannot be a table. What its entries point to is the caller's to check.
  FlatTable(const ModelFile& file, const std::string& name) : FlatTable(file.array<Entry>(name)) {
    bool free = false;  // a search ends at a free place
    for (const Entry& e : table_) free = free || e.check == 0;
    if (table_.size() < 2 || !std::has_single_bit(table_.size()) || !free) {
      file.fail("section \"" + name + "\" is damaged");
    }
  }

  std::span<const Entry> entries() const { return table_; }  // free ones too
  const Entry* find(std::uint64_t key) const {
    const std::uint32_t check = flat_check(key);
    for (std::size_t at = key >> shift_;; at = (at + 1) & (table_.size() - 1)) {
      if (table_[at].check == check) return &table_[at];
      if (table_[at].check == 0) return nullptr;
    }
  }

 private:
  std::span<const Entry> table_;  // a power of two, at least 2
  int shift_ = 63;
};

}  // namespace entente
