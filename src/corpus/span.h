// A run of words (or of whatever is counted) of a sentence, from 0, the end not included.
//
//   Span{2, 5}.size() == 3;    Span{2, 5}.contains(4);    Span{2, 5}.overlaps({4, 7});
#pragma once

namespace entente {

struct Span {
  int begin = 0, end = 0;

  int size() const { return end - begin; }
  bool empty() const { return end <= begin; }
  bool contains(int i) const { return begin <= i && i < end; }
  bool overlaps(const Span& other) const { return begin < other.end && other.begin < end; }
  friend bool operator==(const Span&, const Span&) = default;
  friend auto operator<=>(const Span&, const Span&) = default;
};

}  // namespace entente
