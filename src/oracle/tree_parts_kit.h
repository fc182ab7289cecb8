// Seeded problems for tests and benchmarks of tree decoders: scores like those of a trained model.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "oracle/tree_parts.h"

namespace entente::trees::kit {

struct Problem {
  Parts parts;
  PartScores scores;
};

// Any arcs, any scores: for comparison with enumeration. Every word keeps a head, but there need
// not be a tree.
inline Problem random_problem(Random& r, int words, Order order) {
  std::vector<Arc> kept;
  const double keep = r.uniform(0.4, 1.0);
  for (int m = 1; m <= words; ++m) {
    const int sure = (m + r.between(1, words)) % (words + 1);
    for (int h = 0; h <= words; ++h) {
      if (h != m && (h == sure || r.chance(keep))) kept.push_back({h, m});
    }
  }
  Problem p;
  make_parts(words, kept, order, p.parts);
  const bool whole = r.chance(0.3);
  const double second = r.uniform(0, 2);
  auto fill = [&](std::vector<double>& v, std::size_t size, double scale) {
    v.resize(size);
    for (double& x : v) x = whole ? r.between(-2, 2) : r.normal(0, scale);
  };
  fill(p.scores.arcs, p.parts.arcs.size(), 2);
  fill(p.scores.siblings, p.parts.siblings.size(), second);
  fill(p.scores.grandparents, p.parts.grandparents.size(), second);
  return p;
}

// A hidden tree with mostly short arcs, and for each word its head there and up to `heads - 1`
// others, near ones first; parts of the hidden tree score higher, by a margin that most but not all
// noise stays below.
inline Problem likely_problem(Random& r, int words, double heads, double noise = 1.0) {
  std::vector<std::int32_t> hidden(words + 1);
  // A random tree without crossings: a span's head, then the heads of what is left and right of it.
  struct Span {
    int begin, end, head;
  };
  std::vector<Span> spans{{1, words + 1, 0}};
  while (!spans.empty()) {
    const Span s = spans.back();
    spans.pop_back();
    if (s.begin >= s.end) continue;
    const int top = r.between(s.begin, s.end - 1);
    hidden[top] = s.head;
    // Each side is split into a few modifiers' spans.
    for (auto [begin, end] : {std::pair{s.begin, top}, std::pair{top + 1, s.end}}) {
      while (begin < end) {
        const int stop = r.chance(0.5) ? end : r.between(begin + 1, end);
        spans.push_back({begin, stop, top});
        begin = stop;
      }
    }
  }
  std::vector<Arc> kept;
  for (int m = 1; m <= words; ++m) {
    std::vector<int> of{hidden[m]};
    const int want =
        std::min(words, std::max(1, static_cast<int>(std::lround(heads + r.normal()))));
    for (int tries = 0; static_cast<int>(of.size()) < want && tries < 100; ++tries) {
      const int far = 1 + static_cast<int>(-3.0 * std::log(1 - r.uniform()));
      const int h = r.chance(0.1) ? 0 : r.chance(0.5) ? m - far : m + far;
      if (h < 0 || h > words || h == m || std::count(of.begin(), of.end(), h)) continue;
      of.push_back(h);
    }
    for (int h : of) kept.push_back({h, m});
  }
  Problem p;
  make_parts(words, kept, Order::second, p.parts);
  std::vector<std::int32_t> chosen(words), last;
  for (int m = 1; m <= words; ++m) chosen[m - 1] = p.parts.find(hidden[m], m);
  auto fill = [&](std::vector<double>& v, std::size_t size, double scale) {
    v.resize(size);
    for (double& x : v) x = r.normal(0, scale * noise);
  };
  fill(p.scores.arcs, p.parts.arcs.size(), 1.0);
  fill(p.scores.siblings, p.parts.siblings.size(), 0.6);
  fill(p.scores.grandparents, p.parts.grandparents.size(), 0.6);
  for_each_part(
      p.parts, chosen, last, [&](int i) { p.scores.arcs[i] += 2.0; },
      [&](int i) { p.scores.siblings[i] += 1.0; }, [&](int i) { p.scores.grandparents[i] += 1.0; });
  return p;
}

}  // namespace entente::trees::kit
