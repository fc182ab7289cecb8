#include "engine/core/pairwise_regions.h"

#include <cmath>
#include <set>

namespace entente {

int PairwiseRegions::add(std::span<const std::int32_t> nodes) {
  const Nodes key(nodes.begin(), nodes.end());
  const auto [at, is_new] = at_.insert({key, regions()});
  if (!is_new) return at->second;
  Region r{static_cast<std::int32_t>(scope_.size()), static_cast<std::int32_t>(nodes.size()),
           static_cast<std::int32_t>(value_.size()), static_cast<std::int32_t>(entries_of(key))};
  scope_.insert(scope_.end(), nodes.begin(), nodes.end());
  value_.resize(value_.size() + r.entries, 0.0);
  regions_.push_back(r);
  return regions() - 1;
}

// What two regions have in common, where that is more than a table.
void PairwiseRegions::add_overlaps(std::size_t first, std::size_t end) {
  std::vector<std::vector<std::int32_t>> of_node(view_.nodes());
  std::map<std::int32_t, int> shared;
  Nodes common;
  for (std::size_t i = first; i < end; ++i) {
    shared.clear();
    const Nodes own(scope(static_cast<int>(i)).begin(), scope(static_cast<int>(i)).end());
    for (int n : own) {
      for (int j : of_node[n]) ++shared[j];
      of_node[n].push_back(static_cast<std::int32_t>(i));
    }
    for (const auto& [j, count] : shared) {
      if (count < 3) continue;
      common.clear();
      const auto other = scope(j);
      std::set_intersection(own.begin(), own.end(), other.begin(), other.end(),
                            std::back_inserter(common));
      add(common);
    }
  }
}

// Every region that is no overlap gives to and takes from all that lies within it; a table that is in
// none of them from its nodes.
void PairwiseRegions::add_links(std::size_t first, std::size_t end) {
  std::vector<std::vector<std::int32_t>> by_first(view_.nodes());
  std::vector<std::uint8_t> covered(regions_.size(), 0);
  std::vector<std::vector<std::int32_t>> above(regions_.size());
  for (int r = 0; r < regions(); ++r) by_first[scope(r)[0]].push_back(r);
  auto link_all = [&](int r) {
    const auto own = scope(r);
    for (int n : own) {
      for (int b : by_first[n]) {
        const auto s = scope(b);
        const bool top = static_cast<std::size_t>(b) >= first && static_cast<std::size_t>(b) < end;
        if (b == r || top || !std::includes(own.begin(), own.end(), s.begin(), s.end())) continue;
        above[b].push_back(r);
        covered[b] = 1;
      }
    }
  };
  for (std::size_t r = first; r < end; ++r) link_all(static_cast<int>(r));
  for (int e = view_.nodes(); e < view_.nodes() + static_cast<int>(view_.edges.size()); ++e) {
    if (!covered[e]) link_all(e);
  }
  order_.clear();
  for (int r = 0; r < regions(); ++r) {
    if (!above[r].empty()) order_.push_back(r);
  }
  std::sort(order_.begin(), order_.end(), [&](int a, int b) {
    return std::lexicographical_compare(scope(a).begin(), scope(a).end(), scope(b).begin(),
                                        scope(b).end());
  });
  links_.clear();
  link_begin_.assign(1, 0);
  std::int32_t moved = 0;
  for (int b : order_) {
    for (int a : above[b]) {
      links_.push_back({a, b, moved});
      moved += regions_[b].entries;
    }
    link_begin_.push_back(static_cast<std::int32_t>(links_.size()));
  }
  moved_.assign(moved, 0.0);
}

// ---------------------------------------------------------------- tables
// For every row of the upper region (its last node runs): where it begins in both, and by how much
// the lower one steps.
template <typename Row>
void PairwiseRegions::walk(int above, int below, Row row) const {
  const auto up = scope(above), low = scope(below);
  const int count = static_cast<int>(up.size());
  std::int32_t step[kMostNodes] = {}, at[kMostNodes] = {}, size[kMostNodes];
  for (std::int32_t s = 1, j = static_cast<std::int32_t>(low.size()) - 1; j >= 0; --j) {
    const auto i = std::lower_bound(up.begin(), up.end(), low[j]) - up.begin();
    step[i] = s;
    s *= view_.size(low[j]);
  }
  for (int i = 0; i < count; ++i) size[i] = view_.size(up[i]);
  const int inner = size[count - 1];
  std::int32_t upper = 0, lower = 0;
  while (true) {
    row(upper, lower, inner, step[count - 1]);
    upper += inner;
    int i = count - 2;
    for (; i >= 0; --i) {
      lower += step[i];
      if (++at[i] < size[i]) break;
      lower -= step[i] * size[i];
      at[i] = 0;
    }
    if (i < 0) return;
  }
}

// Numbers are moved only where something is allowed.
void PairwiseRegions::collect(const Link& link) {
  double* up = value_.data() + regions_[link.above].offset;
  double* low = value_.data() + regions_[link.below].offset;
  double* moved = moved_.data() + link.moved;
  const int entries = regions_[link.below].entries;
  best_.assign(entries, 8 * impossible_);
  double* best = best_.data();
  walk(link.above, link.below, [&](int u, int l, int inner, int step) {
    if (step == 0) {
      double most = best[l];
      for (int k = 0; k < inner; ++k) most = std::max(most, up[u + k]);
      best[l] = most;
    } else {
      for (int k = 0; k < inner; ++k) best[l + k * step] = std::max(best[l + k * step], up[u + k]);
    }
  });
  for (int i = 0; i < entries; ++i) {
    if (best[i] < impossible_) best[i] = 0;
    low[i] += best[i];
    moved[i] -= best[i];
  }
  walk(link.above, link.below, [&](int u, int l, int inner, int step) {
    for (int k = 0; k < inner; ++k) up[u + k] -= best[l + k * step];
  });
}

void PairwiseRegions::give(const Link& link, double weight) {
  double* up = value_.data() + regions_[link.above].offset;
  const double* low = value_.data() + regions_[link.below].offset;
  double* moved = moved_.data() + link.moved;
  const int entries = regions_[link.below].entries;
  best_.resize(entries);
  for (int i = 0; i < entries; ++i) {
    best_[i] = low[i] < impossible_ ? 0 : weight * low[i];
    moved[i] += best_[i];
  }
  const double* given = best_.data();
  walk(link.above, link.below, [&](int u, int l, int inner, int step) {
    for (int k = 0; k < inner; ++k) up[u + k] += given[l + k * step];
  });
}

// A region in which two nodes' states exclude each other.
void PairwiseRegions::forbid(int region) {
  const auto nodes = scope(region);
  double* up = value_.data() + regions_[region].offset;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = i + 1; j < nodes.size(); ++j) {
      const int e = edge_between(nodes[i], nodes[j]);
      if (e < 0) continue;
      const double* low = value_.data() + regions_[view_.nodes() + e].offset;
      walk(region, view_.nodes() + e, [&](int u, int l, int inner, int step) {
        for (int k = 0; k < inner; ++k) {
          if (low[l + k * step] < impossible_) up[u + k] = 8 * impossible_;
        }
      });
    }
  }
}

void PairwiseRegions::load_tables() {
  for (int n = 0; n < view_.nodes(); ++n)
    std::copy(view_.unary.begin() + view_.begin[n], view_.unary.begin() + view_.begin[n + 1],
              value_.begin() + regions_[n].offset);
  for (std::size_t e = 0; e < view_.edges.size(); ++e) {
    const auto& edge = view_.edges[e];
    const int da = view_.size(edge.a), db = view_.size(edge.b);
    double* to = value_.data() + regions_[view_.nodes() + e].offset;
    for (int i = 0; i < da; ++i) {
      for (int j = 0; j < db; ++j)
        to[edge.a < edge.b ? i * db + j : j * da + i] = view_.table[edge.offset + i * db + j];
    }
  }
}

bool PairwiseRegions::load(const PairwiseView& view, double impossible, int tier,
                           std::int64_t most_entries) {
  view_ = view;
  impossible_ = impossible;
  regions_.clear();
  scope_.clear();
  value_.clear();
  at_.clear();
  edge_at_.clear();
  neighbours_.assign(view.nodes(), {});
  for (std::int32_t n = 0; n < view.nodes(); ++n) add(std::span(&n, 1));
  for (std::size_t e = 0; e < view.edges.size(); ++e) {
    const auto& edge = view.edges[e];
    const std::int32_t ends[2] = {std::min(edge.a, edge.b), std::max(edge.a, edge.b)};
    add(ends);
    edge_at_[{ends[0], ends[1]}] = static_cast<std::int32_t>(e);
    if (view.size(edge.a) < 2 || view.size(edge.b) < 2) continue;
    neighbours_[edge.a].push_back(edge.b);
    neighbours_[edge.b].push_back(edge.a);
  }
  for (auto& list : neighbours_) std::sort(list.begin(), list.end());
  std::vector<Nodes> sets;
  find_cycles(sets);
  const std::int64_t most = std::max<std::int64_t>(64, most_entries / 16);
  std::erase_if(sets, [&](const Nodes& s) { return entries_of(s) > most; });
  choose(sets, most_entries);
  for (int t = 0; t < tier; ++t) add_unions(sets, most_entries);
  if (sets.empty()) return false;
  const std::size_t first = regions_.size();
  for (const Nodes& s : sets) add(s);
  const std::size_t end = regions_.size();
  if (tier > 0) add_overlaps(first, end);
  add_links(first, end);
  load_tables();
  for (int r = static_cast<int>(first); r < regions(); ++r) forbid(r);
  bound_ = 0;
  for (int r = 0; r < regions(); ++r) bound_ += top(r);
  return true;
}

// ---------------------------------------------------------------- the bound
double PairwiseRegions::top(int r) const {
  const auto first = value_.begin() + regions_[r].offset;
  return *std::max_element(first, first + regions_[r].entries);
}

// Each lower region takes what those above it can give, and shares that out among those which come
// later.
void PairwiseRegions::pass(bool forward, const Limits& limits) {
  const int count = static_cast<int>(order_.size());
  for (int q = 0; q < count; ++q) {
    if (q % 64 == 63 && limits.reached()) return;
    const int i = forward ? q : count - 1 - q;
    const int below = order_[i];
    const std::int32_t first = scope(below).front(), last = scope(below).back();
    auto later = [&](int above) {
      return forward ? scope(above).back() > last : scope(above).front() < first;
    };
    int after = 0, before = 0;
    for (int k = link_begin_[i]; k < link_begin_[i + 1]; ++k) {
      collect(links_[k]);
      const int above = links_[k].above;
      work_ += 3 * regions_[above].entries;
      after += later(above);
      before += forward ? scope(above).front() < first : scope(above).back() > last;
    }
    if (after == 0) continue;
    const double weight = 1.0 / std::max(after, before);
    for (int k = link_begin_[i]; k < link_begin_[i + 1]; ++k) {
      if (later(links_[k].above)) give(links_[k], weight);
    }
    double* low = value_.data() + regions_[below].offset;
    const double left = 1.0 - after * weight;
    for (int e = 0; e < regions_[below].entries; ++e) {
      if (low[e] >= impossible_) low[e] *= left;
    }
  }
}

double PairwiseRegions::tighten(double best, int passes, double stall, std::int64_t most_work,
                                const Limits& limits) {
  double last = kInfinity;
  const std::int64_t end = work_ + most_work;
  for (int i = 0; i < passes && !limits.reached(); ++i) {
    pass(i % 2 == 0, limits);
    if (i % 4 != 3 && i + 1 != passes && work_ < end && !limits.reached()) continue;
    bound_ = 0;
    for (int r = 0; r < regions(); ++r) bound_ += top(r);
    if (bound_ <= best || last - bound_ < stall * (bound_ - best)) break;
    if (work_ >= end) break;
    last = bound_;
  }
  return bound_;
}

std::int64_t PairwiseRegions::work_of_pass() const {
  std::int64_t work = 0;
  for (const Link& link : links_) work += 3 * regions_[link.above].entries;
  return work;
}

void PairwiseRegions::hopeless_states(double best, std::vector<std::int32_t>& out) {
  out.clear();
  bound_ = 0;
  with_.assign(view_.unary.size(), 0.0);
  for (int r = 0; r < regions(); ++r) {
    const double most = top(r);
    bound_ += most;
    const double* value = value_.data() + regions_[r].offset;
    for (int n : scope(r)) {
      const int size = view_.size(n);
      best_.assign(size, 8 * impossible_);
      walk(r, n, [&](int u, int l, int inner, int step) {
        for (int k = 0; k < inner; ++k)
          best_[l + k * step] = std::max(best_[l + k * step], value[u + k]);
      });
      for (int s = 0; s < size; ++s) with_[view_.begin[n] + s] += best_[s] - most;
    }
  }
  for (std::size_t s = 0; s < with_.size(); ++s) {
    if (bound_ + with_[s] <= best) out.push_back(static_cast<std::int32_t>(s));
  }
}

// What does not agree with the state is out of the question from here on.
void PairwiseRegions::take_state(int r, int n, int state) {
  double* value = value_.data() + regions_[r].offset;
  walk(r, n, [&](int u, int l, int inner, int step) {
    for (int k = 0; k < inner; ++k) {
      if (l + k * step != state) value[u + k] = 8 * impossible_;
    }
  });
}

void PairwiseRegions::decode(std::span<std::int32_t> assigned) {
  regions_of_.assign(view_.nodes(), {});
  for (int r = 0; r < regions(); ++r) {
    for (int n : scope(r)) regions_of_[n].push_back(r);
  }
  std::vector<double> total;
  for (int n = 0; n < view_.nodes(); ++n) {
    const int size = view_.size(n);
    total.assign(size, 0.0);
    for (int r : regions_of_[n]) {
      const double* value = value_.data() + regions_[r].offset;
      best_.assign(size, 8 * impossible_);
      walk(r, n, [&](int u, int l, int inner, int step) {
        for (int k = 0; k < inner; ++k)
          best_[l + k * step] = std::max(best_[l + k * step], value[u + k]);
      });
      for (int s = 0; s < size; ++s) total[s] += best_[s];
    }
    assigned[n] =
        static_cast<std::int32_t>(std::max_element(total.begin(), total.end()) - total.begin());
    for (int r : regions_of_[n]) take_state(r, n, assigned[n]);
  }
}

}  // namespace entente
