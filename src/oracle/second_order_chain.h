// A second-order chain over candidates that each position has of its own (a sentence's candidate
// tags, word by word): exact sums and maxima over all the sequences they make. lattice_chain.h is
// the same where a score sees only one neighbour.
//
//   lattice.begin(); lattice.add(candidates_of_word_0); ...
//   second_order_path<std::int32_t>(lattice, fill, path, work);  // path[i]: index of a candidate
//   SecondOrderMarginals m; m.compute(lattice, scores);          // for training
//
// The score of a sequence is the sum over words of step(i)[(a * |b| + b) * |c| + c], where c is the
// candidate of word i, b of the word before, a of the one before that; before the first word stands
// one border "candidate". Cost: the sum over words of |a| |b| |c|, which candidates keep small.
// No heap use once warm. Ties go to the candidates that come first. Thread-safe with one work each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace entente {

class SecondOrderLattice {
 public:
  using Label = std::uint16_t;
  static constexpr Label kBorder = 0xFFFF;

  void begin() {
    first_.assign(1, 0);
    labels_.clear();
  }
  void add(std::span<const Label> candidates) {  // at least one
    labels_.insert(labels_.end(), candidates.begin(), candidates.end());
    first_.push_back(static_cast<std::uint32_t>(labels_.size()));
  }
  int size() const { return static_cast<int>(first_.size()) - 1; }
  // Candidates of word i; of one before the sentence: the border.
  std::span<const Label> at(int i) const {
    if (i < 0) return {&kBorder, 1};
    return std::span<const Label>(labels_).subspan(first_[i], first_[i + 1] - first_[i]);
  }
  std::size_t width(int i) const { return i < 0 ? 1 : first_[i + 1] - first_[i]; }
  std::size_t pairs(int i) const { return width(i - 1) * width(i); }
  std::size_t triples(int i) const { return width(i - 2) * pairs(i); }

 private:
  std::vector<std::uint32_t> first_{0};
  std::vector<Label> labels_;
};

template <typename Score>
struct SecondOrderWork {
  std::vector<Score> steps, best, next;
  std::vector<std::uint16_t> back;
  std::vector<std::size_t> back_first;
};

// fill(i, steps) writes the triples(i) scores of word i. Scores are kept for one word at a time.
template <typename Score, typename Fill>
Score second_order_path(const SecondOrderLattice& lattice, Fill fill, std::vector<int>& path,
                        SecondOrderWork<Score>& work) {
  const int n = lattice.size();
  path.resize(n);
  work.best.assign(1, 0);
  work.back.clear();
  work.back_first.clear();
  for (int i = 0; i < n; ++i) {
    const std::size_t as = lattice.width(i - 2), bs = lattice.width(i - 1), cs = lattice.width(i);
    work.steps.resize(as * bs * cs);
    fill(i, std::span<Score>(work.steps));
    work.next.resize(bs * cs);
    work.back_first.push_back(work.back.size());
    work.back.resize(work.back.size() + bs * cs, 0);
    std::uint16_t* back = work.back.data() + work.back_first[i];
    for (std::size_t b = 0; b < bs; ++b) {
      for (std::size_t c = 0; c < cs; ++c) {
        work.next[b * cs + c] = work.best[b] + work.steps[b * cs + c];
      }
    }
    for (std::size_t a = 1; a < as; ++a) {
      for (std::size_t b = 0; b < bs; ++b) {
        const Score before = work.best[a * bs + b];
        for (std::size_t c = 0; c < cs; ++c) {
          const Score score = before + work.steps[(a * bs + b) * cs + c];
          if (score > work.next[b * cs + c]) {
            work.next[b * cs + c] = score;
            back[b * cs + c] = static_cast<std::uint16_t>(a);
          }
        }
      }
    }
    work.best.swap(work.next);
  }
  if (n == 0) return 0;
  const auto top = std::max_element(work.best.begin(), work.best.end());
  std::size_t pair = static_cast<std::size_t>(top - work.best.begin());
  for (int i = n; i-- > 0;) {
    const std::size_t cs = lattice.width(i), b = pair / cs;
    path[i] = static_cast<int>(pair % cs);
    pair = work.back[work.back_first[i] + pair] * lattice.width(i - 1) + b;
  }
  return *top;
}

// Probabilities of all triples when a sequence's is proportional to exp(score).
class SecondOrderMarginals {
 public:
  // scores: the steps of all words, one after the other. Returns log of the sum over sequences.
  double compute(const SecondOrderLattice& lattice, std::span<const float> scores);
  // Of word i: [(a * |b| + b) * |c| + c].
  std::span<const float> at(const SecondOrderLattice& lattice, int i) const {
    return std::span<const float>(triples_).subspan(first_[i], lattice.triples(i));
  }

 private:
  std::vector<float> triples_;
  std::vector<std::size_t> first_, pair_first_;
  std::vector<double> forward_, backward_, totals_;
};

}  // namespace entente
