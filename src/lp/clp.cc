// Clp as an open linear program (relaxation.h).
#include <ClpFactorization.hpp>
#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "lp/clp_watch.h"
#include "lp/relaxation.h"

namespace entente::lp {

namespace {

// What dual() may keep from one call to the next.
constexpr int kKeep = 1, kUseKept = 2;
constexpr int kNoPerturbation = 100, kFewRows = 1000;
constexpr int kAtCutoff = 1;  // what Clp says of why it calls something infeasible
constexpr double kNoLimit = 1e50;
constexpr std::int64_t kManySteps = 1'000'000'000;

bool needs_scaling(const Problem& p) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (double v : p.value) {
    least = std::min(least, std::abs(v));
    most = std::max(most, std::abs(v));
  }
  return most > 1000 * least;
}

class Clp : public Relaxation {
 public:
  void load(const Problem& p) override {
    // A new model: one that is loaded again keeps factorizations and options of its last problem.
    model_.emplace();
    model_->setLogLevel(0);
    CoinPackedMatrix matrix(false, p.columns(), p.rows(), static_cast<int>(p.column.size()),
                            p.value.data(), p.column.data(), p.row_begin.data(), nullptr);
    cost_.resize(p.cost.size());  // it minimises best, and then there is no doubt about signs
    for (std::size_t c = 0; c < p.cost.size(); ++c) cost_[c] = -p.cost[c];
    model_->loadProblem(matrix, p.lower.data(), p.upper.data(), cost_.data(), p.row_lower.data(),
                        p.row_upper.data());
    // Of small programs, and rows of ones, these take longer than they save.
    if (p.rows() < kFewRows) model_->setPerturbation(kNoPerturbation);
    if (!needs_scaling(p)) model_->scaling(0);
    watch_.emplace(Limits{});
    ClpWatch handler(*watch_);
    model_->passInEventHandler(&handler);
    started_ = false;
    iterations_ = 0;
  }
  void set_bounds(int column, double lower, double upper) override {
    model_->setColumnBounds(column, lower, upper);
  }
  void set_row_bounds(int row, double lower, double upper) override {
    model_->setRowBounds(row, lower, upper);
  }
  void set_cutoff(double value) override {
    model_->setDualObjectiveLimit(value == -std::numeric_limits<double>::infinity() ? kNoLimit
                                                                                    : -value);
  }
  Outcome solve(const Limits& limits) override {
    watch_.emplace(limits);
    model_->setMaximumIterations(limits.step_limit < kManySteps
                                     ? static_cast<int>(limits.step_limit)
                                     : std::numeric_limits<int>::max());
    model_->dual(0, started_ ? kKeep | kUseKept : kKeep);
    started_ = true;
    iterations_ += model_->numberIterations();  // it counts each call from 0
    switch (model_->status()) {
      case 0:
        keep_duals();
        return Outcome::optimal;
      case 1:
        if (model_->secondaryStatus() != kAtCutoff) return Outcome::infeasible;
        keep_duals();
        return Outcome::feasible;
      case 3:
        return watch_->reached() ? Outcome::unknown : Outcome::feasible;
      default:
        return Outcome::unknown;
    }
  }
  double value() const override { return -model_->objectiveValue(); }
  std::span<const double> x() const override {
    return {model_->getColSolution(), static_cast<std::size_t>(model_->numberColumns())};
  }
  std::span<const double> duals() const override { return duals_; }
  std::span<const double> ray() override {
    duals_.clear();
    if (const std::unique_ptr<double[]> ray(model_->infeasibilityRay()); ray)
      duals_.assign(ray.get(), ray.get() + model_->numberRows());
    return duals_;
  }
  // As OsiClp's getBInvRow.
  bool read_combination(int column, std::span<double> times) override {
    const int rows = model_->numberRows();
    const int* pivots = model_->pivotVariable();
    if (!pivots || !model_->factorization() || !model_->rowArray(0) || !model_->rowArray(1))
      return false;
    if (model_->factorization()->numberRows() != rows) return false;
    const int at = static_cast<int>(std::find(pivots, pivots + rows, column) - pivots);
    if (at == rows) return false;
    CoinIndexedVector &work = *model_->rowArray(0), &line = *model_->rowArray(1);
    work.clear();
    line.clear();
    const double* row_scale = model_->rowScale();
    line.insert(at, row_scale ? model_->columnScale()[column] : 1.0);
    model_->factorization()->updateColumnTranspose(&work, &line);
    const double* found = line.denseVector();
    for (int r = 0; r < rows; ++r) times[r] = found[r] * (row_scale ? row_scale[r] : 1.0);
    line.clear();
    return true;
  }
  void read_basis(std::vector<std::uint8_t>& basis) const override {
    basis.clear();
    if (const unsigned char* status = model_->statusArray(); status && started_)
      basis.assign(status, status + model_->numberColumns() + model_->numberRows());
  }
  void set_basis(std::span<const std::uint8_t> basis) override {
    if (basis.empty()) return;
    model_->copyinStatus(basis.data());
    started_ = false;  // what is kept of the factorization is another's
  }
  std::int64_t iterations() const override { return iterations_; }

 private:
  void keep_duals() {
    const double* y = model_->getRowPrice();
    duals_.assign(y, y + model_->numberRows());
    for (double& d : duals_) d = -d;
  }

  std::optional<ClpSimplex> model_;
  std::optional<Watch> watch_;
  std::vector<double> cost_, duals_;
  bool started_ = false;
  std::int64_t iterations_ = 0;
};

}  // namespace

std::unique_ptr<Relaxation> make_clp() { return std::make_unique<Clp>(); }

}  // namespace entente::lp
