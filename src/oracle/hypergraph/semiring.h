// Semirings, and the two passes over a forest that any of them gives.
//
//   std::vector<double> in, out;
//   inside<MaxPlus>(h, [&](int e) { return h.score[e]; }, in);       // in[h.goal()]: the best
//   score outside<MaxPlus>(h, [&](int e) { return h.score[e]; }, in, out); // in + out:
//   max-marginals inside<Counting>(h, [](int) { return 1.0; }, count);             // how many
//   derivations
//
// A semiring has a Value, zero(), one(), plus() and times(), all static; plus and times are
// associative and commute, times distributes over plus, zero is neutral to plus and kills under
// times, one is neutral to times. outside() gives zero to what no derivation of the goal uses.
//
// What must be fast has its own code (sums.h, best.h): plain doubles with one scale a node, no
// logarithms. These are for what is asked once, and the twins that the fast ones are checked with.
// Cost: one plus and as many times as tails an edge upwards; quadratic in the tails downwards.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "oracle/hypergraph/hypergraph.h"

namespace entente {

struct MaxPlus {  // the best derivation's score
  using Value = double;
  static Value zero() { return -std::numeric_limits<double>::infinity(); }
  static Value one() { return 0; }
  static Value plus(Value a, Value b) { return std::max(a, b); }
  static Value times(Value a, Value b) { return a + b; }
};

struct LogSum {  // log of the sum of exp(score)
  using Value = double;
  static Value zero() { return -std::numeric_limits<double>::infinity(); }
  static Value one() { return 0; }
  static Value plus(Value a, Value b) {
    if (a < b) std::swap(a, b);
    return b == zero() ? a : a + std::log1p(std::exp(b - a));
  }
  static Value times(Value a, Value b) { return a + b; }
};

struct SumProduct {  // plain numbers
  using Value = double;
  static Value zero() { return 0; }
  static Value one() { return 1; }
  static Value plus(Value a, Value b) { return a + b; }
  static Value times(Value a, Value b) { return a * b; }
};
using Counting = SumProduct;  // with weights of 1; exact up to 2^53 derivations

struct Reachable {  // is there a derivation?
  using Value = unsigned char;
  static Value zero() { return 0; }
  static Value one() { return 1; }
  static Value plus(Value a, Value b) { return a | b; }
  static Value times(Value a, Value b) { return a & b; }
};

// A number and its derivative (Li and Eisner 2009): from weights (w, w r) the pass gives
// (Z, sum over derivations of weight times total r).
struct Expectation {
  struct Value {
    double p, r;
    bool operator==(const Value&) const = default;
  };
  static Value zero() { return {0, 0}; }
  static Value one() { return {1, 0}; }
  static Value plus(Value a, Value b) { return {a.p + b.p, a.r + b.r}; }
  static Value times(Value a, Value b) { return {a.p * b.p, a.p * b.r + a.r * b.p}; }
};

template <typename S, typename EdgeValue>
void inside(const Hypergraph& h, EdgeValue edge_value, std::vector<typename S::Value>& in) {
  in.resize(h.nodes());
  for (int v = 0; v < h.nodes(); ++v) {
    typename S::Value sum = S::zero();
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      typename S::Value product = edge_value(e);
      for (const std::int32_t tail : h.tails(e)) product = S::times(product, in[tail]);
      sum = S::plus(sum, product);
    }
    in[v] = sum;
  }
}

template <typename S, typename EdgeValue>
void outside(const Hypergraph& h, EdgeValue edge_value, const std::vector<typename S::Value>& in,
             std::vector<typename S::Value>& out) {
  out.assign(h.nodes(), S::zero());
  out[h.goal()] = S::one();
  for (int v = h.goal(); v >= 0; --v) {
    if (out[v] == S::zero()) continue;
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      const auto tails = h.tails(e);
      const typename S::Value above = S::times(out[v], edge_value(e));
      for (std::size_t i = 0; i < tails.size(); ++i) {
        typename S::Value product = above;
        for (std::size_t j = 0; j < tails.size(); ++j) {
          if (j != i) product = S::times(product, in[tails[j]]);
        }
        out[tails[i]] = S::plus(out[tails[i]], product);
      }
    }
  }
}

}  // namespace entente
