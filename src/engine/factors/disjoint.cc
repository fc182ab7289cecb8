// Disjoint intervals: weighted interval scheduling over the ends that occur.
//
// Ends are renamed 0, 1, 2, ... in order (directly where they lie close together, by sorting where
// they are far apart), so that the work is O(k) or O(k log k) and never depends on how far apart
// they lie.
#include <algorithm>

#include "engine/factors/shapes.h"

namespace entente::factors {

namespace {

// The intervals of some links with renamed ends. Lives in s.i (links), s.j (begins and ends).
struct Renamed {
  int count = 0, places = 0;
  std::int32_t* link = nullptr;
  std::int32_t* begin = nullptr;
  std::int32_t* end = nullptr;
};

// s.i holds the links, none of them with an empty interval.
Renamed rename(const FactorView& f, FactorScratch& s) {
  Renamed r;
  r.count = static_cast<int>(s.i.size());
  s.j.resize(2 * s.i.size());
  r.link = s.i.data();
  r.begin = s.j.data();
  r.end = s.j.data() + r.count;
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
    for (auto& x : s.j) x = static_cast<std::int32_t>(x - low);
    return r;
  }
  s.k.assign(s.j.begin(), s.j.end());
  std::sort(s.k.begin(), s.k.end());
  s.k.erase(std::unique(s.k.begin(), s.k.end()), s.k.end());
  r.places = static_cast<int>(s.k.size());
  for (auto& x : s.j) {
    x = static_cast<std::int32_t>(std::lower_bound(s.k.begin(), s.k.end(), x) - s.k.begin());
  }
  return r;
}

// Removes the intervals that overlap one clamped to 1 (s.m[x] tells which those are). False if two
// of those overlap.
bool remove_blocked(Renamed& r, FactorScratch& s) {
  s.k.assign(r.places + 1, 0);
  for (int x = 0; x < r.count; ++x) {
    if (!s.m[x]) continue;
    ++s.k[r.begin[x]];
    --s.k[r.end[x]];
  }
  int cover = 0, covered = 0;  // s.k[p] becomes the number of covered steps before place p
  for (int p = 0; p < r.places; ++p) {
    cover += s.k[p];
    s.k[p] = covered;
    if (cover > 1) return false;
    covered += cover;
  }
  int kept = 0;
  for (int x = 0; x < r.count; ++x) {
    if (!s.m[x] && s.k[r.end[x]] > s.k[r.begin[x]]) continue;
    r.link[kept] = r.link[x];
    r.begin[kept] = r.begin[x];
    r.end[kept] = r.end[x];
    s.m[kept++] = s.m[x];
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
  s.i.clear();
  s.m.clear();
  bool forced = false;
  for (std::size_t l = 0; l < config.size(); ++l) {
    const int value = clamp_of(clamp, l);
    config[l] = alone(scores[l], value);
    if (!config[l] || f.intervals[l].empty()) continue;
    config[l] = 0;
    s.i.push_back(static_cast<std::int32_t>(l));
    s.m.push_back(value == 1);
    forced |= value == 1;
  }
  Renamed r = rename(f, s);
  if (forced) {
    if (!remove_blocked(r, s)) return false;
  }
  make_lists(r.count, r.places, r.end, s.k, s.q);
  s.a.resize(r.places);  // the best total up to each place
  s.a[0] = 0;
  // A forced interval has nothing that overlaps it left: it is worth taking at any score.
  for (int p = 1; p < r.places; ++p) {
    double best = s.a[p - 1];
    int taken = -1;
    bool must = false;
    for (int x = s.k[p]; x >= 0; x = s.q[x]) {
      const double total = s.a[r.begin[x]] + scores[r.link[x]];
      must = s.m[x] != 0;
      if (must || total > best) {
        best = total;
        taken = x;
      }
      if (must) break;
    }
    s.a[p] = best;
    s.k[p] = taken;
  }
  for (int p = r.places - 1; p > 0;) {
    const int x = s.k[p];
    if (x < 0) {
      --p;
      continue;
    }
    config[r.link[x]] = 1;
    p = r.begin[x];
  }
  return true;
}

}  // namespace entente::factors
