// Disjoint intervals: weighted interval scheduling over the ends that occur.
//
// Ends are renamed 0, 1, 2, ... in order (directly where they lie close together, by sorting where
// they are far apart), so that the work is O(k) or O(k log k) and never depends on how far apart
// they lie.
#include <algorithm>
#include <bit>

#include "engine/factors/shapes.h"

namespace entente::factors {

namespace {

// The intervals of some links with renamed ends. Lives in s.disjoint.links (links), s.disjoint.ends (begins and ends).
struct Renamed {
  int count = 0, places = 0;
  std::int32_t* link = nullptr;
  std::int32_t* begin = nullptr;
  std::int32_t* end = nullptr;
};

// s.disjoint.links holds the links, none of them with an empty interval.
Renamed rename(const FactorView& f, FactorScratch& s) {
  Renamed r;
  r.count = static_cast<int>(s.disjoint.links.size());
  s.disjoint.ends.resize(2 * s.disjoint.links.size());
  r.link = s.disjoint.links.data();
  r.begin = s.disjoint.ends.data();
  r.end = s.disjoint.ends.data() + r.count;
  if (r.count == 0) {
    r.places = 1;
    return r;
  }
  std::int64_t low = f.intervals[r.link[0]].begin, high = low;
  for (int x = 0; x < r.count; ++x) {
    r.begin[x] = f.intervals[r.link[x]].begin;
    r.end[x] = f.intervals[r.link[x]].end;
    low = std::min<std::int64_t>(low, r.begin[x]);
    high = std::max<std::int64_t>(high, r.end[x]);
  }
  if (high - low <= 8 * static_cast<std::int64_t>(r.count) + 64) {
    r.places = static_cast<int>(high - low) + 1;
    for (auto& x : s.disjoint.ends) x = static_cast<std::int32_t>(x - low);
    return r;
  }
  s.disjoint.at_place.assign(s.disjoint.ends.begin(), s.disjoint.ends.end());
  std::sort(s.disjoint.at_place.begin(), s.disjoint.at_place.end());
  s.disjoint.at_place.erase(std::unique(s.disjoint.at_place.begin(), s.disjoint.at_place.end()),
                            s.disjoint.at_place.end());
  r.places = static_cast<int>(s.disjoint.at_place.size());
  for (auto& x : s.disjoint.ends) {
    x = static_cast<std::int32_t>(
        std::lower_bound(s.disjoint.at_place.begin(), s.disjoint.at_place.end(), x) -
        s.disjoint.at_place.begin());
  }
  return r;
}

// Removes the intervals that overlap one clamped to 1 (s.disjoint.marked[x] tells which those are). False if two
// of those overlap.
bool remove_blocked(Renamed& r, FactorScratch& s) {
  s.disjoint.at_place.assign(r.places + 1, 0);
  for (int x = 0; x < r.count; ++x) {
    if (!s.disjoint.marked[x]) continue;
    ++s.disjoint.at_place[r.begin[x]];
    --s.disjoint.at_place[r.end[x]];
  }
  int cover = 0,
      covered = 0;  // s.disjoint.at_place[p] becomes the number of covered steps before place p
  for (int p = 0; p < r.places; ++p) {
    cover += s.disjoint.at_place[p];
    s.disjoint.at_place[p] = covered;
    if (cover > 1) return false;
    covered += cover;
  }
  int kept = 0;
  for (int x = 0; x < r.count; ++x) {
    if (!s.disjoint.marked[x] && s.disjoint.at_place[r.end[x]] > s.disjoint.at_place[r.begin[x]])
      continue;
    r.link[kept] = r.link[x];
    r.begin[kept] = r.begin[x];
    r.end[kept] = r.end[x];
    s.disjoint.marked[kept++] = s.disjoint.marked[x];
  }
  r.count = kept;
  return true;
}

// heads[p]: the first interval whose end (or begin) is place p; next[x]: the one after x, in order
// of index.
void make_lists(int count, int places, const std::int32_t* place, std::vector<std::int32_t>& heads,
                std::vector<std::int32_t>& next) {
  heads.assign(places, -1);
  next.resize(count);
  for (int x = count; x-- > 0;) {
    next[x] = heads[place[x]];
    heads[place[x]] = x;
  }
}

}  // namespace

bool allowed_disjoint(const FactorView& f, std::span<const std::uint8_t> config) {
  // Few are chosen at once, and there is no memory to sort in: each against those chosen before it.
  constexpr int kKept = 64;
  Interval kept[kKept];
  int chosen = 0;
  for (std::size_t x = 0; x < config.size(); ++x) {
    if (!config[x] || f.intervals[x].empty()) continue;
    for (int y = 0; y < std::min(chosen, kKept); ++y) {
      if (f.intervals[x].overlaps(kept[y])) return false;
    }
    if (chosen < kKept) {
      kept[chosen++] = f.intervals[x];
      continue;
    }
    for (std::size_t y = 0; y < x; ++y) {
      if (config[y] && f.intervals[x].overlaps(f.intervals[y])) return false;
    }
  }
  return true;
}

bool maximize_disjoint(const FactorView& f, Scores scores, Clamp clamp, Config config,
                       FactorScratch& s) {
  s.disjoint.links.clear();
  s.disjoint.marked.clear();
  bool forced = false;
  for (std::size_t l = 0; l < config.size(); ++l) {
    const int value = clamp_of(clamp, l);
    config[l] = alone(scores[l], value);
    if (!config[l] || f.intervals[l].empty()) continue;
    config[l] = 0;
    s.disjoint.links.push_back(static_cast<std::int32_t>(l));
    s.disjoint.marked.push_back(value == 1);
    forced |= value == 1;
  }
  Renamed r = rename(f, s);
  if (forced) {
    if (!remove_blocked(r, s)) return false;
  }
  make_lists(r.count, r.places, r.end, s.disjoint.at_place, s.disjoint.next);
  s.disjoint.before.resize(r.places);  // the best total up to each place
  s.disjoint.before[0] = 0;
  // A forced interval has nothing that overlaps it left: it is worth taking at any score.
  for (int p = 1; p < r.places; ++p) {
    double best = s.disjoint.before[p - 1];
    int taken = -1;
    bool must = false;
    for (int x = s.disjoint.at_place[p]; x >= 0; x = s.disjoint.next[x]) {
      const double total = s.disjoint.before[r.begin[x]] + scores[r.link[x]];
      must = s.disjoint.marked[x] != 0;
      if (must || total > best) {
        best = total;
        taken = x;
      }
      if (must) break;
    }
    s.disjoint.before[p] = best;
    s.disjoint.at_place[p] = taken;
  }
  for (int p = r.places - 1; p > 0;) {
    const int x = s.disjoint.at_place[p];
    if (x < 0) {
      --p;
      continue;
    }
    config[r.link[x]] = 1;
    p = r.begin[x];
  }
  return true;
}

namespace {

// Largest of the values spread over ranges of queries: a range is two overlapping blocks of a power
// of two, and at the end each block hands its value to its two halves.
class RangeMax {
 public:
  RangeMax(int size, std::vector<double>& blocks) : size_(size), blocks_(blocks) {
    levels_ = std::bit_width(static_cast<unsigned>(size));
    blocks_.assign(static_cast<std::size_t>(levels_) * size, -kInfinity);
  }
  void spread(int begin, int end, double value) {
    if (begin >= end) return;
    const int level = std::bit_width(static_cast<unsigned>(end - begin)) - 1;
    raise(level, begin, value);
    raise(level, end - (1 << level), value);
  }
  void settle() {
    for (int level = levels_ - 1; level > 0; --level) {
      for (int x = 0; x + (1 << level) <= size_; ++x) {
        const double value = blocks_[static_cast<std::size_t>(level) * size_ + x];
        raise(level - 1, x, value);
        raise(level - 1, x + (1 << (level - 1)), value);
      }
    }
  }
  double operator[](int x) const { return blocks_[x]; }

 private:
  void raise(int level, int x, double value) {
    double& block = blocks_[static_cast<std::size_t>(level) * size_ + x];
    block = std::max(block, value);
  }
  int size_, levels_;
  std::vector<double>& blocks_;
};

// s.disjoint.before: the best total before each place; s.disjoint.after: after it.
void best_before_and_after(const Renamed& r, Scores scores, FactorScratch& s) {
  s.disjoint.before.assign(r.places, 0.0);
  s.disjoint.after.assign(r.places, 0.0);
  make_lists(r.count, r.places, r.end, s.disjoint.at_place, s.disjoint.next);
  for (int p = 1; p < r.places; ++p) {
    s.disjoint.before[p] = s.disjoint.before[p - 1];
    for (int x = s.disjoint.at_place[p]; x >= 0; x = s.disjoint.next[x]) {
      s.disjoint.before[p] =
          std::max(s.disjoint.before[p], s.disjoint.before[r.begin[x]] + scores[r.link[x]]);
    }
  }
  make_lists(r.count, r.places, r.begin, s.disjoint.at_place, s.disjoint.next);
  for (int p = r.places - 2; p >= 0; --p) {
    s.disjoint.after[p] = s.disjoint.after[p + 1];
    for (int x = s.disjoint.at_place[p]; x >= 0; x = s.disjoint.next[x]) {
      s.disjoint.after[p] =
          std::max(s.disjoint.after[p], s.disjoint.after[r.end[x]] + scores[r.link[x]]);
    }
  }
}

// Marks the intervals of one best path in s.disjoint.marked and writes to s.disjoint.at_place how many of them begin before each
// place.
int mark_best_path(const Renamed& r, Scores scores, FactorScratch& s) {
  make_lists(r.count, r.places, r.end, s.disjoint.at_place, s.disjoint.next);
  s.disjoint.marked.assign(r.count, 0);
  int marked = 0;
  for (int p = r.places - 1; p > 0;) {
    if (s.disjoint.before[p] == s.disjoint.before[p - 1]) {
      --p;
      continue;
    }
    int x = s.disjoint.at_place[p];
    while (s.disjoint.before[r.begin[x]] + scores[r.link[x]] != s.disjoint.before[p])
      x = s.disjoint.next[x];
    s.disjoint.marked[x] = 1;
    ++marked;
    p = r.begin[x];
  }
  s.disjoint.at_place.assign(r.places + 1, 0);
  for (int x = 0; x < r.count; ++x) s.disjoint.at_place[r.begin[x] + 1] += s.disjoint.marked[x];
  for (int p = 0; p < r.places; ++p) s.disjoint.at_place[p + 1] += s.disjoint.at_place[p];
  return marked;
}

// A choice is a path from the first place to the last, each step an interval or one place on. Every
// path crosses the gap after an interval's begin in one step, so the best path without the interval
// is the best that crosses that gap otherwise. Only intervals of one best path need this; they are
// disjoint, so each other interval concerns a range of them.
void marginals_of_choosable(const Renamed& r, Scores scores, double base, std::span<double> zero,
                            std::span<double> one, FactorScratch& s) {
  RangeMax crossing(mark_best_path(r, scores, s), s.disjoint.crossing);
  for (int x = 0; x < r.count; ++x) {
    const int from = r.begin[x], to = r.end[x];
    const double through = s.disjoint.before[from] + scores[r.link[x]] + s.disjoint.after[to];
    one[r.link[x]] = base + through;
    if (s.disjoint.marked[x])
      crossing.spread(s.disjoint.at_place[from], s.disjoint.at_place[from] + 1,
                      s.disjoint.before[from] + s.disjoint.after[from + 1]);
    else
      crossing.spread(s.disjoint.at_place[from], s.disjoint.at_place[to], through);
  }
  crossing.settle();
  for (int x = 0; x < r.count; ++x) {
    if (s.disjoint.marked[x]) zero[r.link[x]] = base + crossing[s.disjoint.at_place[r.begin[x]]];
  }
}

}  // namespace

void marginals_disjoint(const FactorView& f, Scores scores, Clamp clamp, std::span<double> zero,
                        std::span<double> one, FactorScratch& s) {
  std::fill(zero.begin(), zero.end(), -kInfinity);
  std::fill(one.begin(), one.end(), -kInfinity);
  s.disjoint.links.clear();
  s.disjoint.marked.clear();
  double base = 0;  // what lies outside the scheduling: empty intervals, forced ones
  for (std::size_t l = 0; l < scores.size(); ++l) {
    const int forced = clamp_of(clamp, l);
    if (f.intervals[l].empty() || forced == 1) base += alone(scores[l], forced) ? scores[l] : 0.0;
    if (f.intervals[l].empty() || forced == 0) continue;
    s.disjoint.links.push_back(static_cast<std::int32_t>(l));
    s.disjoint.marked.push_back(forced == 1);
  }
  Renamed r = rename(f, s);
  if (!remove_blocked(r, s)) return;
  int kept = 0;  // from here on only free intervals that can be chosen
  for (int x = 0; x < r.count; ++x) {
    if (s.disjoint.marked[x]) continue;
    r.link[kept] = r.link[x];
    r.begin[kept] = r.begin[x];
    r.end[kept++] = r.end[x];
  }
  r.count = kept;
  best_before_and_after(r, scores, s);
  const double best = s.disjoint.before[r.places - 1];
  for (std::size_t l = 0; l < scores.size(); ++l) {
    const int forced = clamp_of(clamp, l);
    const double rest =
        best + base - (f.intervals[l].empty() && alone(scores[l], forced) ? scores[l] : 0.0);
    if (forced != 1) zero[l] = rest;
    if (forced == 1)
      one[l] = best + base;
    else if (forced < 0 && f.intervals[l].empty())
      one[l] = rest + scores[l];
  }
  marginals_of_choosable(r, scores, base, zero, one, s);
}

}  // namespace entente::factors
