// Rows of a kernel matrix, computed when asked for and kept while there is room.
//
//   KernelCache cache(kernel, bytes);
//   const float* row = cache.row(i);          // valid until two more rows were asked for
//
// Rows that come together are put in together. Always room for at least two sets of rows. One
// thread at a time.
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "learn/svm.h"

namespace entente {

class KernelCache {
 public:
  KernelCache(KernelRows& kernel, std::size_t bytes)
      : kernel_(kernel), limit_(bytes), entries_(kernel.size()) {}

  const float* row(int i);
  bool has(int i) const { return !entries_[i].values.empty(); }
  std::int64_t computed() const { return computed_; }

 private:
  struct Entry {
    std::vector<float> values;
    std::list<int>::iterator used;
  };
  void make_room(std::size_t rows);

  KernelRows& kernel_;
  std::size_t limit_, held_ = 0;  // rows held
  std::vector<Entry> entries_;
  std::list<int> order_;  // least recently used first
  std::vector<int> wanted_;
  std::vector<float*> targets_;
  std::vector<std::vector<float>> spare_;
  std::int64_t computed_ = 0;
};

}  // namespace entente
