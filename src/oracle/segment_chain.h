// A row of pieces cut into segments, each cut and each segment with a score: sums over all
// segmentations, and the cuts with the most to gain. A semi-Markov chain.
//
//   SegmentChain chain(window);                           // scratch, kept between rows
//   chain.begin(pieces);
//   chain.open(3, score); chain.open(7, score);           // rising; places never opened are no cuts
//   chain.close(score_of_long_segments);                  // `pieces` itself is always a cut
//   for (int j = 1; j <= chain.last(); ++j)               // cuts are counted from here on
//     for (int i = j - 1; chain.is_short(i, j); --i) chain.segment(i, j) = ...;
//   chain.sums();                                         // cut_probability, segment_probability
//   chain.best_cuts(0.4f, ends);                          // the most right ones expected, less 0.4 each
//
// A segmentation's score is the sum over its cuts and its segments, and its probability is
// proportional to exp(score). Segments of more than `window` pieces all score alike, so that the
// cost is O(open cuts * window) whatever comes; best_cuts() takes none of them to be right. No
// allocation once warm. One thread at a time.
// Paper: Sarawagi and Cohen, "Semi-Markov conditional random fields", 2004.
#pragma once

#include <cstdint>
#include <vector>

namespace entente {

class SegmentChain {
 public:
  explicit SegmentChain(int window) : window_(window) {}

  void begin(int pieces);  // at least one; cut 0 stands before the first
  void open(int place, float score) {
    places_.push_back(place);
    cuts_.push_back(score);
  }
  void close(float long_score);

  int window() const { return window_; }
  int pieces() const { return pieces_; }
  int last() const { return static_cast<int>(places_.size()) - 1; }
  int place(int cut) const { return places_[cut]; }
  bool is_short(int i, int j) const { return i >= 0 && places_[j] - places_[i] <= window_; }
  // The segment between cuts i and j. Requires: is_short(i, j).
  float& segment(int i, int j) { return segments_[index(i, j)]; }

  // Log of the sum of exp(score) over all segmentations.
  double sums();
  // After sums(), of cut j, of the segment between cuts i and j, and of any long one that ends at j.
  float cut_probability(int j) const;
  float segment_probability(int i, int j) const;
  float long_probability(int j) const;
  double log_total() const { return forward_[last()]; }

  // After sums(): the segmentation whose segments' probabilities, less `price` for each, add up to
  // most. Writes the ends of its segments, in order; the last is pieces().
  void best_cuts(float price, std::vector<int>& ends);

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(j) * window_ + j - i - 1;
  }

  int window_, pieces_ = 0;
  float long_ = 0;
  std::vector<int> places_, from_;
  std::vector<float> cuts_, segments_, best_;
  std::vector<double> forward_, backward_;
  std::vector<double> far_;  // log of the sum over starts too far before each cut
};

}  // namespace entente
