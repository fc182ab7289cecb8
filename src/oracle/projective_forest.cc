#include "oracle/projective_forest.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace entente {

namespace {

using Item = ProjectiveChart::Item;
using Kind = ProjectiveChart::Kind;

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kForbidden ? a : a + std::log1p(std::exp(b - a));
}

// Ways that are worse, or later where they are equal, come first: std::push_heap keeps the last.
template <typename Derivation>
bool later(const Derivation& a, const Derivation& b) {
  if (a.value != b.value) return a.value < b.value;
  if (a.way != b.way) return a.way > b.way;
  return a.rank[0] != b.rank[0] ? a.rank[0] > b.rank[0] : a.rank[1] > b.rank[1];
}

// The arc that an item adds to a tree: with a single root the goal's way names it, -1: none.
int arc_of(const ProjectiveChart& chart, const Item& item, const Item* one) {
  if (item.kind == Kind::open) return item.b;
  if (item.kind != Kind::goal || one->kind != Kind::left) return -1;
  return static_cast<std::size_t>(one->a) < chart.parts().arcs.size() ? one->a : -1;
}

}  // namespace

int ProjectiveForest::slot(const Item& item) {
  std::int32_t& at = slots_of_[chart_->place(item)];
  if (at >= 0) return at;
  at = static_cast<std::int32_t>(used_++);
  if (slots_.size() < used_) slots_.resize(used_);
  const int index = at;
  Slot& s = slots_[index];
  s.done.clear();
  s.open.clear();
  s.first_way = static_cast<std::int32_t>(ways_.size());
  const std::span<const double> values = chart_->values();
  chart_->for_each_way(item, [&](double score, const Item* one, const Item* two) {
    Way way{score, {}, 0};
    double value = score;
    for (const Item* x : {one, two}) {
      if (x == nullptr) continue;
      way.items[way.count++] = *x;
      value += values[chart_->place(*x)];
    }
    if (value == kForbidden) return;
    s.open.push_back({value, static_cast<std::int32_t>(ways_.size()), {0, 0}});
    ways_.push_back(way);
  });
  s.ways = static_cast<std::int32_t>(ways_.size()) - s.first_way;
  std::make_heap(s.open.begin(), s.open.end(), later<Derivation>);
  return index;
}

bool ProjectiveForest::value_of(Derivation& d) {
  const Way way = ways_[d.way];
  d.value = way.score;
  for (int i = 0; i < way.count; ++i) {
    if (!derive(way.items[i], d.rank[i])) return false;
    d.value += slots_[slot(way.items[i])].done[d.rank[i]].value;
  }
  return true;
}

bool ProjectiveForest::derive(const Item& item, int rank) {
  const int at = slot(item);
  while (static_cast<int>(slots_[at].done.size()) <= rank) {
    if (!slots_[at].done.empty()) {
      // What follows the last one: one step further on either side, reached in one way only.
      const Derivation last = slots_[at].done.back();
      const int count = ways_[last.way].count;
      for (int i = 0; i < count; ++i) {
        Derivation next = last;
        ++next.rank[i];
        if (value_of(next)) {
          Slot& s = slots_[at];
          s.open.push_back(next);
          std::push_heap(s.open.begin(), s.open.end(), later<Derivation>);
        }
        if (last.rank[i] > 0) break;
      }
    }
    Slot& s = slots_[at];
    if (s.open.empty()) return false;
    std::pop_heap(s.open.begin(), s.open.end(), later<Derivation>);
    s.done.push_back(s.open.back());
    s.open.pop_back();
  }
  return true;
}

void ProjectiveForest::read_tree(const Derivation& top, std::int32_t* heads) {
  const trees::Parts& p = chart_->parts();
  stack_.clear();
  auto visit = [&](const Item& item, const Derivation& d) {
    const Way& way = ways_[d.way];
    const int arc = arc_of(*chart_, item, way.items);
    if (arc >= 0) heads[p.arcs[arc].modifier - 1] = p.arcs[arc].head;
    for (int i = 0; i < way.count; ++i) stack_.emplace_back(way.items[i], d.rank[i]);
  };
  visit(ProjectiveChart::goal(), top);
  while (!stack_.empty()) {
    const auto [item, rank] = stack_.back();
    stack_.pop_back();
    derive(item, rank);
    visit(item, slots_[slot(item)].done[rank]);
  }
}

void ProjectiveForest::k_best(const ProjectiveChart& chart, int k, TreeList& out) {
  chart_ = &chart;
  slots_of_.assign(chart.items(), -1);
  used_ = 0;
  ways_.clear();
  out.words = chart.parts().words;
  out.values.clear();
  out.heads.clear();
  for (int i = 0; i < k && derive(ProjectiveChart::goal(), i); ++i) {
    const Derivation d = slots_[slot(ProjectiveChart::goal())].done[i];
    out.values.push_back(d.value);
    out.heads.resize(out.heads.size() + static_cast<std::size_t>(out.words));
    read_tree(d, out.heads.data() + out.heads.size() - static_cast<std::size_t>(out.words));
  }
}

double ProjectiveForest::marginals(const ProjectiveChart& chart, std::span<double> arcs) {
  chart_ = &chart;
  inside_.assign(chart.items(), kForbidden);
  outside_.assign(chart.items(), kForbidden);
  order_.clear();
  chart.for_each_item([&](const Item& item) { order_.push_back(item); });
  order_.push_back(ProjectiveChart::goal());
  auto part = [&](const Item* x) { return x == nullptr ? 0.0 : inside_[chart.place(*x)]; };
  for (const Item& item : order_) {
    double sum = kForbidden;
    chart.for_each_way(item, [&](double score, const Item* one, const Item* two) {
      sum = log_add(sum, score + part(one) + part(two));
    });
    inside_[chart.place(item)] = sum;
  }
  const double total = inside_.back();
  std::fill(arcs.begin(), arcs.end(), 0.0);
  if (total == kForbidden) return total;
  outside_.back() = 0;
  for (std::size_t i = order_.size(); i-- > 0;) {
    const Item& item = order_[i];
    const double out = outside_[chart.place(item)];
    if (out == kForbidden) continue;
    chart.for_each_way(item, [&](double score, const Item* one, const Item* two) {
      const double a = part(one), b = part(two), way = score + a + b + out;
      if (way == kForbidden) return;
      for (const Item* x : {one, two}) {
        if (x == nullptr) continue;
        double& to = outside_[chart.place(*x)];
        to = log_add(to, way - (x == one ? a : b));
      }
      const int arc = arc_of(chart, item, one);
      if (arc >= 0) arcs[arc] += std::exp(way - total);
    });
  }
  return total;
}

double proven_bound(const ProjectiveChart& chart) {
  const std::span<const double> values = chart.values();
  bool proven = true;
  auto check = [&](const Item& item) {
    const double claimed = values[chart.place(item)];
    chart.for_each_way(item, [&](double score, const Item* one, const Item* two) {
      const double way = score + (one == nullptr ? 0 : values[chart.place(*one)]) +
                         (two == nullptr ? 0 : values[chart.place(*two)]);
      if (way > claimed + 1e-9 * std::max(1.0, std::fabs(way))) proven = false;
    });
  };
  chart.for_each_item(check);
  check(ProjectiveChart::goal());
  return proven ? values.back() : std::numeric_limits<double>::infinity();
}

}  // namespace entente
