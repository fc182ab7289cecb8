#include "tasks/frames/disjoint_groups.h"

#include <algorithm>

namespace entente::frames {

// Of states that leave the same words free only the best goes on; the first of equals.
void DisjointGroups::keep(std::uint32_t taken, float value, int before, int group,
                          std::size_t begin) {
  for (std::size_t s = begin; s < states_.size(); ++s) {
    if (states_[s].taken != taken) continue;
    if (value > states_[s].value) states_[s] = {taken, value, before, group};
    return;
  }
  states_.push_back({taken, value, before, group});
}

void DisjointGroups::choose(std::span<const WordGroup> groups, std::span<const float> scores,
                            std::vector<int>& chosen) {
  chosen.clear();
  states_.assign(1, {0, 0, -1, -1});
  std::size_t begin = 0;  // of the present states
  int word = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!(scores[g] > 0) || groups[g].mask >> kReach != 0) continue;
    const int step = groups[g].first - word;
    word = groups[g].first;
    const std::size_t end = states_.size();
    for (std::size_t s = begin; s < end; ++s) {
      const State from = states_[s];
      const std::uint32_t taken = step >= kReach ? 0 : from.taken >> step;
      const int before = static_cast<int>(s);
      keep(taken, from.value, before, -1, end);
      if ((taken & groups[g].mask) == 0) {
        keep(taken | groups[g].mask, from.value + scores[g], before, static_cast<int>(g), end);
      }
    }
    begin = end;
  }
  int best = static_cast<int>(begin);
  for (int s = best; s < static_cast<int>(states_.size()); ++s) {
    if (states_[s].value > states_[best].value) best = s;
  }
  for (int s = best; s >= 0; s = states_[s].before) {
    if (states_[s].group >= 0) chosen.push_back(states_[s].group);
  }
  std::reverse(chosen.begin(), chosen.end());
}

}  // namespace entente::frames
