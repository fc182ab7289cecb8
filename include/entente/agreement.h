// Two models that nobody can search together, made to agree: dual decomposition (Rush and Collins).
//
//   class Tagger : public entente::AgreementModel { ... };   // its own fast search, with prices
//   entente::Agreement both(parser, tagger);                 // over the same shared indicators
//   entente::AgreementResult r = both.run({.max_rounds = 50});
//   if (r.status == entente::Status::optimal) use(r.on);    // r.bound - r.value says how sure
//
// The models score structures y and z, f(y) + g(z); wanted is the best pair that agrees on every
// shared indicator, y(i) = z(i). Each round both search with prices u, f(y) + u y and g(z) - u z,
// and the prices move against the difference, u <- u - a_k (y - z). The sum of the two best values,
// L(u), is never below the optimum: the lowest so far is the bound. If both agree, or the best
// pair found is worth the bound, that is the optimum, and the prices are its proof:
// agreement_bound asks both models once and needs nothing else. Where the bound stays above (the
// linear program's optimum is fractional) `branches` goes on by fixing indicators, or the caller
// tightens: adds indicators that tell the alternating solutions apart. The proof is then the prices
// of every part that was not split further: `keep_parts`.
//
// Lazy: a model made of parts (sentences, automata) is told which prices changed and need only
// search the parts they belong to. Cost: two searches a round, linear beside them. One thread at a
// time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "entente/solution.h"

namespace entente {

class AgreementModel {
 public:
  virtual ~AgreementModel() = default;

  virtual int size() const = 0;  // shared indicators
  // The best structure when indicator i being on is worth prices[i] more: writes which are on (0 or
  // 1) and returns its value, prices included; -infinity if there is no structure.
  virtual double maximize(std::span<const double> prices, std::span<std::uint8_t> on) = 0;
  // The same, where only the prices of `changed` (ascending) differ from those of the call before,
  // and `on` holds that call's answer.
  virtual double maximize_again(std::span<const double> prices,
                                std::span<const std::int32_t> /*changed*/,
                                std::span<std::uint8_t> on) {
    return maximize(prices, on);
  }
  // The best value, without prices, of a structure with just these indicators on; -infinity if
  // there is none or it cannot be told.
  virtual double score(std::span<const std::uint8_t> on) = 0;
};

// a_k of round k = 1, 2, ...; c is `rate`.
enum class StepRule {
  kConstant,  // c
  kHarmonic,  // c / k: converges (the tutorial's theorem 2)
  kRoot,      // c / sqrt(k): converges
  kRises,     // c / (1 + how often the dual went up): quick in practice (Koo et al. 2010)
  kPolyak,    // c (L(u) - best primal) / |y - z|^2, and as kRises where no primal is known
};

// What a round looked like, for tables and plots.
struct AgreementRound {
  int round = 0;
  double dual = 0, best_dual = 0, primal = 0, best_primal = 0, step = 0;
  int disagreements = 0;
  std::span<const double> prices;
  std::span<const std::uint8_t> first, second;  // what is on in either
};

struct AgreementOptions {
  StepRule rule = StepRule::kRises;
  double rate = 1;
  int max_rounds = 100;
  double tolerance = 1e-7;  // a gap this small is none
  int branches = 0;         // parts that fixing indicators may make; 0: none
  bool keep_parts = false;  // the proof: AgreementResult::leaves
  std::function<void(const AgreementRound&)> trace = {};
  std::function<bool()> stop = {};
};

// A part that was not split further: the largest bound of them all is the bound.
struct AgreementLeaf {
  std::vector<std::pair<std::int32_t, bool>> fixed;  // on or off, in the order in which it was done
  std::vector<double> prices;                        // where its bound was lowest
  double bound = 0;                                  // -infinity: nothing is left of it
};

struct AgreementResult {
  // optimal: proven. feasible: an agreeing pair, not proven. unknown: none found.
  Status status = Status::unknown;
  double value = 0, bound = 0;   // of the best pair that agrees; never below the optimum
  std::vector<std::uint8_t> on;  // of that pair
  std::vector<double> prices;    // where the bound was lowest (without branching: the proof)
  std::vector<double> average;   // mean over rounds of (y + z) / 2: near the LP's solution
  bool agreed = false;           // the two gave the same answer, before any branching
  int rounds = 0, parts = 1;     // searches of both; parts looked at when branching
  // With keep_parts: as a walk through the splits meets them, "on" before "off". Memory: an indicator's
  // price a leaf, of which there are no more than `branches`.
  std::vector<AgreementLeaf> leaves;
};

class Agreement {
 public:
  Agreement(AgreementModel& first, AgreementModel& second);

  AgreementResult run(const AgreementOptions& options);
  // Goes on from these prices instead of zeros.
  void start_from(std::span<const double> prices) { start_.assign(prices.begin(), prices.end()); }

 private:
  struct Part;
  void solve_part(Part& part, const AgreementOptions& options, AgreementResult& best);
  double ask(AgreementModel& model, double sign, const Part& part, std::vector<double>& prices,
             std::vector<std::uint8_t>& on, bool again);
  double complete(double f, double g, AgreementResult& best);
  void offer(std::span<const std::uint8_t> on, double value, AgreementResult& best) const;
  double step_size(const AgreementOptions& options, int round, int rises, double dual,
                   double primal, int different) const;

  AgreementModel *first_, *second_;
  std::vector<double> start_, prices_, first_prices_, second_prices_;
  std::vector<std::uint8_t> y_, z_;
  std::vector<std::int32_t> moved_;  // indicators on which the two differed last
};

// The bound that prices prove: L(u). An agreeing pair worth as much is optimal.
double agreement_bound(AgreementModel& first, AgreementModel& second,
                       std::span<const double> prices);

// A model that is a list of structures, for examples and tests: scores and indicators of each.
class ListModel : public AgreementModel {
 public:
  // rows[k] has a 0 or 1 for every indicator.
  ListModel(std::vector<double> scores, std::vector<std::vector<std::uint8_t>> rows)
      : scores_(std::move(scores)), rows_(std::move(rows)) {}
  int size() const override { return rows_.empty() ? 0 : static_cast<int>(rows_[0].size()); }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override;
  double score(std::span<const std::uint8_t> on) override;
  // Adds an indicator that is on where both of two others are: tightening.
  void add_pair(int a, int b);
  int last() const { return last_; }  // the structure that maximize chose

 private:
  std::vector<double> scores_;
  std::vector<std::vector<std::uint8_t>> rows_;
  int last_ = -1;
};

}  // namespace entente
