#include "learn/kernel_cache.h"

#include <algorithm>

namespace entente {

void KernelCache::make_room(std::size_t rows) {
  const std::size_t bytes = static_cast<std::size_t>(kernel_.size()) * sizeof(float);
  const std::size_t most = std::max(limit_ / std::max<std::size_t>(bytes, 1), 3 * rows + 2);
  while (held_ + rows > most && !order_.empty()) {
    Entry& old = entries_[order_.front()];
    spare_.push_back(std::move(old.values));
    old.values = {};
    order_.pop_front();
    --held_;
  }
}

const float* KernelCache::row(int i) {
  if (has(i)) {
    order_.splice(order_.end(), order_, entries_[i].used);
    return entries_[i].values.data();
  }
  kernel_.together(i, wanted_);
  std::erase_if(wanted_, [&](int r) { return has(r); });
  make_room(wanted_.size());
  targets_.clear();
  for (int r : wanted_) {
    Entry& entry = entries_[r];
    if (!spare_.empty()) {
      entry.values = std::move(spare_.back());
      spare_.pop_back();
    }
    entry.values.resize(static_cast<std::size_t>(kernel_.size()));
    targets_.push_back(entry.values.data());
    if (r != i) entry.used = order_.insert(order_.end(), r);
  }
  entries_[i].used = order_.insert(order_.end(), i);  // the last: used last
  held_ += wanted_.size();
  computed_ += static_cast<std::int64_t>(wanted_.size());
  kernel_.compute(wanted_, targets_);
  return entries_[i].values.data();
}

}  // namespace entente
