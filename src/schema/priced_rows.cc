#include "schema/priced_rows.h"

#include <algorithm>
#include <cmath>

#include "schema/quick_answer.h"

namespace entente::schema {

namespace {

constexpr int kMostQuestions = 300, kIdle = 12;
constexpr double kFirstStep = 0.5;  // of prices: weights are log-odds, a few units large

}  // namespace

PricedRows::PricedRows(Model& model, LazySolver& lazy, const Options& options, Workspace& workspace)
    : model_(model),
      lazy_(lazy),
      options_(options),
      workspace_(workspace),
      start_(std::chrono::steady_clock::now()),
      scores_(model.graph().scores().begin(), model.graph().scores().end()) {
  for (const Model::WideRow& row : model.wide_rows())
    most_.push_back(std::min(row.upper, static_cast<int>(row.literals.size())));
  count_.resize(most_.size());
  gradient_.resize(most_.size());
  best_.value = -kInfinity;
}

bool PricedRows::out_of_time() const {
  const double spent =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return spent > options_.time_limit || (options_.stop && options_.stop->load());
}

bool PricedRows::closed() const {
  return best_.value != -kInfinity &&
         bound_ - best_.value <= options_.tolerance * std::max(1.0, std::fabs(best_.value));
}

int PricedRows::excess(std::size_t row) const {
  if (count_[row] > most_[row]) return count_[row] - most_[row];
  return std::min(0, count_[row] - model_.wide_rows()[row].lower);
}

// The best of the rest at these prices, and the bound that it gives.
bool PricedRows::ask(const std::vector<double>& prices) {
  Graph& g = model_.graph();
  const auto& rows = model_.wide_rows();
  for (std::size_t v = 0; v < scores_.size(); ++v)
    g.set_score(Var{static_cast<int>(v)}, scores_[v]);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (Literal l : rows[j].literals) g.set_score(Var{l.var()}, g.score(Var{l.var()}) - prices[j]);
  }
  Options left = options_;
  // Prices far off can make a hard problem of an easy one: no question may take all the time.
  const double spent =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  left.time_limit = std::min(options_.time_limit - spent, options_.time_limit / 5);
  lazy_.solve_rounds(model_, left, workspace_, answer_);
  if (answer_.status == Status::infeasible && !mending_) infeasible_ = true;
  if (answer_.status != Status::optimal && answer_.status != Status::feasible) return false;
  dual_ = answer_.bound;
  double priced = 0;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    count_[j] = 0;
    for (Literal l : rows[j].literals) count_[j] += answer_.assignment[l.var()];
    const double edge = prices[j] > 0 ? most_[j] : rows[j].lower;
    dual_ += prices[j] * edge;
    priced += prices[j] * count_[j];
    gradient_[j] = edge - count_[j];
  }
  answer_.value += priced;  // what it is worth without prices
  keep_if_best();
  return true;
}

void PricedRows::keep_if_best() {
  for (std::size_t j = 0; j < most_.size(); ++j) {
    if (excess(j) != 0) return;
  }
  if (answer_.value > best_.value) best_ = answer_;
}

// Prices of what there is too little of fall until there is enough.
bool PricedRows::raise(std::vector<double>& prices) {
  double step = 0.01;
  for (int attempt = 0; attempt < 12; ++attempt) {
    bool enough = true;
    for (std::size_t j = 0; j < prices.size(); ++j) {
      if (excess(j) >= 0) continue;
      enough = false;
      prices[j] -= step;
    }
    if (enough) return true;
    step *= 2;
    if (out_of_time() || !ask(prices)) return false;
  }
  return false;
}

// Leaves out the weakest of what there is too much of. The variables stay fixed.
bool PricedRows::lower() {
  Graph& g = model_.graph();
  bool any = false;
  for (std::size_t j = 0; j < most_.size(); ++j) {
    const int over = excess(j);
    if (over <= 0) continue;
    any = true;
    std::vector<int> chosen;
    for (Literal l : model_.wide_rows()[j].literals) {
      if (answer_.assignment[l.var()]) chosen.push_back(l.var());
    }
    std::sort(chosen.begin(), chosen.end(),
              [&](int a, int b) { return std::pair(scores_[a], a) < std::pair(scores_[b], b); });
    for (int i = 0; i < over; ++i) g.fix(Var{chosen[i]}, false);
  }
  return any;
}

void PricedRows::mend(std::vector<double> prices) {
  std::vector<std::int8_t> before(model_.graph().fixed().begin(), model_.graph().fixed().end());
  before.resize(scores_.size(), -1);
  mending_ = true;
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (!raise(prices) || !lower() || out_of_time() || !ask(prices)) break;
  }
  mending_ = false;
  Graph& g = model_.graph();
  for (std::size_t v = 0; v < before.size(); ++v) {
    if (before[v] < 0 && !g.fixed().empty() && g.fixed()[v] >= 0) g.free(Var{static_cast<int>(v)});
  }
}

void PricedRows::solve(Solution& out) {
  const int rows = static_cast<int>(most_.size());
  std::vector<double> prices(rows, 0.0), next;
  bundle_.reset(rows);
  bool asked = ask(prices);
  bound_ = asked ? dual_ : answer_.bound;
  if (asked) {
    bundle_.set_centre(prices, dual_);
    double length = 0;
    for (double g : gradient_) length += g * g;
    bundle_.set_step(kFirstStep / std::sqrt(std::max(1.0, length)));
    bundle_.add(gradient_, prices, dual_);
  }
  double mended_at = kInfinity;
  int idle = 0;
  for (int question = 0; asked && question < kMostQuestions && !closed() && idle < kIdle;
       ++question) {
    if (out_of_time()) break;
    const double promised = bundle_.propose(next);
    if (promised <= 1e-9 * std::max(1.0, std::fabs(bound_))) break;
    asked = ask(next);
    if (!asked) break;
    if (bundle_.full()) bundle_.remove(bundle_.least_useful());
    bundle_.add(gradient_, next, dual_);
    bundle_.move_if_better(next, dual_);
    const double gain = (bound_ - dual_) / std::max(1.0, std::fabs(bound_));
    idle = gain > 1e-5 ? 0 : idle + 1;
    bound_ = std::min(bound_, dual_);
    // Mending costs several solves: when prices have settled, and from where the bound is best.
    if (gain > 0 && gain < 2e-3 && bound_ < mended_at - 2e-4 * std::fabs(bound_)) {
      mended_at = bound_;
      mend(next);
    }
  }
  const std::vector<double> centre(bundle_.centre().begin(), bundle_.centre().end());
  if (asked && !closed() && !out_of_time() && ask(centre)) mend(centre);
  for (std::size_t v = 0; v < scores_.size(); ++v)
    model_.graph().set_score(Var{static_cast<int>(v)}, scores_[v]);
  if (infeasible_ && best_.value == -kInfinity) {
    out.status = Status::infeasible;
    out.value = out.bound = -kInfinity;
    return;
  }
  if (best_.value == -kInfinity) {  // there is always the first answer's bound
    best_.status = Status::unknown;
    best_.bound = bound_;
    QuickAnswer(model_, lazy_).find({}, best_);
  }
  out = best_;
  out.bound = std::max(bound_, best_.value);
  out.status = best_.value == -kInfinity ? Status::unknown
               : closed()                ? Status::optimal
                                         : Status::feasible;
  if (out.status == Status::optimal) out.bound = out.value;
}

}  // namespace entente::schema
