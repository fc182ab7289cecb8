// Memory for the algorithms over trees (arborescence.h, eisner.h, tree_marginals.h), kept by the
// caller between calls: once it has seen the largest problem nothing touches the heap. One a
// thread; its contents mean nothing between calls.
//
// All three take dense scores: scores[h * (words + 1) + m] for the arc from h to m, h from 0 (the
// root) to words, m from 1 to words; -infinity forbids an arc; entries with h == m or m == 0 are
// not read. A tree gives each of 1..words one head such that all hang from the root;
// `single_root` asks that exactly one of them hangs there directly.
#pragma once

#include <cstdint>
#include <vector>

namespace entente {

struct TreeWorkspace {
  std::vector<double> a, b, c, d, e, f;
  std::vector<std::int32_t> i, j, k, l, m, n;
  std::vector<std::uint8_t> marks;
};

}  // namespace entente
