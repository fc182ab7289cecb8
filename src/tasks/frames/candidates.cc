#include "tasks/frames/candidates.h"

#include <algorithm>

namespace entente::frames {

namespace {

// Dependents on one side whose number matters: few words have more, and a list of a thousand would
// make a million spans.
constexpr int kMostParts = 12;
// Words from the target that a span may lie away: no argument does in FrameNet, and the work for a
// text without full stops stays linear in its length.
constexpr int kReach = 120;

class Collector {
 public:
  Collector(const Atoms& atoms, int low, int high, std::vector<Span>& out)
      : atoms_(atoms), low_(low), high_(high), out_(out) {}

  void add(int first, int last) {
    if (first < low_ || last > high_) return;
    out_.push_back({first, last + 1});
  }

  // Without the punctuation at its ends; nothing if it is nothing else.
  void add_trimmed(int first, int last) {
    if (first < low_ - 2 || last > high_ + 2) return;  // no more than some punctuation to lose
    while (first <= last && atoms_.punctuation(first)) ++first;
    while (last >= first && atoms_.punctuation(last)) --last;
    if (first <= last) add(first, last);
  }

  // The word with the dependents next to it: each number on the left with each on the right, or
  // all.
  void add_parts(int word) {
    const auto children = atoms_.children(word);
    const auto middle = static_cast<int>(std::lower_bound(children.begin(), children.end(), word) -
                                         children.begin());
    const int size = static_cast<int>(children.size());
    for (int l = std::max(0, middle - kMostParts); l <= middle; ++l) {
      const int first = l < middle ? atoms_.low(children[l]) : word;
      for (int r = middle; r <= std::min(size, middle + kMostParts); ++r) {
        const int last = r > middle ? atoms_.high(children[r - 1]) : word;
        if (first <= last) add_trimmed(first, last);
      }
    }
  }

  // Dependents next to each other, two and two: where the second should hang under the first.
  void add_neighbours(int word) {
    const auto children = atoms_.children(word);
    for (std::size_t c = 0; c + 1 < children.size(); ++c) {
      const int left = children[c], right = children[c + 1];
      if ((left < word) != (right < word) || atoms_.punctuation(left) ||
          atoms_.punctuation(right)) {
        continue;
      }
      if (atoms_.high(left) + 1 == atoms_.low(right)) {
        add_trimmed(atoms_.low(left), atoms_.high(right));
        if (atoms_.low(left) != left) add_trimmed(left, atoms_.high(right));
      }
    }
  }

  // What is left and right of first..last in the subtree of `above`, from its word or from its end.
  void add_rests(int above, int first, int last) {
    add_trimmed(atoms_.low(above), first - 1);
    add_trimmed(last + 1, atoms_.high(above));
    add_trimmed(above, first - 1);
    add_trimmed(last + 1, above);
  }

 private:
  const Atoms& atoms_;
  int low_, high_;  // what lies outside is left out
  std::vector<Span>& out_;
};

}  // namespace

void candidate_spans(const Atoms& atoms, std::span<const int> target, std::vector<Span>& spans) {
  spans.clear();
  const int first = target.front(), last = target.back();
  const int low = std::max(0, first - kReach), high = std::min(atoms.size() - 1, last + kReach);
  Collector collect(atoms, low, high, spans);
  for (int i = low; i <= high; ++i) {
    if (!atoms.punctuation(i)) collect.add(i, i);
    collect.add(atoms.low(i), atoms.high(i));
    collect.add_parts(i);
    collect.add_neighbours(i);
  }
  collect.add(first, last);
  for (int below = atoms.head_of(target), above = below, steps = 0; above >= 0 && steps <= kReach;
       below = above, above = atoms[above].head, ++steps) {
    collect.add_rests(above, first, last);
    if (above != below) collect.add_rests(above, atoms.low(below), atoms.high(below));
  }
  std::sort(spans.begin(), spans.end());
  spans.erase(std::unique(spans.begin(), spans.end()), spans.end());
}

}  // namespace entente::frames
