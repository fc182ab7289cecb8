#include "tasks/frames/role_keys.h"

#include <algorithm>
#include <string>

#include "learn/hash.h"

namespace entente::frames {

namespace {

constexpr std::size_t kParents = 2;  // more of them cost time and gain nothing on dev

std::uint64_t key_of(const framenet::Frame& frame, int role) {
  return spread(hash_of(frame.name + "." + frame.roles[role].name));
}

}  // namespace

RoleKeys::RoleKeys(const framenet::Lexicon& lexicon) {
  std::vector<std::vector<std::uint64_t>> keys;
  first_role_.push_back(0);
  for (const framenet::Frame& frame : lexicon.frames) {
    for (std::size_t r = 0; r < frame.roles.size(); ++r) {
      keys.push_back({spread(hash_of(frame.roles[r].name)), key_of(frame, static_cast<int>(r))});
    }
    first_role_.push_back(static_cast<std::uint32_t>(keys.size()));
  }
  for (const framenet::FrameRelation& relation : lexicon.relations) {
    if (relation.type != "Inheritance") continue;
    for (const auto& [child, parent] : relation.roles) {
      auto& own = keys[first_role_[relation.child] + static_cast<std::uint32_t>(child)];
      const std::uint64_t key = key_of(lexicon.frames[relation.parent], parent);
      const bool known = std::find(own.begin(), own.end(), key) != own.end();
      if (!known && own.size() < 2 + kParents) own.push_back(key);
    }
  }
  begin_.push_back(0);
  for (const auto& own : keys) {
    keys_.insert(keys_.end(), own.begin(), own.end());
    begin_.push_back(static_cast<std::uint32_t>(keys_.size()));
  }
}

}  // namespace entente::frames
