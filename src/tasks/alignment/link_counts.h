// How often words are linked, as far as a round of training expects it: a count an entry of the table of
// words that stand together, for both directions or one for each.
//
//   LinkCounts counts(table.entries(), /*shared=*/true);    // both directions count the same links
//   LinkCounts::Batch batch;                                // one a thread
//   counts.add(batch, entry, 0.5f, 0.5f);                   // for every link of a pair of sentences
//   counts.finish(batch, threads > 1);                      // the batch is empty again
//   counts.units(entry, d);                                 // times kCountUnit
//
// Counts are integers, so that their sums do not depend on which thread adds first. A batch asks for
// the memory of its entries long before they are added to: they lie all over the table, and an
// addition that other threads see waits for its own. Memory: 8 or 16 bytes an entry.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/large_array.h"
#include "tasks/alignment/cooccurrence.h"

namespace entente::alignment {

constexpr double kCountUnit = 4294967296.0;

inline std::uint64_t count_units(float x) {
  return static_cast<std::uint64_t>(static_cast<double>(x) * kCountUnit);
}

class LinkCounts {
 public:
  struct Batch {
    struct One {
      std::uint32_t entry;
      std::array<float, 2> count;
    };
    std::vector<One> links;
  };

  LinkCounts() = default;
  LinkCounts(std::size_t entries, bool shared)
      : counts_(entries * (shared ? 1 : 2)), wide_(shared ? 1 : 2) {}

  void clear(int threads);
  void add(Batch& batch, std::uint32_t entry, float c0, float c1) {
    __builtin_prefetch(&counts_[std::size_t{entry} * wide_], 1);
    batch.links.push_back({entry, {c0, c1}});
  }
  // `others`: threads that add at the same time.
  void finish(Batch& batch, bool others);

  std::uint64_t units(std::size_t entry, int direction) const {
    return counts_[entry * wide_ + (wide_ == 1 ? 0 : direction)];
  }
  double operator()(std::size_t entry, int direction) const {
    return static_cast<double>(units(entry, direction)) / kCountUnit;
  }
  // In units: of each word of side 1, by direction.
  std::vector<std::array<std::uint64_t, 2>> column_sums(const Cooccurrence& table, int columns,
                                                        int threads) const;

 private:
  LargeArray<std::uint64_t> counts_;
  std::size_t wide_ = 2;  // counts an entry
};

}  // namespace entente::alignment
