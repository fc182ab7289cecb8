// Linear and 0/1 integer programs as plain data, and the outside solvers that take them.
//
//   lp::Problem p;  ...fill...
//   if (const lp::Backend* b = lp::find_backend("glpk")) lp::Result r = b->solve(p, {.integer =
//   true});
//
// Which backends exist depends on what was found when the project was built; the engine works
// without.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace entente::lp {

// Maximise cost . x with row_lower <= A x <= row_upper and lower <= x <= upper. Rows are
// compressed: row r holds entries row_begin[r] .. row_begin[r + 1].
struct Problem {
  std::vector<double> cost, lower, upper;
  std::vector<std::uint8_t> integer;  // one a column
  std::vector<std::int32_t> row_begin{0}, column;
  std::vector<double> value, row_lower, row_upper;

  int columns() const { return static_cast<int>(cost.size()); }
  int rows() const { return static_cast<int>(row_lower.size()); }
  void clear();  // keeps the memory
  int add_column(double cost_of_one, double lo, double hi, bool is_integer);
  void add_entry(int col, double coefficient);  // to the row being written
  void end_row(double lo, double hi);           // closes it
};

struct Limits {
  bool integer = true;                                          // false: the linear relaxation
  double time_limit = std::numeric_limits<double>::infinity();  // seconds by the wall clock
  const std::atomic<bool>* stop = nullptr;  // becomes true: return what there is
  std::int64_t node_limit = std::numeric_limits<std::int64_t>::max();
  std::int64_t step_limit = std::numeric_limits<std::int64_t>::max();  // of a Relaxation
  double cutoff = -std::numeric_limits<double>::infinity();  // only better answers are asked for
};

// Has the time of `limits`, counted from where the watch was made, run out, or was it stopped?
class Watch {
 public:
  explicit Watch(const Limits& limits) : limit_(limits.time_limit), stop_(limits.stop) {}
  double left() const {
    const auto passed = std::chrono::steady_clock::now() - start_;
    return limit_ - std::chrono::duration<double>(passed).count();
  }
  bool reached() const {
    if (stop_ && stop_->load(std::memory_order_relaxed)) return true;
    return limit_ < 1e9 && left() <= 0;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double limit_;
  const std::atomic<bool>* stop_;
};

enum class Outcome : std::uint8_t { optimal, feasible, infeasible, unknown };

struct Result {
  Outcome outcome = Outcome::unknown;
  double value = 0;
  double bound = 0;
  std::vector<double> x;
  std::int64_t nodes = 0;
  std::int64_t iterations = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual void solve(const Problem& problem, const Limits& limits, Result& out) const = 0;
};

// "cbc" (its LP code with a bare tree search: quick on small problems), "cbc_default" (as its
// command line runs), "glpk". nullptr if this build does not have it.
const Backend* find_backend(std::string_view name);
std::vector<std::string_view> backend_names();

}  // namespace entente::lp
