// A large document under counts that reach over all of it. With a price on each count the rest
// falls apart as before: for any prices p
//
//   D(p) = best of the rest with p taken off the counted variables + what the bounds are worth at p
//
// is at least the value of every answer. The least D is looked for with planes (engine/core/
// bundle.h), each costing one exact solve of the rest; answers that break a count are mended by
// moving its price or leaving out its weakest. Where the two meet the answer is proved to be the
// best; else the gap is what is left between them.
#pragma once

#include <chrono>
#include <vector>

#include "engine/core/bundle.h"
#include "entente/solve.h"
#include "schema/lazy.h"

namespace entente::schema {

class PricedRows {
 public:
  PricedRows(Model& model, LazySolver& lazy, const Options& options, Workspace& workspace);
  void solve(Solution& out);

 private:
  bool ask(const std::vector<double>& prices);  // false: no answer, or out of time
  void keep_if_best();
  void mend(std::vector<double> prices);
  bool raise(std::vector<double>& prices);
  bool lower();
  int excess(std::size_t row) const;  // above 0: too many, below: too few
  bool out_of_time() const;
  bool closed() const;

  Model& model_;
  LazySolver& lazy_;
  Options options_;
  Workspace& workspace_;
  std::chrono::steady_clock::time_point start_;
  std::vector<double> scores_;     // without prices
  std::vector<int> count_, most_;  // of each row: true literals of the last answer; its upper bound
  std::vector<double> gradient_;
  Solution answer_, best_;
  double dual_ = 0, bound_ = kInfinity;
  bool infeasible_ = false, mending_ = false;
  Bundle bundle_;
};

}  // namespace entente::schema
