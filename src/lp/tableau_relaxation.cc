// A dense tableau as an open linear program (relaxation.h).
#include <algorithm>

#include "lp/relaxation.h"
#include "lp/tableau.h"

namespace entente::lp {

namespace {

class SmallRelaxation : public Relaxation {
 public:
  void load(const Problem& p) override {
    tableau_.load(p);
    columns_ = p.columns();
    x_.resize(p.columns());
    prices_.resize(p.rows());
    cutoff_ = -std::numeric_limits<double>::infinity();
    solved_ = infeasible_ = false;
  }
  void set_bounds(int column, double lower, double upper) override {
    tableau_.set_bounds(column, lower, upper);
  }
  void set_row_bounds(int row, double lower, double upper) override {
    tableau_.set_bounds(columns_ + row, lower, upper);
  }
  void set_cutoff(double value) override { cutoff_ = value; }
  Outcome solve(const Limits& limits) override {
    const Outcome outcome = tableau_.solve(cutoff_, limits.step_limit, Watch(limits));
    solved_ = true;
    infeasible_ = outcome == Outcome::infeasible;
    if (outcome == Outcome::optimal) tableau_.read_columns(x_);
    if (outcome == Outcome::optimal || outcome == Outcome::feasible) tableau_.read_prices(prices_);
    return outcome;
  }
  double value() const override { return tableau_.value(); }
  std::span<const double> x() const override { return x_; }
  std::span<const double> duals() const override { return prices_; }
  std::span<const double> ray() override {
    if (!infeasible_) return {};
    tableau_.read_ray(prices_);
    return prices_;
  }
  bool read_combination(int column, std::span<double> times) override {
    return tableau_.read_combination(column, times);
  }
  void read_basis(std::vector<std::uint8_t>& basis) const override {
    basis.assign(solved_ ? x_.size() + prices_.size() : 0, 0);
    if (solved_) tableau_.read_basis(basis);
  }
  void set_basis(std::span<const std::uint8_t> basis) override {
    basic_.resize(basis.size());
    std::transform(basis.begin(), basis.end(), basic_.begin(),
                   [](std::uint8_t b) { return static_cast<std::uint8_t>(b == kBasic); });
    if (!basis.empty()) tableau_.set_basis(basic_);
  }
  std::int64_t iterations() const override { return tableau_.steps(); }

 private:
  Tableau tableau_;
  int columns_ = 0;
  std::vector<double> x_, prices_;
  std::vector<std::uint8_t> basic_;
  double cutoff_ = 0;
  bool solved_ = false, infeasible_ = false;
};

}  // namespace

std::unique_ptr<Relaxation> make_small_relaxation() { return std::make_unique<SmallRelaxation>(); }

}  // namespace entente::lp
