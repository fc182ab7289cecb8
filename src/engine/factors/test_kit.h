// Random factors of a given shape and their brute-force twins, for the tests of this folder.
//
//   Case c(random, Shape::disjoint, 8);  c.view();  c.random_scores(random);
//   c.for_each(clamp, [&](std::span<const std::uint8_t> config) { ... });   // all that agree
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/factors/factor.h"
#include "entente/graph.h"
#include "kit/trees.h"

namespace entente::kit {

inline std::string shape_name(Shape s) {
  static const char* const names[] = {"exactly_one", "at_most_one", "at_least_one", "or_output",
                                      "equal",       "count",       "linear",       "table",
                                      "disjoint",    "structured"};
  return names[static_cast<int>(s)];
}

inline double dot(std::span<const double> scores, std::span<const std::uint8_t> config) {
  double total = 0;
  for (std::size_t l = 0; l < config.size(); ++l) total += config[l] ? scores[l] : 0.0;
  return total;
}

inline bool agrees(std::span<const std::int8_t> clamp, std::span<const std::uint8_t> config) {
  for (std::size_t l = 0; l < clamp.size(); ++l) {
    if (clamp[l] >= 0 && clamp[l] != config[l]) return false;
  }
  return true;
}

inline double sequence_twin(const StructuredFactor& f, std::span<const std::uint8_t> z) {
  const int length = f.shape()[0], labels = f.shape()[1];
  auto t = f.scores();
  double total = 0;
  int before = 0;
  for (int p = 0; p < length; ++p) {
    int on = 0, now = 0;
    for (int l = 0; l < labels; ++l) {
      if (z[p * labels + l]) ++on, now = l;
    }
    if (on != 1) return -kInfinity;
    const bool same = static_cast<int>(t.size()) == labels * labels;
    if (p > 0) total += t[(same ? 0 : (p - 1) * labels * labels) + before * labels + now];
    before = now;
  }
  return total;
}

inline double tree_twin(const StructuredFactor& f, std::span<const std::uint8_t> z) {
  Heads heads(f.shape()[0], -1);
  for (std::size_t a = 0; a < z.size(); ++a) {
    if (!z[a]) continue;
    std::int32_t& head = heads[f.shape()[3 + 2 * a] - 1];
    if (head >= 0) return -kInfinity;
    head = f.shape()[2 + 2 * a];
  }
  if (std::count(heads.begin(), heads.end(), -1) > 0 || !is_tree(heads)) return -kInfinity;
  if (f.shape()[1] && !has_single_root(heads)) return -kInfinity;
  return f.type() == "projective_tree" && !is_projective(heads) ? -kInfinity : 0;
}

inline double automaton_twin(const StructuredFactor& f, std::span<const std::uint8_t> z) {
  const int sizes[] = {f.shape()[0], f.shape()[1], f.shape()[2]};
  const int arcs = sizes[0] + sizes[1];
  std::vector<int> uppers;
  for (int u = 0; u < sizes[2]; ++u) {
    if (z[arcs + u]) uppers.push_back(u);
  }
  if (uppers.size() != (sizes[2] > 0 ? 1u : 0u)) return -kInfinity;
  double total = 0;
  auto next = f.scores().begin();
  for (int side = 0; side < 2; ++side) {
    const auto on = z.subspan(side * sizes[0], sizes[side]);
    const int k = sizes[side];
    for (int outer = 0; outer <= k; ++outer) {
      for (int inner = outer < k ? -1 : 0; inner < outer; ++inner, ++next) {
        if ((inner >= 0 && !on[inner]) || (outer < k && !on[outer])) continue;
        int between = 0;
        for (int x = inner + 1; x < outer; ++x) between += on[x];
        if (between == 0) total += *next;
      }
    }
  }
  if (uppers.empty() || next == f.scores().end()) return total;
  for (int a = 0; a < arcs; ++a) total += z[a] ? next[uppers[0] * arcs + a] : 0;
  return total;
}

inline double structured_twin(const StructuredFactor& f, std::span<const std::uint8_t> z) {
  if (f.type() == "sequence") return sequence_twin(f, z);
  return f.type() == "head_automaton" ? automaton_twin(f, z) : tree_twin(f, z);
}

// A random structured factor over at most `most` (>= 1) literals; `score` makes its own scores.
template <typename Score>
std::unique_ptr<StructuredFactor> random_structured(Random& r, int most, Score score) {
  auto scores = [&](std::size_t size) {
    std::vector<double> out(size);
    for (double& x : out) x = r.chance(0.1) ? -kInfinity : score();
    return out;
  };
  const int kind = r.below(4);
  if (kind == 0) {
    const int labels = r.between(1, std::min(3, most));
    const int length = r.between(1, std::max(1, most / labels));
    const bool same = length < 2 || r.chance(0.5);
    return make_sequence(length, labels, scores(labels * labels * (same ? 1 : length - 1)));
  }
  if (kind == 1) {
    const int left = r.between(0, most / 2), right = r.between(0, most / 3);
    const int uppers = r.between(left + right == 0, most - left - right);
    return make_head_automaton(left, right, uppers,
                               scores(left * (left + 3) / 2 + right * (right + 3) / 2),
                               scores(r.chance(0.7) ? uppers * (left + right) : 0));
  }
  // Some of the arcs of a few nodes; most of them reach every node.
  const int nodes = r.between(1, std::min(4, std::max(1, most / 2)));
  std::vector<TreeArc> arcs;
  for (int to = 1; to <= nodes; ++to) {
    for (int from = 0; from <= nodes; ++from) {
      if (from != to) arcs.push_back({from, to});
    }
  }
  while (static_cast<int>(arcs.size()) > most)
    arcs.erase(arcs.begin() + r.below(static_cast<int>(arcs.size())));
  auto make = kind == 2 ? make_arborescence : make_projective_tree;
  return make(nodes, arcs, r.chance(0.5));
}

// Own score of the rule itself, by its definition; -infinity where it is broken.
inline double plain_score_twin(const FactorView& f, std::span<const std::uint8_t> z) {
  const int n = static_cast<int>(z.size());
  int sum = 0;
  for (auto x : z) sum += x;
  auto rule = [](bool holds) { return holds ? 0.0 : -kInfinity; };
  switch (f.shape) {
    case Shape::exactly_one:
      return rule(sum == 1);
    case Shape::at_most_one:
      return rule(sum <= 1);
    case Shape::at_least_one:
      return rule(sum >= 1);
    case Shape::or_output:
      return rule(n == 0 || (sum - z[n - 1] > 0 ? 1 : 0) == z[n - 1]);
    case Shape::equal:
      return rule(z[0] == z[1]);
    case Shape::count:
      return rule(sum >= f.lower && sum <= f.upper);
    case Shape::linear: {
      double row = dot(f.values, z);
      return rule(row >= f.lower - 1e-9 * (1 + std::fabs(f.lower)) &&
                  row <= f.upper + 1e-9 * (1 + std::fabs(f.upper)));
    }
    case Shape::table: {
      int entry = 0, first = 0;
      for (int axis : f.axes) {
        int on = 0, state = 0;
        for (int l = 0; l < axis; ++l) {
          if (z[first + l]) ++on, state = axis == 1 ? 1 : l;
        }
        if (axis > 1 && on != 1) return -kInfinity;
        entry = entry * (axis == 1 ? 2 : axis) + state;
        first += axis;
      }
      return f.values[entry];
    }
    case Shape::disjoint:
      for (int x = 0; x < n; ++x) {
        for (int y = 0; y < x; ++y) {
          if (z[x] && z[y] && f.intervals[x].overlaps(f.intervals[y])) return -kInfinity;
        }
      }
      return 0;
    case Shape::structured:
      return structured_twin(*f.structured, z);
  }
  return 0;
}

inline bool allowed_twin(const FactorView& f, std::span<const std::uint8_t> z) {
  return plain_score_twin(f, z) != -kInfinity;
}

inline double own_score_twin(const FactorView& f, std::span<const std::uint8_t> z) {
  const double own = plain_score_twin(f, z);
  return own == -kInfinity ? -f.cost : own;
}

// A graph with one random factor of a shape, hard or (where allowed) soft, at most `most` links.
class Case {
 public:
  Case(Random& r, Shape shape, int most, bool may_be_soft = true) {
    Rule rule;
    if (may_be_soft && r.chance(0.4)) rule.cost = r.chance(0.3) ? r.between(0, 2) : r.uniform(0, 3);
    const bool whole = r.chance(0.4);
    auto number = [&] { return whole ? r.between(-2, 2) : r.normal(); };
    switch (shape) {
      case Shape::exactly_one:
        g_.add_exactly_one(some(r.between(0, most)), rule);
        break;
      case Shape::at_most_one:
        g_.add_at_most_one(some(r.between(0, most)), rule);
        break;
      case Shape::at_least_one:
        g_.add_at_least_one(some(r.between(0, most)), rule);
        break;
      case Shape::or_output: {
        auto l = some(r.between(1, most));
        Literal out = l.back();
        l.pop_back();
        g_.add_or_output(l, out, rule);
        break;
      }
      case Shape::equal: {
        auto l = some(2);
        g_.add_equal(l[0], l[1], rule);
        break;
      }
      case Shape::count: {
        const int n = r.between(0, most), lo = r.between(-1, n + 1);
        g_.add_count(some(n), lo, r.chance(0.1) ? lo - 1 : r.between(lo, n + 2), rule);
        break;
      }
      case Shape::linear: {
        const int n = r.between(0, most);
        std::vector<double> c(n);
        for (double& x : c) x = whole ? r.between(-4, 5) : r.uniform(-2, 3);
        const double b = whole ? r.between(-4, 8) : r.uniform(-2, 5);
        const double width = whole ? r.between(0, 3) : r.uniform(0, 3);
        g_.add_linear(some(n), c, r.chance(0.3) ? -kInfinity : b - width,
                      r.chance(0.3) ? kInfinity : b, rule);
        break;
      }
      case Shape::table: {
        std::vector<std::int32_t> axes;
        int links = 0, entries = 1;
        for (int left = r.between(0, most); left > 0; left -= axes.back()) {
          axes.push_back(r.between(1, std::min(left, 4)));
          links += axes.back();
          entries *= axes.back() == 1 ? 2 : axes.back();
        }
        std::vector<double> scores(entries);
        for (double& x : scores) x = r.chance(0.2) ? -kInfinity : number();
        g_.add_table(some(links), axes, scores, rule);
        break;
      }
      case Shape::disjoint: {
        const int n = r.between(0, most), spread = r.chance(0.3) ? 1000 : 1;
        std::vector<Interval> intervals(n);
        for (auto& x : intervals) {
          x.begin = r.between(-4, 6) * spread;
          x.end = x.begin + r.between(-1, 5) * spread;
        }
        g_.add_disjoint(some(n), intervals, rule);
        break;
      }
      case Shape::structured: {
        auto factor = random_structured(r, most, number);
        const int size = factor->size();
        g_.add_structured(some(size), std::move(factor), rule);
        break;
      }
    }
    view_ = g_.factor(0);
  }

  const FactorView& view() const { return view_; }
  const Graph& graph() const { return g_; }
  int links() const { return static_cast<int>(view_.links.size()); }

  std::vector<double> random_scores(Random& r) const {
    std::vector<double> out(view_.links.size());
    const bool whole = r.chance(0.4);
    const double bias = r.normal();
    for (double& x : out) x = whole ? r.between(-2, 2) : r.normal(bias, 1.5);
    return out;
  }

  // Empty, or with some literals clamped.
  std::vector<std::int8_t> random_clamp(Random& r) const {
    if (r.chance(0.3)) return {};
    std::vector<std::int8_t> out(view_.links.size(), -1);
    const double some = r.uniform(0, 0.7), ones = r.uniform(0, 0.6);
    for (auto& x : out) {
      if (r.chance(some)) x = r.chance(ones) ? 1 : 0;
    }
    return out;
  }

  template <typename Visit>
  void for_each(std::span<const std::int8_t> clamp, Visit visit) const {
    std::vector<std::uint8_t> z(view_.links.size());
    for (std::uint32_t bits = 0; bits < 1u << z.size(); ++bits) {
      for (std::size_t l = 0; l < z.size(); ++l) z[l] = bits >> l & 1;
      if (agrees(clamp, z)) visit(std::span<const std::uint8_t>(z));
    }
  }
  template <typename Visit>
  void for_each(Visit visit) const {
    for_each({}, visit);
  }

 private:
  std::vector<Literal> some(int n) {
    std::vector<Literal> out;
    for (int i = 0; i < n; ++i) out.push_back(Literal(g_.add_variable(0), i % 3 == 1));
    return out;
  }

  Graph g_;
  FactorView view_;
};

}  // namespace entente::kit
