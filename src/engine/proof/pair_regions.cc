// Regions of a PairModel: tables over several of its nodes, to which prices move numbers from what
// lies within them.
#include <algorithm>
#include <cmath>

#include "engine/proof/pair_model.h"

namespace entente {

namespace {

constexpr std::int64_t kMostEntries = 20'000'000;  // of a region

// Goes through all choices, the last of `sizes` running first.
template <typename Visit>
void each_choice(const std::vector<std::int32_t>& sizes, Visit visit) {
  std::vector<std::int32_t> at(sizes.size(), 0);
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return;
  for (std::size_t entry = 0;; ++entry) {
    visit(entry, at);
    std::size_t i = sizes.size();
    while (i > 0 && ++at[i - 1] == sizes[i - 1]) at[--i] = 0;
    if (i == 0) return;
  }
}

}  // namespace

// lists: of each node all states that are open, at least.
bool PairModel::add_region(const std::vector<std::vector<std::int32_t>>& lists) {
  Region r;
  std::int64_t entries = 1;
  for (const auto& list : lists) {
    const int n = list.empty() ? -1 : at(m_.node[list[0]]);
    if (n < 0 || gone_[n] || std::find(r.nodes.begin(), r.nodes.end(), n) != r.nodes.end())
      return false;
    r.nodes.push_back(n);
    r.places.emplace_back();
    int open = 0;
    for (const std::int32_t s : list) {
      if (m_.node[s] != m_.node[list[0]] || place_[s] < 0) return false;
      open += m_.open[s];
      r.places.back().push_back(place_[s]);
    }
    auto sorted = r.places.back();
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end() ||
        open != m_.open_count[m_.node[list[0]]])
      return false;
    r.sizes.push_back(static_cast<std::int32_t>(list.size()));
    if ((entries *= r.sizes.back()) > kMostEntries) return false;
  }
  if (r.nodes.size() < 2) return false;
  if (r.nodes.size() == 2) between(r.nodes[0], r.nodes[1]);
  r.base.assign(static_cast<std::size_t>(entries), 0.0);
  for (std::size_t i = 0; i < r.nodes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int k = find(r.nodes[i], r.nodes[j]);
      if (k < 0) continue;
      each_choice(r.sizes, [&](std::size_t e, const std::vector<std::int32_t>& c) {
        if (entry(tables_[k], r.nodes[i], r.places[i][c[i]], r.places[j][c[j]]) == -kInfinity)
          r.base[e] = -kInfinity;
      });
    }
  }
  regions_.push_back(std::move(r));
  kept_ = false;
  return true;
}

// Of a region and a node or region within it; -1 if that is not what they are.
std::int64_t PairModel::moved_numbers(int a, int b) const {
  const int known = nodes() + static_cast<int>(regions_.size());
  if (a < nodes() || b < 0 || a >= known || b >= known || a == b) return -1;
  const Region& r = regions_[a - nodes()];
  if (!r.alive || r.nodes.size() < 3 || (b >= nodes() && !regions_[b - nodes()].alive)) return -1;
  const std::vector<std::int32_t> own = {b};
  std::int64_t count = 1;
  for (int n : b < nodes() ? own : regions_[b - nodes()].nodes) {
    const auto i = std::find(r.nodes.begin(), r.nodes.end(), n);
    if (i == r.nodes.end()) return -1;
    count *= r.sizes[i - r.nodes.begin()];
  }
  return count;
}

void PairModel::move(const ProofPrice::Move& move) {
  const Region& r = regions_[move.a - nodes()];
  const std::vector<std::int32_t> own = {move.b};
  const auto& inside = move.b < nodes() ? own : regions_[move.b - nodes()].nodes;
  std::vector<std::int32_t> sizes, dims;
  std::vector<std::size_t> stride(r.nodes.size(), 0);
  for (int n : inside) {
    dims.push_back(
        static_cast<std::int32_t>(std::find(r.nodes.begin(), r.nodes.end(), n) - r.nodes.begin()));
    sizes.push_back(r.sizes[dims.back()]);
  }
  for (std::size_t step = 1, i = inside.size(); i-- > 0; step *= sizes[i]) stride[dims[i]] = step;
  std::vector<double>& up = region_value_[move.a - nodes()];
  each_choice(r.sizes, [&](std::size_t e, const std::vector<std::int32_t>& c) {
    std::size_t v = 0;
    for (std::size_t i = 0; i < c.size(); ++i) v += stride[i] * c[i];
    up[e] += move.values[v];
  });
  if (move.b < nodes()) {
    for (std::size_t v = 0; v < move.values.size(); ++v)
      weight_[move.b][r.places[dims[0]][v]] -= move.values[v];
    return;
  }
  const Region& low = regions_[move.b - nodes()];
  std::vector<double>& below = region_value_[move.b - nodes()];
  each_choice(sizes, [&](std::size_t v, const std::vector<std::int32_t>& c) {
    std::size_t e = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const auto& places = low.places[i];
      const auto p = std::find(places.begin(), places.end(), r.places[dims[i]][c[i]]);
      if (p == places.end()) return;  // closed since
      e = e * places.size() + (p - places.begin());
    }
    below[e] -= move.values[v];
  });
}

// The best of a region's open choices, if node `fixed` (-1: none) is in the state at `place`.
double PairModel::region_best(int region, int fixed, int place) const {
  const Region& r = regions_[region];
  const std::vector<double>& value = region_value_[region];
  double best = -kInfinity;
  each_choice(r.sizes, [&](std::size_t e, const std::vector<std::int32_t>& c) {
    if (value[e] <= best) return;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const int n = r.nodes[i], p = r.places[i][c[i]];
      if (!m_.open[lists_[n][p]] || (n == fixed && p != place)) return;
    }
    best = value[e];
  });
  return best;
}

double PairModel::evaluate_regions(const ProofPrice& price) {
  kept_ = false;
  use(price);
  kept_ = false;  // nothing of this is
  region_value_.assign(regions_.size(), {});
  region_top_.assign(regions_.size(), 0.0);
  for (int n = 0; n < nodes(); ++n) {
    open_[n].clear();
    for (int i = 0; i < size(n); ++i) {
      weight_[n][i] = priced_weight_[n][i];
      if (m_.open[lists_[n][i]]) open_[n].push_back(i);
    }
  }
  std::vector<std::uint8_t> taken(tables_.size(), 0);
  auto begin = [&](int r) {
    std::vector<double>& value = region_value_[r];
    if (!value.empty()) return;
    const Region& region = regions_[r];
    value = region.base;
    if (region.nodes.size() != 2) return;
    const int a = region.nodes[0], k = find(a, region.nodes[1]);
    taken[k] = 1;
    const ProofPrice::Pair* pair = pair_at(k);
    each_choice(region.sizes, [&](std::size_t e, const std::vector<std::int32_t>& c) {
      const int i = region.places[0][c[0]], j = region.places[1][c[1]];
      value[e] = entry(tables_[k], a, i, j);
      if (pair)
        value[e] += pair->a == a ? pair->values[i] + pair->values[size(a) + j]
                                 : pair->values[j] + pair->values[size(pair->a) + i];
    });
  };
  for (const auto& m : price.moves) {
    begin(m.a - nodes());
    if (m.b >= nodes()) begin(m.b - nodes());
  }
  for (const auto& m : price.moves) move(m);
  total_ = base_;
  table_taken_.swap(taken);
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    if (!tables_[k].alive || table_taken_[k]) continue;
    total_ += best_[k] = share_out(tables_[k], pair_at(k));
  }
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    if (!region_value_[r].empty())
      total_ += region_top_[r] = region_best(static_cast<int>(r), -1, -1);
  }
  for (int n = 0; n < nodes(); ++n) {
    if (gone_[n]) continue;
    top_[n] = -kInfinity;
    for (const int i : open_[n]) top_[n] = std::max(top_[n], weight_[n][i]);
    total_ += top_[n];
  }
  by_regions_ = &price;
  return std::isnan(total_) ? kInfinity : total_;
}

// With the state chosen, in all tables and regions of its node.
double PairModel::with_in_regions(int n, int place) {
  double total = total_ - top_[n] + weight_[n][place];
  for (const int k : node_tables_[n]) {
    const Table& t = tables_[k];
    if (!t.alive || table_taken_[k] || (open_[t.a].size() == 1) != (open_[t.b].size() == 1))
      continue;
    const ProofPrice::Pair* pair = pair_at(k);
    const int other = t.a == n ? t.b : t.a;
    double best = -kInfinity;
    for (const int j : open_[other]) {
      double x = entry(tables_[k], n, place, j);
      if (pair)
        x += pair->a == n ? pair->values[place] + pair->values[size(n) + j]
                          : pair->values[j] + pair->values[size(other) + place];
      best = std::max(best, x);
    }
    total += best - best_[k];
  }
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    const auto& of = regions_[r].nodes;
    if (!region_value_[r].empty() && std::find(of.begin(), of.end(), n) != of.end())
      total += region_best(static_cast<int>(r), n, place) - region_top_[r];
  }
  return std::isnan(total) ? kInfinity : total;
}

}  // namespace entente
