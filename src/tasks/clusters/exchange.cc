#include "tasks/clusters/exchange.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace entente::clusters {

namespace {

// n log n, from a table where n is small.
class Entropy {
 public:
  Entropy() : table_(kSize) {
    for (std::size_t n = 2; n < kSize; ++n) table_[n] = plain(static_cast<std::int64_t>(n));
  }
  double operator()(std::int64_t n) const {
    return n < static_cast<std::int64_t>(kSize) ? table_[static_cast<std::size_t>(n)] : plain(n);
  }

 private:
  static constexpr std::size_t kSize = 1 << 16;
  static double plain(std::int64_t n) {
    return static_cast<double>(n) * std::log(static_cast<double>(n));
  }
  std::vector<double> table_;
};

std::vector<Neighbour> grouped(std::span<const std::uint64_t> pairs, int words,
                               std::vector<std::size_t>& first) {
  std::vector<Neighbour> out;
  first.assign(words + 1, 0);
  for (std::size_t i = 0; i < pairs.size();) {
    std::size_t end = i + 1;
    while (end < pairs.size() && pairs[end] == pairs[i]) ++end;
    out.push_back(
        {static_cast<std::int32_t>(pairs[i] & 0xFFFFFFFFu), static_cast<std::int32_t>(end - i)});
    first[(pairs[i] >> 32) + 1] = out.size();
    i = end;
  }
  for (int w = 0; w < words; ++w) first[w + 1] = std::max(first[w + 1], first[w]);
  return out;
}

class Exchange {
 public:
  Exchange(const Bigrams& bigrams, int classes)
      : b_(bigrams),
        k_(classes),
        of_(bigrams.words),
        pairs_(static_cast<std::size_t>(classes) * classes),
        turned_(pairs_.size()),
        left_(classes),
        right_(classes),
        after_(classes),
        before_(classes),
        gain_(classes) {
    for (int w = 1; w < b_.words; ++w) {
      of_[w] = static_cast<std::uint16_t>(1 + (w - 1) % (k_ - 1));
    }
    for (int w = 0; w < b_.words; ++w) {
      left_[of_[w]] += b_.counts[w];
      right_[of_[w]] += b_.counts_right[w];
      for (std::size_t i = b_.first_after[w]; i < b_.first_after[w + 1]; ++i) {
        add(of_[w], of_[b_.after[i].word], b_.after[i].count);
      }
    }
  }

  // Returns how many words moved.
  int pass(const Monitor& monitor) {
    int moved = 0;
    for (int w = 1; w < b_.words && !monitor.stopped(); ++w) moved += move(w);
    return moved;
  }
  std::vector<std::uint16_t> take() { return std::move(of_); }

 private:
  void add(int a, int b, std::int64_t n) {
    pairs_[static_cast<std::size_t>(a) * k_ + b] += n;
    turned_[static_cast<std::size_t>(b) * k_ + a] += n;
  }

  // The classes around a word, itself apart.
  void look_around(int w) {
    auto gather = [&](std::span<const Neighbour> list, std::vector<std::int64_t>& sums,
                      std::vector<int>& seen) {
      for (int c : seen) sums[c] = 0;
      seen.clear();
      for (const Neighbour& n : list) {
        if (n.word == w) {
          self_ = n.count;
          continue;
        }
        if (sums[of_[n.word]] == 0) seen.push_back(of_[n.word]);
        sums[of_[n.word]] += n.count;
      }
    };
    self_ = 0;
    gather(
        std::span(b_.after).subspan(b_.first_after[w], b_.first_after[w + 1] - b_.first_after[w]),
        after_, classes_after_);
    gather(std::span(b_.before).subspan(b_.first_before[w],
                                        b_.first_before[w + 1] - b_.first_before[w]),
           before_, classes_before_);
  }

  void put(int w, int c, int sign) {
    for (int b : classes_after_) add(c, b, sign * after_[b]);
    for (int a : classes_before_) add(a, c, sign * before_[a]);
    add(c, c, sign * self_);
    left_[c] += sign * b_.counts[w];
    right_[c] += sign * b_.counts_right[w];
  }

  bool move(int w) {
    look_around(w);
    const int home = of_[w];
    put(w, home, -1);
    std::fill(gain_.begin(), gain_.end(), 0.0);
    for (int b : classes_after_) raise(&turned_[static_cast<std::size_t>(b) * k_], after_[b]);
    for (int a : classes_before_) raise(&pairs_[static_cast<std::size_t>(a) * k_], before_[a]);
    int best = home;
    double most = -1e300;
    for (int c = 1; c < k_; ++c) {
      // Both of a pair in the class itself: one entry that grows from both sides.
      const std::int64_t own = pairs_[static_cast<std::size_t>(c) * k_ + c];
      const double gain = gain_[c] - rise(own, after_[c]) - rise(own, before_[c]) +
                          rise(own, after_[c] + before_[c] + self_) - rise(left_[c], b_.counts[w]) -
                          rise(right_[c], b_.counts_right[w]);
      if (gain > most + 1e-9 || (c == home && gain > most - 1e-9)) most = gain, best = c;
    }
    put(w, best, 1);
    of_[w] = static_cast<std::uint16_t>(best);
    return best != home;
  }

  double rise(std::int64_t from, std::int64_t by) const {
    return by == 0 ? 0 : entropy_(from + by) - entropy_(from);
  }
  void raise(const std::int64_t* row, std::int64_t by) {
    const double alone = entropy_(by);
    for (int c = 0; c < k_; ++c) gain_[c] += row[c] == 0 ? alone : rise(row[c], by);
  }

  const Bigrams& b_;
  const int k_;
  const Entropy entropy_;
  std::vector<std::uint16_t> of_;
  std::vector<std::int64_t> pairs_, turned_;  // n(a, b), by a and by b
  std::vector<std::int64_t> left_, right_;    // n(a, .), n(., b)
  std::vector<std::int64_t> after_, before_;  // of the word in hand
  std::vector<int> classes_after_, classes_before_;
  std::int64_t self_ = 0;
  std::vector<double> gain_;
};

}  // namespace

Bigrams count_bigrams(std::span<const std::int32_t> tokens, int words) {
  Bigrams out;
  out.words = words;
  out.counts.assign(words, 0);
  out.counts_right.assign(words, 0);
  std::vector<std::uint64_t> pairs;
  pairs.reserve(tokens.size());
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const auto a = static_cast<std::uint64_t>(tokens[i]),
               b = static_cast<std::uint64_t>(tokens[i + 1]);
    if (a == 0 && b == 0) continue;
    ENTENTE_CHECK(a < static_cast<std::uint64_t>(words) && b < static_cast<std::uint64_t>(words));
    ++out.counts[a];
    ++out.counts_right[b];
    pairs.push_back(a << 32 | b);
  }
  std::sort(pairs.begin(), pairs.end());
  out.after = grouped(pairs, words, out.first_after);
  for (std::uint64_t& p : pairs) p = p << 32 | p >> 32;
  std::sort(pairs.begin(), pairs.end());
  out.before = grouped(pairs, words, out.first_before);
  return out;
}

std::vector<std::uint16_t> exchange(const Bigrams& bigrams, const ExchangeOptions& options,
                                    Monitor& monitor) {
  ENTENTE_CHECK(options.classes >= 2 && options.classes < 65536 && bigrams.words >= 1);
  Exchange state(bigrams, options.classes);
  monitor.stage("clusters: " + std::to_string(options.classes) + " classes", options.passes);
  for (int pass = 0; pass < options.passes && !monitor.stopped(); ++pass) {
    const int moved = state.pass(monitor);
    monitor.advance(1);
    if (moved * 200 < bigrams.words) break;
  }
  return state.take();
}

double class_likelihood(const Bigrams& b, std::span<const std::uint16_t> classes, int count) {
  std::vector<std::int64_t> pairs(static_cast<std::size_t>(count) * count), left(count),
      right(count);
  for (int w = 0; w < b.words; ++w) {
    left[classes[w]] += b.counts[w];
    right[classes[w]] += b.counts_right[w];
    for (std::size_t i = b.first_after[w]; i < b.first_after[w + 1]; ++i) {
      pairs[static_cast<std::size_t>(classes[w]) * count + classes[b.after[i].word]] +=
          b.after[i].count;
    }
  }
  const Entropy entropy;
  double sum = 0;
  for (std::int64_t n : pairs) sum += entropy(n);
  for (int c = 0; c < count; ++c) sum -= entropy(left[c]) + entropy(right[c]);
  return sum;
}

}  // namespace entente::clusters
