#include "oracle/projective.h"

#include "base/check.h"

namespace entente {

using trees::Arc;
using trees::Parts;
using trees::PartScores;

void ProjectiveChart::lay_out() {
  const Parts& p = *parts_;
  const int arcs = static_cast<int>(p.arcs.size());
  root_ = arcs;
  right_.resize(arcs + 1);
  left_.resize(arcs + 1);
  open_.resize(arcs + 1);
  rank_.resize(arcs);
  std::ptrdiff_t at = 0;
  auto reach = [&](int low, int high) {
    const Reach r{at - low, low, high};
    at += high - low + 1;
    return r;
  };
  for (int u = 0; u < arcs; ++u) {
    const auto [g, h] = p.arcs[u];
    right_[u] = reach(h, g > h ? g - 1 : p.words);
    left_[u] = reach(g < h ? g + 1 : 1, h);
  }
  right_[root_] = reach(0, p.words);
  left_[root_] = reach(0, 0);
  const std::ptrdiff_t first_open = at;
  for (int a = 0; a < arcs; ++a) {
    open_[a] = at;
    at += uppers(p.arcs[a].head);
  }
  open_[arcs] = at;
  if (arcs == 0) open_[0] = first_open;
  for (int h = 1; h <= p.words; ++h) {
    for (int x = 0; x < uppers(h); ++x) rank_[upper(h, x)] = x;
  }
  first_pair_ = at;
  items_ = static_cast<std::size_t>(at) + p.siblings.size() + 1;
  values_.assign(items_, kForbidden);
  base_.assign(static_cast<std::size_t>(first_pair_ - first_open), kForbidden);
  ends_.resize(arcs);
  for (int a = 0; a < arcs; ++a) {
    double* base = base_.data() + (open_[a] - first_open);
    ends_[a] = sibling(a, -1);
    if (p.arcs[a].head == 0) base[0] = scores_->arcs[a];
    for (int i = p.first_grandparent[a]; i < p.first_grandparent[a + 1]; ++i) {
      base[rank_[p.grandparents[i].upper]] = scores_->arcs[a] + scores_->grandparents[i];
    }
  }
}

bool ProjectiveChart::reaches(const Item& item) const {
  const Parts& p = *parts_;
  switch (item.kind) {
    case Kind::right:
      return item.b >= right_[item.a].low && item.b <= right_[item.a].high;
    case Kind::left:
      return item.b >= left_[item.a].low && item.b <= left_[item.a].high;
    case Kind::open: {  // an arc may not reach its head's head, nor beyond it
      const int m = p.arcs[item.b].modifier;
      return is_right(item.b) ? m <= right_[item.a].high : m >= left_[item.a].low;
    }
    default:
      return true;
  }
}

std::size_t ProjectiveChart::place(const Item& item) const {
  switch (item.kind) {
    case Kind::right:
      return static_cast<std::size_t>(right_[item.a].base + item.b);
    case Kind::left:
      return static_cast<std::size_t>(left_[item.a].base + item.b);
    case Kind::open:
      return static_cast<std::size_t>(open_[item.b] + rank(item.a));
    case Kind::pair:
      return static_cast<std::size_t>(first_pair_ + parts_->sibling(item.a, item.b));
    default:
      return items_ - 1;
  }
}

// The arc's pairs with the inner ones, then its open items under all uppers at once.
void ProjectiveChart::fill_pairs_and_open(int arc, int begin, int end, int step) {
  const Parts& p = *parts_;
  const int h = p.arcs[arc].head, m = p.arcs[arc].modifier, count = uppers(h);
  const bool right = step > 0;
  double* values = values_.data();
  const double nearest = right ? values[left_[arc].base + h + 1] : values[right_[arc].base + h - 1];
  const int first = p.sibling(-1, arc);  // those with inner ones follow, away from the head
  double* open = values + open_[arc];
  for (int x = 0; x < count; ++x) open[x] = scores_->siblings[first] + nearest;
  int number = first;
  for (int s = begin; s != end; s += step) {
    ++number;
    const int k = p.arcs[s].modifier;
    const double between =
        right ? best_sum(values + right_[s].base + k, values + left_[arc].base + k + 1, m - k)
              : best_sum(values + right_[arc].base + m, values + left_[s].base + m + 1, k - m);
    const double pair = values[first_pair_ + number] = scores_->siblings[number] + between;
    if (pair != kForbidden) raise_by(open, values + open_[s], pair, count);
  }
  const double* base = base_.data() + (open_[arc] - open_[0]);
  for (int x = 0; x < count; ++x) {
    open[x] = reaches({Kind::open, upper(h, x), arc}) ? open[x] + base[x] : kForbidden;
  }
}

void ProjectiveChart::fill_right(int h) {
  const Parts& p = *parts_;
  const int begin = side_begin(h, true), end = side_end(h, true);
  for (int a = begin; a < end; ++a) fill_pairs_and_open(a, begin, a, 1);
  for (int x = 0; x < uppers(h); ++x) {
    const Reach& reach = right_[upper(h, x)];
    double* to = values_.data() + reach.base;
    to[h] = 0;
    for (int a = begin; a < end; ++a) {
      const int m = p.arcs[a].modifier;
      if (m > reach.high) break;
      const double closed = values_[open_[a] + x] + ends_[a];
      if (closed == kForbidden) continue;
      raise_by(to + m, values_.data() + right_[a].base + m, closed, reach.high - m + 1);
    }
  }
}

// All left(u, end) of h, by the modifiers of h from `end` on.
void ProjectiveChart::fill_left(int h, int end) {
  const Parts& p = *parts_;
  const int count = uppers(h), begin = side_begin(h, false), stop = side_end(h, false);
  work_.assign(count, h == end ? 0.0 : kForbidden);
  for (int a = stop - 1; a >= begin && p.arcs[a].modifier >= end; --a) {
    const double rest = values_[left_[a].base + end];
    if (rest != kForbidden) raise_by(work_.data(), &values_[open_[a]], rest + ends_[a], count);
  }
  for (int x = 0; x < count; ++x) {
    const Reach& reach = left_[upper(h, x)];
    if (reach.low <= end) values_[reach.base + end] = work_[x];
  }
}

double ProjectiveChart::fill(const Parts& parts, const PartScores& scores, bool single_root) {
  ENTENTE_CHECK(parts.words == 0 || !parts.siblings.empty());  // second order
  parts_ = &parts;
  scores_ = &scores;
  single_root_ = single_root;
  lay_out();
  next_.resize(parts.words + 1);
  for (int j = 0; j <= parts.words; ++j) next_[j] = side_end(j, false) - 1;
  for (int i = parts.words; i >= (single_root ? 1 : 0); --i) {
    fill_right(i);
    if (i == 0) break;
    for (int j = i; j <= parts.words; ++j) {
      // Arcs are by modifier and i only falls: j -> i is the next of j's, or not there.
      const int a = next_[j];
      if (a >= side_begin(j, false) && parts.arcs[a].modifier == i) {
        fill_pairs_and_open(a, side_end(j, false) - 1, a, -1);
        --next_[j];
      }
      fill_left(j, i);
    }
  }
  double best = kForbidden;
  for_each_way(goal(), [&](double score, const Item* one, const Item* two) {
    const double value = score + values_[place(*one)] + (two == nullptr ? 0 : values_[place(*two)]);
    best = std::max(best, value);
  });
  return values_[items_ - 1] = best;
}

void ProjectiveChart::best_tree(std::span<std::int32_t> heads) {
  stack_.assign(1, goal());
  while (!stack_.empty()) {
    const Item item = stack_.back();
    stack_.pop_back();
    double best = kForbidden;
    Item chosen[2];
    int count = 0;
    for_each_way(item, [&](double score, const Item* one, const Item* two) {
      const double value = score + (one == nullptr ? 0 : values_[place(*one)]) +
                           (two == nullptr ? 0 : values_[place(*two)]);
      if (!(value > best)) return;
      best = value;
      count = (one != nullptr) + (two != nullptr);
      if (one != nullptr) chosen[0] = *one;
      if (two != nullptr) chosen[1] = *two;
    });
    if (item.kind == Kind::open) {
      heads[parts_->arcs[item.b].modifier - 1] = parts_->arcs[item.b].head;
    } else if (item.kind == Kind::goal && single_root_) {
      heads[parts_->arcs[chosen[0].a].modifier - 1] = 0;
    }
    for (int k = 0; k < count; ++k) stack_.push_back(chosen[k]);
  }
}

}  // namespace entente
