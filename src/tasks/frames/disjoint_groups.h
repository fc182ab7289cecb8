// Groups of words that share no word and are worth most together.
//
//   DisjointGroups best;
//   best.choose(groups, scores, chosen);        // indices of groups, in order; those above 0 only
//
// A dynamic program over the words in order whose state is which of the next few words are taken:
// exact for groups with gaps too. Groups that reach over more than kReach words are left out. Cost:
// linear in words and groups times the states that occur, at most 2^(kReach - 1), mostly two or
// three. Of equal choices one is taken, always the same. No heap use once warm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace entente::frames {

// Words in increasing order: masks of what they cover from the first on.
struct WordGroup {
  int first = 0;
  std::uint32_t mask = 1;  // bit k: word first + k
};

class DisjointGroups {
 public:
  static constexpr int kReach = 12;

  // `groups` ordered by their first word.
  void choose(std::span<const WordGroup> groups, std::span<const float> scores,
              std::vector<int>& chosen);

 private:
  struct State {
    std::uint32_t taken;  // bit k: word (present one + k)
    float value;
    int before, group;  // the state it came from, and what was chosen there; -1: nothing
  };
  void keep(std::uint32_t taken, float value, int before, int group, std::size_t begin);

  std::vector<State> states_;
};

}  // namespace entente::frames
