#include "engine/factors/demands.h"

#include <algorithm>
#include <bit>

namespace entente {

bool Demands::find(const FactorView& table) {
  for (const Known& k : known_) {
    if (k.values != table.values.data()) continue;
    now_ = &k;
    return k.fits;
  }
  if (known_.size() == kMost) known_.clear();
  if (known_.empty()) {
    index_.clear();
    part_begin_.assign(1, 0);
  }
  Known next{table.values.data(), static_cast<std::int32_t>(part_begin_.size() / 2), 0, false};
  next.fits = write(table);
  next.end = static_cast<std::int32_t>(part_begin_.size() / 2);
  known_.push_back(next);
  now_ = &known_.back();
  return next.fits;
}

// False where two sets overlap without one holding the other.
bool Demands::write(const FactorView& table) {
  const int rows = table.axes[0], columns = table.axes[1];
  if (rows > 64 || columns > 64) return false;
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - columns);
  allowed_.assign(rows, 0);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const bool open = table.values[static_cast<std::size_t>(i) * columns + j] == 0;
      allowed_[i] |= static_cast<std::uint64_t>(open) << j;
    }
  }
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < i; ++k) {
      const std::uint64_t both = allowed_[i] & allowed_[k];
      if (both != 0 && both != allowed_[i] && both != allowed_[k]) return false;
    }
  }
  for (int i = 0; i < rows; ++i) {
    const auto first = std::find(allowed_.begin(), allowed_.end(), allowed_[i]);
    if (allowed_[i] == all || first - allowed_.begin() < i) continue;
    std::uint64_t within = 0;
    for (int k = 0; k < rows; ++k) {
      within |= static_cast<std::uint64_t>((allowed_[k] & ~allowed_[i]) == 0) << k;
    }
    write_part(within);
    write_part(allowed_[i]);
  }
  return true;
}

void Demands::write_part(std::uint64_t set) {
  for (; set != 0; set &= set - 1) index_.push_back(std::countr_zero(set));
  part_begin_.push_back(static_cast<std::int32_t>(index_.size()));
}

}  // namespace entente
