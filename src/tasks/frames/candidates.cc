#include "tasks/frames/candidates.h"

#include <algorithm>

namespace entente::frames {

namespace {

class Collector {
 public:
  Collector(const Atoms& atoms, std::vector<Span>& out) : atoms_(atoms), out_(out) {}

  void add(int first, int last) {
    out_.push_back({static_cast<std::int16_t>(first), static_cast<std::int16_t>(last)});
  }

  // Without the punctuation at its ends; nothing if it is nothing else.
  void add_trimmed(int first, int last) {
    while (first <= last && atoms_.punctuation(first)) ++first;
    while (last >= first && atoms_.punctuation(last)) --last;
    if (first <= last) add(first, last);
  }

  // The word with the dependents next to it: each number on the left with each on the right.
  void add_parts(int word) {
    const auto children = atoms_.children(word);
    const auto right = static_cast<std::size_t>(
        std::lower_bound(children.begin(), children.end(), word) - children.begin());
    for (std::size_t l = 0; l <= right; ++l) {
      const int first = l < right ? atoms_.low(children[l]) : word;
      for (std::size_t r = right; r <= children.size(); ++r) {
        const int last = r > right ? atoms_.high(children[r - 1]) : word;
        if (first <= last) add_trimmed(first, last);
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
  std::vector<Span>& out_;
};

}  // namespace

void candidate_spans(const Atoms& atoms, std::span<const int> target, std::vector<Span>& spans) {
  spans.clear();
  Collector collect(atoms, spans);
  for (int i = 0; i < atoms.size(); ++i) {
    if (!atoms.punctuation(i)) collect.add(i, i);
    collect.add(atoms.low(i), atoms.high(i));
    collect.add_parts(i);
  }
  const int first = target.front(), last = target.back();
  collect.add(first, last);
  for (int below = atoms.head_of(target), above = below, steps = 0;
       above >= 0 && steps <= atoms.size(); below = above, above = atoms[above].head, ++steps) {
    collect.add_rests(above, first, last);
    if (above != below) collect.add_rests(above, atoms.low(below), atoms.high(below));
  }
  std::sort(spans.begin(), spans.end());
  spans.erase(std::unique(spans.begin(), spans.end()), spans.end());
}

}  // namespace entente::frames
