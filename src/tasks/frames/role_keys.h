// What a role shares with others: itself in its frame, its name, and the roles it inherits from.
//
//   const RoleKeys keys(lexicon);
//   for (std::uint64_t key : keys.of(frame, role)) score += weights[combine(feature, key)];
//
// A weight learned for Agent in one frame helps every Agent, and one learned for the parent frame
// helps its children (Kshirsagar et al. 2015 gained 3 points so). Immutable, thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/framenet/lexicon.h"

namespace entente::frames {

class RoleKeys {
 public:
  explicit RoleKeys(const framenet::Lexicon& lexicon);
  std::span<const std::uint64_t> of(int frame, int role) const {
    const std::uint32_t i = first_role_[frame] + static_cast<std::uint32_t>(role);
    return {keys_.data() + begin_[i], keys_.data() + begin_[i + 1]};
  }
  int roles(int frame) const {
    return static_cast<int>(first_role_[frame + 1] - first_role_[frame]);
  }

 private:
  std::vector<std::uint32_t> first_role_, begin_;
  std::vector<std::uint64_t> keys_;
};

// The feature of a span (features.h) seen with a role's key.
inline std::uint64_t combine(std::uint64_t feature, std::uint64_t key) {
  return (feature ^ key) * 0x9fb21c651e98df25ULL;
}

}  // namespace entente::frames
