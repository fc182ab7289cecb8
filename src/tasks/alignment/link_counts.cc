#include "tasks/alignment/link_counts.h"

#include <algorithm>
#include <atomic>

#include "base/parallel.h"

namespace entente::alignment {

namespace {

// Calls body(begin, end, thread) with shares of [0, size).
template <typename Body>
void in_shares(std::size_t size, int threads, Body body) {
  constexpr std::size_t kShare = std::size_t{1} << 16;
  parallel_for(
      static_cast<int>((size + kShare - 1) / kShare), threads,
      [&](int share, int thread) {
        const std::size_t begin = share * kShare;
        body(begin, std::min(size, begin + kShare), thread);
      },
      1);
}

}  // namespace

void LinkCounts::clear(int threads) {
  in_shares(counts_.size(), threads, [&](std::size_t begin, std::size_t end, int) {
    std::fill(counts_.begin() + static_cast<std::ptrdiff_t>(begin),
              counts_.begin() + static_cast<std::ptrdiff_t>(end), 0);
  });
}

void LinkCounts::finish(Batch& batch, bool others) {
  for (const Batch::One& one : batch.links) {
    std::uint64_t* to = &counts_[std::size_t{one.entry} * wide_];
    for (std::size_t d = 0; d < wide_; ++d) {
      const std::uint64_t units = count_units(one.count[d]);
      if (others) {
        std::atomic_ref<std::uint64_t>(to[d]).fetch_add(units, std::memory_order_relaxed);
      } else {
        to[d] += units;
      }
    }
  }
  batch.links.clear();
}

std::vector<std::array<std::uint64_t, 2>> LinkCounts::column_sums(const Cooccurrence& table,
                                                                  int columns, int threads) const {
  using Sums = std::vector<std::array<std::uint64_t, 2>>;
  std::vector<Sums> sums(threads, Sums(columns));
  in_shares(table.entries(), threads, [&](std::size_t begin, std::size_t end, int thread) {
    for (std::size_t k = begin; k < end; ++k) {
      for (int d = 0; d < 2; ++d) sums[thread][table.column(k)][d] += units(k, d);
    }
  });
  for (int t = 1; t < threads; ++t) {
    for (int c = 0; c < columns; ++c) {
      for (int d = 0; d < 2; ++d) sums[0][c][d] += sums[t][c][d];
    }
  }
  return std::move(sums[0]);
}

}  // namespace entente::alignment
