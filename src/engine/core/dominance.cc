#include "engine/core/dominance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/walk.h"

namespace entente {

namespace {

constexpr std::uint8_t kBoth = kLockUp | kLockDown;

// Up and down exchange roles under negation.
std::uint8_t flip(std::uint8_t lock, bool negated) {
  return negated ? static_cast<std::uint8_t>(((lock & 1) << 1) | (lock >> 1)) : lock;
}

void lock_links(const FactorView& f, std::uint8_t lock, std::uint8_t* locks) {
  for (Literal l : f.links) locks[l.var()] |= flip(lock, l.negated());
}

void lock_disjoint(const FactorView& f, std::uint8_t* locks) {
  if (f.consecutive && !f.links.empty()) {
    // Bytes may alias anything: without the promise the compiler writes one at a time.
    std::uint8_t* __restrict out = locks + f.links[0].var();
    const Interval* __restrict interval = f.intervals.data();
    const std::size_t count = f.intervals.size();
    for (std::size_t l = 0; l < count; ++l) {
      out[l] |= static_cast<std::uint8_t>(interval[l].begin < interval[l].end);  // kLockUp
    }
    return;
  }
  for (std::size_t l = 0; l < f.links.size(); ++l) {
    if (!f.intervals[l].empty()) locks[f.links[l].var()] |= flip(kLockUp, f.links[l].negated());
  }
}

void lock_linear(const FactorView& f, std::uint8_t* locks) {
  for (std::size_t l = 0; l < f.links.size(); ++l) {
    const double c = f.values[l];
    if (c == 0) continue;
    std::uint8_t lock = 0;
    if (f.upper != kInfinity) lock |= c > 0 ? kLockUp : kLockDown;
    if (f.lower != -kInfinity) lock |= c > 0 ? kLockDown : kLockUp;
    locks[f.links[l].var()] |= flip(lock, f.links[l].negated());
  }
}

// Sets kLockUp where a bit is set, eight bytes or fewer at a time: two tables that meet read what
// the one before wrote in the same pieces.
template <typename Word>
void lock_piece(std::uint64_t bits, std::uint8_t* locks) {
  constexpr std::uint64_t kEach = 0x0101010101010101u;
  constexpr std::uint64_t kOwnBit = 0x8040201008040201u;  // byte i keeps bit i
  const std::uint64_t own = (bits & 0xff) * kEach & kOwnBit;
  const auto up = static_cast<Word>(((own + 0x7f * kEach) | own) >> 7 & kEach);
  Word word;
  std::memcpy(&word, locks, sizeof word);
  word = static_cast<Word>(word | up);
  std::memcpy(locks, &word, sizeof word);
}

void lock_by_bits(std::uint64_t bits, int size, std::uint8_t* locks) {
  for (; size >= 8; size -= 8, bits >>= 8, locks += 8) lock_piece<std::uint64_t>(bits, locks);
  if (size & 4) {
    lock_piece<std::uint32_t>(bits, locks);
    bits >>= 4;
    locks += 4;
  }
  for (int s = 0; s < (size & 3); ++s) locks[s] |= static_cast<std::uint8_t>(bits >> s & 1);
}

// A table between groups that only forbids: a state with a forbidden partner is kept from rising.
// None is kept from falling, as its group then takes another.
void lock_forbidding(const FactorView& f, std::uint8_t* locks) {
  static_assert(kLockUp == 1);
  if (f.links.size() > 64) return lock_links(f, kLockUp, locks);
  const int rows = f.axes[0], columns = f.axes[1];
  lock_by_bits(f.forbidding, rows, locks + f.links[0].var());
  lock_by_bits(f.forbidding >> rows, columns, locks + f.links[rows].var());
}

// Does it keep none from falling, as most do not?
bool locks_upwards(const FactorView& f) {
  return f.shape == Shape::disjoint ? f.consecutive : f.shape == Shape::table && f.only_forbids;
}

void lock_factor(const FactorView& f, std::uint8_t* locks) {
  switch (f.shape) {
    case Shape::at_most_one:
      return lock_links(f, kLockUp, locks);
    case Shape::at_least_one:
      return lock_links(f, kLockDown, locks);
    case Shape::disjoint:
      return lock_disjoint(f, locks);
    case Shape::linear:
      return lock_linear(f, locks);
    case Shape::table:
      return f.only_forbids ? lock_forbidding(f, locks) : lock_links(f, kBoth, locks);
    case Shape::count: {
      std::uint8_t lock = 0;
      if (f.upper < static_cast<double>(f.links.size())) lock |= kLockUp;
      if (f.lower > 0) lock |= kLockDown;
      return lock_links(f, lock, locks);
    }
    default:
      return lock_links(f, kBoth, locks);
  }
}

// True if some variable may be kept from falling.
bool collect_locks(const Graph& g, std::vector<std::uint8_t>& locks) {
  locks.assign(g.variable_count(), 0);
  bool down = false;
  // Groups stand in factor order too, so one cursor skips their exactly_one.
  int group = 0;
  const int groups = static_cast<int>(g.groups().size());
  for (int f = 0; f < g.factor_count(); ++f) {
    if (group < groups && g.group_factor(group) == f) {
      ++group;
      continue;
    }
    const FactorView view = g.factor(f);
    lock_factor(view, locks.data());
    down |= !locks_upwards(view);
  }
  return down;
}

// The best state that may be taken and that nothing keeps from rising, -1 if there is none. Mostly
// there is one, the null state: eight locks are looked at in one step.
int best_unlocked(const double* score, const std::uint8_t* lock, const std::int8_t* value,
                  int size) {
  int best = -1;
  auto look = [&](int s) {
    if (value[s] != 0 && (best < 0 || score[s] > score[best])) best = s;
  };
  int s = 0;
  for (; s + 8 <= size; s += 8) {
    std::uint64_t locks;
    std::memcpy(&locks, lock + s, 8);
    constexpr std::uint64_t kUp = 0x0101010101010101u * kLockUp;
    for (std::uint64_t open = ~locks & kUp; open != 0; open &= open - 1)
      look(s + (std::countr_zero(open) >> 3));
  }
  for (; s < size; ++s) {
    if (!(lock[s] & kLockUp)) look(s);
  }
  return best;
}

// One group: finds the best state that nothing keeps from being raised, drops what it dominates.
// fixed: some of its states may be decided already.
bool drop_in_group(const double* score, const std::uint8_t* lock, std::int8_t* value, int size,
                   bool fixed) {
  int forced = -1, alive = 0;
  for (int s = 0; fixed && s < size; ++s) {
    if (value[s] != 1) continue;
    if (forced >= 0) return false;
    forced = s;
  }
  if (forced >= 0) {
    for (int s = 0; s < size; ++s) value[s] = s == forced ? 1 : 0;
    return true;
  }
  const int best = best_unlocked(score, lock, value, size);
  const double best_score = best < 0 ? -kInfinity : score[best];
  for (int s = 0; s < size; ++s) {  // no branches: which scores are higher is anybody's guess
    const int open = static_cast<int>(!fixed || value[s] != 0) &
                     (static_cast<int>(score[s] > best_score) | ((lock[s] & kLockDown) >> 1));
    value[s] = static_cast<std::int8_t>(-open);
    alive += open;
  }
  if (best >= 0 && value[best] == 0) {
    value[best] = -1;
    ++alive;
  }
  if (alive != 1) return alive > 0;
  int last = 0;
  while (value[last] == 0) ++last;
  value[last] = 1;
  return true;
}

// The first of the largest: the maximum by four, then a look for it. Scores are finite.
int first_largest(const double* score, int size) {
  constexpr int kSmall = 8;  // up to here one after the other, without a branch
  if (size <= kSmall) {
    double most = score[0];
    int at = 0;
    for (int s = 1; s < size; ++s) {
      const int higher = score[s] > most;
      at += (s - at) & -higher;
      most = std::max(most, score[s]);
    }
    return at;
  }
  double top[4] = {score[0], score[0], score[0], score[0]};
  int s = 0;
  for (; s + 4 <= size; s += 4) {
    for (int k = 0; k < 4; ++k) top[k] = std::max(top[k], score[s + k]);
  }
  for (; s < size; ++s) top[0] = std::max(top[0], score[s]);
  const double most = std::max(std::max(top[0], top[1]), std::max(top[2], top[3]));
  int best = 0;
  while (score[best] != most) ++best;
  return best;
}

// The best state of a group that is not fixed to 0, the one fixed to 1 if there is one; -1 if none
// is left.
int best_state(const double* score, std::span<const std::int8_t> fixed, Group group) {
  if (fixed.empty()) return first_largest(score, group.size);
  int best = -1;
  for (int s = 0; s < group.size; ++s) {
    const std::int8_t f = fixed[group.first + s];
    if (f == 1) return s;
    if (f < 0 && (best < 0 || score[s] > score[best])) best = s;
  }
  return best;
}

// The usual case in one look: nothing in the group is kept from falling (`down`: perhaps something
// is), and its best state not from rising.
bool undisputed(int best, const std::uint8_t* lock, int size, bool down) {
  if (lock[best] & kLockUp) return false;
  std::uint8_t any = 0;
  for (int s = 0; down && s < size; ++s) any |= lock[s];
  return (any & kLockDown) == 0;
}

}  // namespace

double local_assignment(const Graph& g, std::vector<std::uint8_t>& z,
                        std::vector<std::int32_t>& on) {
  const double* score = g.scores().data();
  z.assign(g.variable_count(), 0);
  on.clear();
  double total = 0;
  const auto fixed = g.fixed();
  auto decide_free = [&](int v) {
    const bool taken = !fixed.empty() && fixed[v] >= 0 ? fixed[v] == 1 : score[v] > 0;
    if (!taken) return;
    z[v] = 1;
    on.push_back(v);
    total += score[v];
  };
  auto decide_group = [&](Group group) {
    const int best = best_state(score + group.first, fixed, group);
    if (best < 0) return;
    z[group.first + best] = 1;
    on.push_back(group.first + best);
    total += score[group.first + best];
  };
  walk(g, decide_free, decide_group);
  return total;
}

bool drop_dominated(const Graph& g, DominanceScratch& ws, std::vector<std::int8_t>& value) {
  const bool down = collect_locks(g, ws.locks);
  const auto fixed = g.fixed();
  if (fixed.empty()) {
    value.assign(g.variable_count(), 0);  // of groups: most are decided, with one state on
  } else {
    value.assign(fixed.begin(), fixed.end());
  }
  const double* score = g.scores().data();
  const std::uint8_t* lock = ws.locks.data();
  const std::int32_t* on = ws.on.data();  // the next that is on
  bool fine = true;
  auto decide_free = [&](int v) {
    if (fixed.empty()) {
      value[v] = -1;
      on += score[v] > 0;
    }
    if (value[v] >= 0) return;
    if (score[v] <= 0 && !(lock[v] & kLockDown)) {
      value[v] = 0;
    } else if (score[v] >= 0 && !(lock[v] & kLockUp)) {
      value[v] = 1;
    }
  };
  auto decide_group = [&](Group group) {
    if (fixed.empty()) {
      const int best = *on++;
      if (undisputed(best - group.first, lock + group.first, group.size, down)) {
        value[best] = 1;
        return;
      }
      std::fill_n(value.begin() + group.first, group.size, std::int8_t{-1});
    }
    fine &= drop_in_group(score + group.first, lock + group.first, value.data() + group.first,
                          group.size, !fixed.empty());
  };
  walk(g, decide_free, decide_group);
  return fine;
}

void record_dominated(const Graph& g, const DominanceScratch& ws,
                      std::span<const std::int8_t> value, Recorder& record) {
  const auto fixed = g.fixed();
  auto given = [&](int v) { return !fixed.empty() && fixed[v] >= 0; };
  auto record_free = [&](int v) {
    if (value[v] < 0 || given(v)) return;
    record.dominated(2 * v + (value[v] == 1 ? 0 : 1), 2 * v + (value[v] == 1 ? 1 : 0));
  };
  auto record_group = [&](Group group) {
    int best = -1, dropped = 0;
    for (int v = group.first; v < group.first + group.size; ++v) {
      if (given(v) && fixed[v] == 1) return;  // the others go with it
      const bool may_rise = !(ws.locks[v] & kLockUp) && !(given(v) && fixed[v] == 0);
      if (may_rise && (best < 0 || g.scores()[v] > g.scores()[best])) best = v;
      dropped += value[v] == 0 && !given(v);
    }
    if (dropped == 0) return;
    if (dropped == group.size - 1) return record.dominated_all(2 * best);
    for (int v = group.first; v < group.first + group.size; ++v) {
      if (value[v] == 0 && !given(v)) record.dominated(2 * best, 2 * v);
    }
  };
  walk(g, record_free, record_group);
}

}  // namespace entente
