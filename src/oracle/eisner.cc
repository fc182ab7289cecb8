#include "oracle/eisner.h"

#include "oracle/max_sum.h"

namespace entente {

namespace {

constexpr double kNone = kForbidden;

// Spans over nodes first..last. A complete span i..j has its head at one end and all of the head's
// modifiers on that side; an incomplete one is an arc between its ends and what lies below it.
// Complete ones are stored twice, by their left end and by their right end, so that both operands
// of every split are contiguous. No back pointers: splits are found again on the way back, O(words)
// each.
class Spans {
 public:
  Spans(int words, std::span<const double> scores, TreeWorkspace& w)
      : n_(words + 1),
        scores_(scores),
        right_(w.a),
        right_by_end_(w.b),
        left_(w.c),
        left_by_end_(w.d),
        open_right_(w.e),
        open_left_by_end_(w.f) {
    for (auto* table :
         {&right_, &right_by_end_, &left_, &left_by_end_, &open_right_, &open_left_by_end_}) {
      table->resize(static_cast<std::size_t>(n_) * n_);
    }
  }

  // The best complete span with its head at i, and with its head at j.
  double right(int i, int j) const { return right_[at(i, j)]; }
  double left(int i, int j) const { return left_[at(i, j)]; }

  void fill(int first) {
    for (int x = first; x < n_; ++x) set_complete(x, x, 0, 0);
    for (int width = 1; first + width < n_; ++width) {
      for (int i = first; i + width < n_; ++i) {
        const int j = i + width;
        const double joined = best_joined(i, j);
        open_right_[at(i, j)] = joined + scores_[at(i, j)];
        open_left_by_end_[at(j, i)] = i == 0 ? kNone : joined + scores_[at(j, i)];
        set_complete(i, j,
                     best_sum(&open_right_[at(i, i + 1)], &right_by_end_[at(j, i + 1)], width),
                     best_sum(&left_[at(i, i)], &open_left_by_end_[at(j, i)], width));
      }
    }
  }

  void trace(int first, int last, bool headed_right, std::span<std::int32_t> heads,
             std::vector<std::int32_t>& stack) const {
    stack.clear();
    auto push = [&](int i, int j, int kind) {
      if (i != j) stack.insert(stack.end(), {i, j, kind});
    };
    push(first, last, headed_right ? kRight : kLeft);
    while (!stack.empty()) {
      const int kind = stack.back(), j = stack[stack.size() - 2], i = stack[stack.size() - 3];
      stack.resize(stack.size() - 3);
      int k = i;
      if (kind == kRight) {
        for (k = i + 1; open_right_[at(i, k)] + right(k, j) != right(i, j);) ++k;
        push(i, k, kOpenRight);
        push(k, j, kRight);
      } else if (kind == kLeft) {
        while (left(i, k) + open_left_by_end_[at(j, k)] != left(i, j)) ++k;
        push(k, j, kOpenLeft);
        push(i, k, kLeft);
      } else {
        heads[(kind == kOpenRight ? j : i) - 1] = kind == kOpenRight ? i : j;
        const double joined = best_joined(i, j);
        while (right(i, k) + left(k + 1, j) != joined) ++k;
        push(i, k, kRight);
        push(k + 1, j, kLeft);
      }
    }
  }

 private:
  enum { kLeft, kRight, kOpenRight, kOpenLeft };
  std::size_t at(int x, int y) const { return static_cast<std::size_t>(x) * n_ + y; }

  void set_complete(int i, int j, double headed_left_end, double headed_right_end) {
    right_[at(i, j)] = right_by_end_[at(j, i)] = headed_left_end;
    left_[at(i, j)] = left_by_end_[at(j, i)] = headed_right_end;
  }
  // Two complete spans that meet between i and j, heads outside.
  double best_joined(int i, int j) const {
    return best_sum(&right_[at(i, i)], &left_by_end_[at(j, i + 1)], j - i);
  }

  int n_;
  std::span<const double> scores_;
  std::vector<double>&right_, &right_by_end_, &left_, &left_by_end_, &open_right_,
      &open_left_by_end_;
};

}  // namespace

double best_projective_tree(int words, std::span<const double> scores, bool single_root,
                            std::span<std::int32_t> heads, TreeWorkspace& work) {
  if (words == 0) return single_root ? kNone : 0;
  Spans spans(words, scores, work);
  spans.fill(single_root ? 1 : 0);
  if (!single_root) {
    const double best = spans.right(0, words);
    if (best != kNone) spans.trace(0, words, true, heads, work.i);
    return best;
  }
  int root = 0;
  double best = kNone;
  for (int r = 1; r <= words; ++r) {
    const double value = spans.left(1, r) + spans.right(r, words) + scores[r];
    if (value > best) best = value, root = r;
  }
  if (root == 0) return kNone;
  heads[root - 1] = 0;
  spans.trace(1, root, false, heads, work.i);
  spans.trace(root, words, true, heads, work.i);
  return best;
}

}  // namespace entente
