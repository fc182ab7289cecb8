#include "entente/agreement.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/byte_scan.h"
#include "base/check.h"
#include "engine/shared_indicators.h"

namespace entente {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();
// What a fixed indicator is worth: more than any score, little enough to keep its digits.
constexpr double kForce = 1e6;

}  // namespace

// Some indicators fixed (-1: free), and the prices to start with.
struct Agreement::Part {
  std::vector<std::int8_t> fixed;
  std::vector<std::pair<std::int32_t, bool>> path;  // the same, in order
  std::vector<double> prices;
  double bound = std::numeric_limits<double>::infinity();
  int branch = -1;  // the indicator to fix next
};

Agreement::Agreement(AgreementModel& first, AgreementModel& second)
    : first_(&first), second_(&second) {
  ENTENTE_CHECK(first.size() == second.size());
}

// The model's best value under sign * prices, of which those of moved_ have changed since it was asked
// last. Fixed indicators pull with kForce; the value is without the pull, -infinity if the model
// cannot follow it.
double Agreement::ask(AgreementModel& model, double sign, const Part& part,
                      std::vector<double>& prices, std::vector<std::uint8_t>& on, bool again) {
  const auto price = [&](std::size_t i) {
    const std::int8_t fixed = part.fixed.empty() ? std::int8_t{-1} : part.fixed[i];
    return sign * prices_[i] + (fixed < 0 ? 0 : fixed == 1 ? kForce : -kForce);
  };
  double value = 0;
  if (again) {
    for (const std::int32_t i : moved_) prices[i] = price(i);
    value = model.maximize_again(prices, moved_, on);
  } else {
    prices.resize(prices_.size());
    for (std::size_t i = 0; i < prices_.size(); ++i) prices[i] = price(i);
    value = model.maximize(prices, on);
  }
  if (value == kNone) return kNone;
  double pull = 0;
  for (std::size_t i = 0; i < part.fixed.size(); ++i) {
    if (part.fixed[i] >= 0 && part.fixed[i] != on[i]) return kNone;
    if (part.fixed[i] == 1) pull += kForce;
  }
  return value - pull;
}

void Agreement::offer(std::span<const std::uint8_t> on, double value, AgreementResult& best) const {
  if (value == kNone || (!best.on.empty() && value <= best.value)) return;
  best.value = value;
  best.on.assign(on.begin(), on.end());
}

double Agreement::step_size(const AgreementOptions& o, int round, int rises, double dual,
                            double primal, int different) const {
  switch (o.rule) {
    case StepRule::kConstant:
      return o.rate;
    case StepRule::kHarmonic:
      return o.rate / round;
    case StepRule::kRoot:
      return o.rate / std::sqrt(round);
    case StepRule::kPolyak:
      if (primal != kNone) return o.rate * (dual - primal) / different;
      [[fallthrough]];
    case StepRule::kRises:
      return o.rate / (1 + rises);
  }
  return o.rate;
}

void Agreement::solve_part(Part& part, const AgreementOptions& options, AgreementResult& best) {
  const int n = first_->size();
  prices_ = part.prices;
  std::vector<double> minus(n);  // what the second side pays, -u
  std::transform(prices_.begin(), prices_.end(), minus.begin(), std::negate<>());
  y_.assign(n, 0);
  z_.assign(n, 0);
  std::vector<std::int32_t> votes(n, 0);  // over all rounds
  int rises = 0, rounds = 0;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 1; k <= options.max_rounds; ++k) {
    if (options.stop && options.stop()) break;
    const double f = ask(*first_, 1, part, first_prices_, y_, k > 1);
    const double g = f == kNone ? kNone : ask(*second_, -1, part, second_prices_, z_, k > 1);
    ++best.rounds;
    ++rounds;
    if (f == kNone || g == kNone) {  // no structure with what is fixed
      part.bound = kNone;
      return;
    }
    const double dual = f + g;
    if (dual > last) ++rises;
    last = dual;
    if (dual < part.bound) {
      part.bound = dual;
      part.prices = prices_;
    }
    // Of very many indicators few are on, and fewer differ: nothing else is gone through one by one.
    double priced_y = 0, priced_z = 0;
    for_each_set(y_, [&](int i) { priced_y += prices_[i]; });
    for_each_set(z_, [&](int i) { priced_z += prices_[i]; });
    for (int i = 0; i < n; ++i) votes[i] += y_[i] + z_[i];
    moved_.clear();
    for_each_difference(y_, z_,
                        [&](std::size_t i) { moved_.push_back(static_cast<std::int32_t>(i)); });
    const int different = static_cast<int>(moved_.size());
    if (different == 0) best.agreed |= part.fixed.empty();
    const double primal = different == 0 ? dual : complete(f - priced_y, g + priced_z, best);
    offer(y_, primal, best);
    const double best_primal = best.on.empty() ? kNone : best.value;
    const double step =
        different == 0 ? 0 : step_size(options, k, rises, dual, best_primal, different);
    if (options.trace) {
      options.trace({k, dual, part.bound, primal, best_primal, step, different, prices_, y_, z_});
    }
    if (different == 0 || part.bound <= best_primal + options.tolerance) break;
    // u <- u - a (y - z), and -u the other way
    const SharedIndicators<2> both{
        {prices_.data(), minus.data()}, {y_.data(), z_.data()}, {nullptr, nullptr}, n};
    for (const std::int32_t i : moved_) both.move_one(i, 1, 2 * step);
  }
  if (rounds == 0) return;
  // The indicator nearest to one half on average tells the alternating solutions apart best.
  std::vector<double> average(n);
  double nearest = 0.5;
  for (int i = 0; i < n; ++i) {
    average[i] = 0.5 * votes[i] / rounds;
    const double distance = std::abs(average[i] - 0.5);
    if ((part.fixed.empty() || part.fixed[i] < 0) && distance < nearest) {
      nearest = distance;
      part.branch = i;
    }
  }
  if (best.average.empty()) best.average = std::move(average);
}

namespace {

// One split goes on the other way where the first two paths differ.
bool on_first(const AgreementLeaf& a, const AgreementLeaf& b) {
  return std::lexicographical_compare(
      a.fixed.begin(), a.fixed.end(), b.fixed.begin(), b.fixed.end(),
      [](const auto& x, const auto& y) { return x.second > y.second; });
}

}  // namespace

// The value of the first side's answer with the best of the second's that has the same indicators on.
// The second's own, completed by the first, is offered. f, g: what both are worth without prices.
double Agreement::complete(double f, double g, AgreementResult& best) {
  const double other = second_->score(y_), own = first_->score(z_);
  if (own != kNone) offer(z_, own + g, best);
  return other == kNone ? kNone : f + other;
}

AgreementResult Agreement::run(const AgreementOptions& options) {
  AgreementResult best;
  const int n = first_->size();
  std::vector<Part> open(1);
  open[0].prices.assign(n, 0.0);
  if (static_cast<int>(start_.size()) == n) open[0].prices = start_;
  first_prices_.assign(n, 0.0);
  second_prices_.assign(n, 0.0);
  solve_part(open[0], options, best);
  best.prices = open[0].prices;
  AgreementOptions inner = options;
  inner.trace = nullptr;
  double closed = kNone;  // the largest bound of parts that could not be split further
  const auto done = [&](const Part& p) {
    return p.bound == kNone || (!best.on.empty() && p.bound <= best.value + options.tolerance);
  };
  const auto keep = [&](Part& p) {
    if (options.keep_parts) best.leaves.push_back({std::move(p.path), std::move(p.prices), p.bound});
  };
  while (!open.empty()) {
    const auto top = std::max_element(
        open.begin(), open.end(), [](const Part& a, const Part& b) { return a.bound < b.bound; });
    if (done(*top) || best.parts >= options.branches || (options.stop && options.stop())) {
      break;
    }
    Part parent = std::move(*top);
    open.erase(top);
    if (parent.branch < 0) {
      closed = std::max(closed, parent.bound);
      keep(parent);
      continue;
    }
    for (const std::int8_t side : {std::int8_t{1}, std::int8_t{0}}) {
      Part child;
      child.fixed = parent.fixed;
      child.fixed.resize(n, -1);
      child.fixed[parent.branch] = side;
      child.path = parent.path;
      child.path.push_back({parent.branch, side == 1});
      child.prices = parent.prices;
      solve_part(child, inner, best);
      child.bound = std::min(child.bound, parent.bound);
      ++best.parts;
      if (done(child)) {
        keep(child);
      } else {
        open.push_back(std::move(child));
      }
    }
  }
  best.bound = std::max(closed, best.on.empty() ? kNone : best.value);
  for (Part& p : open) {
    best.bound = std::max(best.bound, p.bound);
    keep(p);
  }
  std::sort(best.leaves.begin(), best.leaves.end(), on_first);
  if (best.bound == kNone) {
    best.status = Status::infeasible;
  } else if (best.on.empty()) {
    best.status = Status::unknown;
  } else {
    best.status = best.bound <= best.value + options.tolerance ? Status::optimal : Status::feasible;
  }
  return best;
}

double agreement_bound(AgreementModel& first, AgreementModel& second,
                       std::span<const double> prices) {
  std::vector<std::uint8_t> on(prices.size());
  std::vector<double> negative(prices.begin(), prices.end());
  for (double& x : negative) x = -x;
  return first.maximize(prices, on) + second.maximize(negative, on);
}

double ListModel::maximize(std::span<const double> prices, std::span<std::uint8_t> on) {
  double best = kNone;
  last_ = -1;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    double value = scores_[k];
    for (std::size_t i = 0; i < rows_[k].size(); ++i) value += prices[i] * rows_[k][i];
    if (value > best) {
      best = value;
      last_ = static_cast<int>(k);
    }
  }
  if (last_ >= 0) std::copy(rows_[last_].begin(), rows_[last_].end(), on.begin());
  return best;
}

double ListModel::score(std::span<const std::uint8_t> on) {
  double best = kNone;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (std::equal(rows_[k].begin(), rows_[k].end(), on.begin())) best = std::max(best, scores_[k]);
  }
  return best;
}

void ListModel::add_pair(int a, int b) {
  for (auto& row : rows_) row.push_back(row[a] & row[b]);
}

}  // namespace entente
