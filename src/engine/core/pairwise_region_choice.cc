// Which regions: cycles, unions of them, and those of which most is to be hoped.
#include <cmath>
#include <set>

#include "engine/core/pairwise_regions.h"

namespace entente {

namespace {

constexpr std::int64_t kMostCycles = 20000;  // that are looked at

}  // namespace

std::int64_t PairwiseRegions::entries_of(const Nodes& nodes) const {
  std::int64_t entries = 1;
  for (int n : nodes) entries = std::min<std::int64_t>(entries * view_.size(n), INT32_MAX);
  return entries;
}

int PairwiseRegions::edge_between(int a, int b) const {
  const auto at = edge_at_.find(std::minmax(a, b));
  return at == edge_at_.end() ? -1 : at->second;
}

// Three nodes that are all neighbours; four around, of which opposite ones are none.
void PairwiseRegions::find_cycles(std::vector<Nodes>& out) const {
  std::map<std::pair<int, int>, Nodes> between;  // two nodes that are no neighbours: who is
  for (int b = 0; b < view_.nodes(); ++b) {
    const auto& around = neighbours_[b];
    for (std::size_t i = 0; i < around.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const int a = around[j], c = around[i];
        if (edge_between(a, c) < 0) {
          Nodes& known = between[{a, c}];
          for (int d : known) {
            if (edge_between(b, d) >= 0) continue;
            out.push_back({a, b, c, d});
            std::sort(out.back().begin(), out.back().end());
          }
          known.push_back(b);
        } else if (b < a) {
          out.push_back({b, a, c});
        }
        if (static_cast<std::int64_t>(out.size()) > kMostCycles) return;
      }
    }
  }
}

// What the bound would fall by, were this the only region.
double PairwiseRegions::gain(const Nodes& nodes) const {
  const int count = static_cast<int>(nodes.size());
  std::vector<std::pair<int, int>> inside;
  std::vector<const double*> tables;
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      const int e = edge_between(nodes[i], nodes[j]);
      if (e < 0) continue;
      const auto& edge = view_.edges[e];
      const bool straight = edge.a == nodes[i];
      inside.push_back(straight ? std::pair{i, j} : std::pair{j, i});
      tables.push_back(view_.table.data() + edge.offset);
    }
  }
  double tops = 0;
  for (int n : nodes)
    tops += *std::max_element(view_.unary.begin() + view_.begin[n],
                              view_.unary.begin() + view_.begin[n + 1]);
  std::vector<int> at(count, 0);
  double best = 4 * impossible_;
  while (true) {
    double total = 0;
    for (int i = 0; i < count; ++i) total += view_.unary[view_.begin[nodes[i]] + at[i]];
    for (std::size_t k = 0; k < inside.size(); ++k)
      total += tables[k][at[inside[k].first] * view_.size(nodes[inside[k].second]) +
                         at[inside[k].second]];
    best = std::max(best, total);
    int i = count - 1;
    while (i >= 0 && ++at[i] == view_.size(nodes[i])) at[i--] = 0;
    if (i < 0) return tops - best;
  }
}

// Those that gain most, as many as fit.
void PairwiseRegions::choose(std::vector<Nodes>& sets, std::int64_t most_entries) const {
  std::int64_t work = 0;
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    work += entries_of(sets[i]);
    ranked.push_back({work > most_entries ? 0.0 : -gain(sets[i]), i});
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<Nodes> chosen;
  std::int64_t entries = 0;
  for (const auto& [rank, i] : ranked) {
    if (entries + entries_of(sets[i]) > most_entries) continue;
    entries += entries_of(sets[i]);
    chosen.push_back(sets[i]);
  }
  sets.swap(chosen);
}

// Two that have two nodes or more in common.
std::vector<PairwiseRegions::Nodes> PairwiseRegions::unite(const std::vector<Nodes>& sets,
                                                           std::int64_t most) const {
  std::vector<std::vector<std::int32_t>> of_node(view_.nodes());
  std::set<Nodes> made;
  Nodes both;
  std::map<std::int32_t, int> shared;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    shared.clear();
    for (int n : sets[i]) {
      for (int j : of_node[n]) ++shared[j];
      of_node[n].push_back(static_cast<std::int32_t>(i));
    }
    for (const auto& [j, count] : shared) {
      if (count < 2 || static_cast<std::int64_t>(made.size()) > kMostCycles) continue;
      both.clear();
      std::set_union(sets[i].begin(), sets[i].end(), sets[j].begin(), sets[j].end(),
                     std::back_inserter(both));
      if (static_cast<int>(both.size()) <= kMostNodes && entries_of(both) <= most)
        made.insert(both);
    }
  }
  return {made.begin(), made.end()};
}

// Unions as many as fit, those that gain most first; what lies in one of them is not needed any more.
void PairwiseRegions::add_unions(std::vector<Nodes>& sets, std::int64_t most_entries) const {
  std::vector<Nodes> unions = unite(sets, most_entries / 16);
  std::int64_t left = most_entries;
  for (const Nodes& s : sets) left -= entries_of(s);
  choose(unions, std::max<std::int64_t>(0, left));
  std::vector<std::vector<std::int32_t>> of_node(view_.nodes());
  for (std::size_t i = 0; i < unions.size(); ++i) {
    for (int n : unions[i]) of_node[n].push_back(static_cast<std::int32_t>(i));
  }
  for (const Nodes& s : sets) {
    const bool inside =
        std::any_of(of_node[s[0]].begin(), of_node[s[0]].end(), [&](std::int32_t i) {
          return std::includes(unions[i].begin(), unions[i].end(), s.begin(), s.end());
        });
    if (!inside) unions.push_back(s);
  }
  sets.swap(unions);
}

}  // namespace entente
