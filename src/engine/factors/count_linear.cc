// maximize for count (by sorting) and linear (exact, by search).
//
// A row lower <= c.z <= upper is met by flipping literals of the unrestricted best z: flip l moves
// the sum by d_l and loses |score_l|. Least loss such that the moves land in [need, most] is a
// knapsack. A depth-first search with the fractional bound settles most; where it has looked at too
// many nodes, whole-number moves go to a dynamic program over the sum, others to halves met in the
// middle (Horowitz and Sahni 1974).
#include <algorithm>

#include "engine/factors/shapes.h"

namespace entente::factors {

CountRange count_range(const FactorView& f) {
  const double n = static_cast<double>(f.links.size());
  const double lo = std::ceil(loose_lower(f)), hi = std::floor(loose_upper(f));
  return {static_cast<int>(std::clamp(lo, 0.0, n + 1)), static_cast<int>(std::clamp(hi, -1.0, n))};
}

bool maximize_count(const FactorView& f, Scores scores, Clamp clamp, Config config,
                    FactorScratch& s) {
  const CountRange range = count_range(f);
  int on = 0;
  for (std::size_t l = 0; l < config.size(); ++l) {
    config[l] = alone(scores[l], clamp_of(clamp, l));
    on += config[l];
  }
  if (range.lo > range.hi) return false;
  const int flips = on < range.lo ? range.lo - on : on > range.hi ? on - range.hi : 0;
  if (flips == 0) return true;
  const std::uint8_t from = on > range.hi;
  auto& order = s.order;
  order.clear();
  for (std::size_t l = 0; l < config.size(); ++l) {
    if (clamp_of(clamp, l) < 0 && config[l] == from) order.push_back(static_cast<std::int32_t>(l));
  }
  if (static_cast<int>(order.size()) < flips) return false;
  // Of equals the lowest index stays on or goes on.
  auto sooner = [&](std::int32_t x, std::int32_t y) {
    if (scores[x] != scores[y]) return from ? scores[x] < scores[y] : scores[x] > scores[y];
    return from ? x > y : x < y;
  };
  std::nth_element(order.begin(), order.begin() + flips - 1, order.end(), sooner);
  for (int i = 0; i < flips; ++i) config[order[i]] ^= 1;
  return true;
}

namespace {

using Item = FactorScratch::Flip;

// Least total loss of a set of items whose moves sum to [need, most], need > 0.
class FlipSearch {
 public:
  // s.up: items with move > 0; s.down: with move < 0; both by loss a unit of move.
  FlipSearch(double need, double most, FactorScratch& s)
      : up_(s.up),
        down_(s.down),
        need_(need),
        most_(most),
        chosen_(s.chosen),
        links_(s.chosen_links) {
    for (const Item& i : up_) up_left_ += i.move;
    for (const Item& i : down_) down_left_ += i.move;
    links_.clear();
  }

  // False if it gave up after `nodes` nodes.
  bool depth_first(long nodes) {
    nodes_ = nodes;
    best_ = kInfinity;
    chosen_.clear();
    walk(0, 0, 0, 0, up_left_, down_left_);
    return nodes_ > 0;
  }
  bool whole_numbers();   // false if the moves are not, or too large
  bool meet_in_middle();  // false if there are too many items

  bool found() const { return best_ < kInfinity; }
  const std::vector<std::int32_t>& links() const { return links_; }

 private:
  const Item& item(std::size_t i) const { return i < up_.size() ? up_[i] : down_[i - up_.size()]; }
  std::size_t size() const { return up_.size() + down_.size(); }
  static double bound(std::span<const Item> items, double gap) {
    double loss = 0;
    for (const Item& i : items) {
      const double move = std::fabs(i.move);
      if (move >= gap) return loss + i.loss * (gap / move);
      gap -= move;
      loss += i.loss;
    }
    return loss;  // only rounding is left of the gap: the caller saw that the items suffice
  }
  void walk(std::size_t u, std::size_t d, double sum, double loss, double up_left,
            double down_left);

  std::span<const Item> up_, down_;
  double need_, most_, up_left_ = 0, down_left_ = 0, best_ = kInfinity;
  long nodes_ = 0;
  std::vector<std::int32_t>&chosen_, &links_;
};

// Below need_ one more upward item must come, above most_ one more downward item: take the next or
// not.
void FlipSearch::walk(std::size_t u, std::size_t d, double sum, double loss, double up_left,
                      double down_left) {
  if (--nodes_ <= 0 || loss >= best_) return;
  if (sum >= need_ && sum <= most_) {
    best_ = loss;
    links_ = chosen_;
    return;
  }
  const bool rise = sum < need_;
  // The sums left are rounded; a hair's breadth of room keeps that from hiding the last way out.
  const double room = 1e-12 * (1 + std::fabs(need_) + std::fabs(sum));
  if (rise ? sum + up_left < need_ - room : sum + down_left > most_ + room) return;
  auto rest = rise ? up_.subspan(u) : down_.subspan(d);
  if (rest.empty()) return;
  if (loss + bound(rest, rise ? need_ - sum : sum - most_) >= best_) return;
  const Item& i = rest.front();
  const double up_after = rise ? up_left - i.move : up_left;
  const double down_after = rise ? down_left : down_left - i.move;
  u += rise;
  d += !rise;
  chosen_.push_back(i.link);
  walk(u, d, sum + i.move, loss + i.loss, up_after, down_after);
  chosen_.pop_back();
  walk(u, d, sum, loss, up_after, down_after);
}

bool FlipSearch::whole_numbers() {
  for (std::size_t i = 0; i < size(); ++i) {
    if (item(i).move != std::nearbyint(item(i).move)) return false;
  }
  const double width = up_left_ - down_left_ + 1;
  if (width * static_cast<double>(size() + 1) > 3e7) return false;
  const auto cells = static_cast<std::ptrdiff_t>(width);
  const auto origin = static_cast<std::ptrdiff_t>(-down_left_);
  std::vector<double> loss(cells, kInfinity);
  std::vector<bool> taken(size() * cells);
  loss[origin] = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const auto move = static_cast<std::ptrdiff_t>(item(i).move);
    for (std::ptrdiff_t n = 0; n < cells - std::abs(move); ++n) {  // targets before sources
      const std::ptrdiff_t to = move > 0 ? cells - 1 - n : n;
      if (loss[to - move] + item(i).loss < loss[to]) {
        loss[to] = loss[to - move] + item(i).loss;
        taken[i * cells + to] = true;
      }
    }
  }
  std::ptrdiff_t at = -1;
  best_ = kInfinity;
  for (std::ptrdiff_t to = 0; to < cells; ++to) {
    const double sum = static_cast<double>(to - origin);
    if (sum >= need_ && sum <= most_ && loss[to] < best_) best_ = loss[at = to];
  }
  links_.clear();
  if (at < 0) return true;
  for (std::size_t i = size(); i-- > 0;) {
    if (!taken[i * cells + at]) continue;
    links_.push_back(item(i).link);
    at -= static_cast<std::ptrdiff_t>(item(i).move);
  }
  return true;
}

bool FlipSearch::meet_in_middle() {
  struct Half {
    double sum, loss;
    std::uint32_t set;
  };
  if (size() > 42) return false;
  const std::size_t split = size() / 2;
  // All subsets of some items by sum: with each item the list is merged with itself, moved.
  auto subsets = [&](std::size_t begin, std::size_t end) {
    std::vector<Half> out{{0, 0, 0}}, moved, merged;
    for (std::size_t i = begin; i < end; ++i) {
      moved = out;
      for (Half& h : moved) {
        h.sum += item(i).move;
        h.loss += item(i).loss;
        h.set |= 1u << (i - begin);
      }
      merged.resize(2 * out.size());
      std::merge(out.begin(), out.end(), moved.begin(), moved.end(), merged.begin(),
                 [](const Half& x, const Half& y) { return x.sum < y.sum; });
      out.swap(merged);
    }
    return out;
  };
  const auto left = subsets(0, split), right = subsets(split, size());
  // As the left sum grows the window of fitting right sums slides down; `least` holds the positions
  // in it that nothing later in the window undercuts.
  std::vector<std::size_t> least(right.size());
  std::size_t head = 0, tail = 0, next = right.size();
  std::uint32_t best_left = 0, best_right = 0;
  best_ = kInfinity;
  for (const Half& l : left) {
    for (; next > 0 && l.sum + right[next - 1].sum >= need_; --next) {
      while (tail > head && right[least[tail - 1]].loss >= right[next - 1].loss) --tail;
      least[tail++] = next - 1;
    }
    while (head < tail && l.sum + right[least[head]].sum > most_) ++head;
    if (head == tail || l.loss + right[least[head]].loss >= best_) continue;
    best_ = l.loss + right[least[head]].loss;
    best_left = l.set;
    best_right = right[least[head]].set;
  }
  links_.clear();
  if (!found()) return true;
  for (std::size_t i = 0; i < size(); ++i) {
    const bool on = i < split ? best_left >> i & 1 : best_right >> (i - split) & 1;
    if (on) links_.push_back(item(i).link);
  }
  return true;
}

}  // namespace

bool maximize_linear(const FactorView& f, Scores scores, Clamp clamp, Config config,
                     FactorScratch& s) {
  const double lower = loose_lower(f), upper = loose_upper(f);
  double sum = 0;
  for (std::size_t l = 0; l < config.size(); ++l) {
    config[l] = alone(scores[l], clamp_of(clamp, l));
    sum += config[l] ? f.values[l] : 0.0;
  }
  if (!(lower <= upper)) return false;
  if (sum >= lower && sum <= upper) return true;
  // Turned such that the moves needed are positive.
  const double sign = sum < lower ? 1 : -1;
  const double need = sum < lower ? lower - sum : sum - upper;
  const double most = sum < lower ? upper - sum : sum - lower;
  s.up.clear();
  s.down.clear();
  for (std::size_t l = 0; l < config.size(); ++l) {
    const double move = sign * (config[l] ? -f.values[l] : f.values[l]);
    if (clamp_of(clamp, l) >= 0 || move == 0) continue;
    const double loss = std::fabs(scores[l]);
    (move > 0 ? s.up : s.down)
        .push_back({move, loss, loss / std::fabs(move), static_cast<std::int32_t>(l)});
  }
  auto cheaper = [](const Item& x, const Item& y) {
    return x.rate != y.rate ? x.rate < y.rate : x.link < y.link;
  };
  std::sort(s.up.begin(), s.up.end(), cheaper);
  std::sort(s.down.begin(), s.down.end(), cheaper);
  FlipSearch search(need, most, s);
  if (!search.depth_first(s.row_nodes) && !search.whole_numbers() && !search.meet_in_middle())
    search.depth_first(std::numeric_limits<long>::max());
  if (!search.found()) return false;
  for (std::int32_t l : search.links()) config[l] ^= 1;
  return true;
}

}  // namespace entente::factors
