// Prices, and the bounds and strikes that use them.
#include <algorithm>
#include <cmath>

#include "engine/proof/checker.h"

namespace entente {

int ProofChecker::row_of(int factor, int part) const {
  const int cut = Proof::kFirstCut - factor;
  if (factor >= 0 && factor < m_.graph.factor_count() && part >= 0 &&
      part < m_.row_begin[factor + 1] - m_.row_begin[factor])
    return m_.row_begin[factor] + part;
  if (factor <= Proof::kFirstCut && cut < static_cast<int>(cuts_.size())) return cuts_[cut];
  return -1;
}

bool ProofChecker::price() {
  auto p = std::make_unique<ProofPrice>();
  std::int32_t disjoint = 0, counts[4] = {0, 0, 0, 0}, like = 0, a = 0, b = 0;
  if (!next(disjoint)) return false;
  for (auto& c : counts) {
    if (!next(c)) return false;
  }
  if (!next(like)) return false;
  const int factors = m_.graph.factor_count();
  const int line = Proof::kFirstCut - disjoint;
  if (disjoint >= 0 && disjoint < factors && m_.line_of[disjoint] >= 0) {
    p->line = m_.lines[m_.line_of[disjoint]];
  } else if (disjoint <= Proof::kFirstCut && line < static_cast<int>(lines_.size())) {
    p->line = *lines_[line];
  } else if (disjoint != Proof::kNone) {
    return refuse("a price schedules intervals that do not exist");
  }
  auto numbers = [&](std::size_t count, std::span<const double>& out) {
    if (count > proof_.numbers.size() - number_) return refuse("a price has too few numbers");
    out = std::span(proof_.numbers).subspan(number_, count);
    number_ += count;
    return true;
  };
  auto weigh = [&](std::span<const double> list) {
    for (double x : list) p->magnitude += std::abs(x);
  };
  std::span<const double> values;
  for (int i = 0; i < counts[0]; ++i) {
    if (!next(a) || !next(b) || !numbers(1, values)) return false;
    weigh(values);
    const int row = row_of(a, b);
    if (row < 0) return refuse("a price names a row that does not exist");
    p->rows.push_back({row, values[0]});
  }
  for (int i = 0; i < counts[1]; ++i) {
    if (!next(a) || !numbers(1, values)) return false;
    weigh(values);
    if (!m_.is_state(a)) return refuse("a price names a state that does not exist");
    p->nodes.push_back({m_.node[a], values[0]});
  }
  for (int i = 0; i < counts[2]; ++i) {
    if (!next(a) || !next(b)) return false;
    if (a < 0 || a >= factors || b != static_cast<int>(m_.graph.factor(a).links.size()))
      return refuse("shares have another size than their factor");
    if (!p->shared.insert(a).second && m_.graph.factor(a).scored())
      return refuse("a factor's own score counts twice");
    if (!numbers(b, values)) return false;
    weigh(values);
    p->shares.push_back({a, values});
  }
  PairModel* const pairs = counts[3] > 0 ? pair_model() : nullptr;
  std::vector<std::pair<std::int32_t, std::int32_t>> between;
  if (counts[3] > 0 && !pairs) return refuse("a price of pairs without pairs");
  if (pairs) pairs->begin_prices();
  for (int i = 0; i < counts[3]; ++i) {
    if (!next(a) || !next(b)) return false;
    const bool two = a >= 0 && b >= 0 && a < pairs->nodes() && b < pairs->nodes() && a != b;
    if (two ? pairs->gone(a) || pairs->gone(b) : pairs->moved_numbers(a, b) < 0)
      return refuse("a price names a pair that does not exist");
    between.push_back({a, b});
  }
  p->model = pairs_number();
  if (like != Proof::kNone && !add_pairs_of(like, *p)) return false;
  for (const auto& [first, second] : between) {
    const bool two = first < pairs->nodes();
    const std::int64_t count =
        two ? pairs->size(first) + pairs->size(second) : pairs->moved_numbers(first, second);
    if (!numbers(static_cast<std::size_t>(count), values)) return false;
    for (double x : values) {
      if (!std::isfinite(x)) return refuse("a price is no finite number");
    }
    if (two) {
      pairs->give({first, second, values}, *p);
    } else {
      weigh(values);
      p->moves.push_back({first, second, values});
    }
  }
  p->magnitude += p->pair_magnitude;
  given_.push_back(std::move(p));
  return true;
}

// Starts with the pairs of an earlier price.
bool ProofChecker::add_pairs_of(int like, ProofPrice& price) {
  if (like < 0 || like >= static_cast<int>(given_.size()) || given_[like]->model != price.model)
    return refuse("a price is like one that does not exist");
  const ProofPrice& earlier = *given_[like];
  price.pair_of = earlier.pair_of;
  price.pair_magnitude = earlier.pair_magnitude;
  return true;
}

const ProofPrice* ProofChecker::find_price(int index) {
  if (index == Proof::kNone) return &none_;
  if (index < 0 || index >= static_cast<int>(given_.size())) return nullptr;
  return given_[index].get();
}

bool ProofChecker::bound_at(int price, double& b) {
  const ProofPrice* const p = find_price(price);
  if (!p) return refuse("a step names a price that does not exist");
  if (PairModel* const pairs = pair_model()) {
    if ((p->has_pairs() || !p->moves.empty()) && p->model != pairs_number())
      return refuse("a price of other pairs");
    for (const auto& m : p->moves) {
      if (pairs->moved_numbers(m.a, m.b) < 0) return refuse("a price of a region that is gone");
    }
    b = pairs->evaluate(*p);
  } else {
    b = prices_.evaluate(*p);
    if (!prices_.reason().empty()) return refuse(prices_.reason());
    // A bound that every assignment exceeds says that there is none.
    const double least = prices_.least();
    if (std::isfinite(least) && b < least - 1e-6 * (1 + std::abs(least))) b = -kInfinity;
  }
  // Prices that cancel must not hide a score.
  if (!(p->magnitude * 1e-15 <= 1e-7 * std::max(1.0, std::isfinite(b) ? std::abs(b) : 1.0)))
    return refuse("prices are too large to be added up exactly enough");
  return true;
}

bool ProofChecker::strike() {
  std::int32_t price = 0;
  double total = 0;
  if (!next(price) || !states(list_) || !bound_at(price, total)) return false;
  PairModel* const pairs = pair_model();
  for (int s : list_) {
    if (!m_.open[s]) continue;
    if (!pairs && scope_.part[m_.node[s]] != scope_.current)
      return refuse("a state out of scope is struck");
    const double with = pairs ? pairs->with(s) : prices_.with(s);
    frames_.back().bound = std::max(frames_.back().bound, with);
  }
  for (int s : list_) shut(s);
  return true;
}

}  // namespace entente
