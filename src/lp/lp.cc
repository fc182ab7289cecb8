#include "lp/lp.h"

#include "base/check.h"

namespace entente::lp {

void Problem::clear() {
  cost.clear();
  lower.clear();
  upper.clear();
  integer.clear();
  row_begin.assign(1, 0);
  column.clear();
  value.clear();
  row_lower.clear();
  row_upper.clear();
}

int Problem::add_column(double cost_of_one, double lo, double hi, bool is_integer) {
  cost.push_back(cost_of_one);
  lower.push_back(lo);
  upper.push_back(hi);
  integer.push_back(is_integer ? 1 : 0);
  return columns() - 1;
}

void Problem::add_entry(int col, double coefficient) {
  ENTENTE_CHECK(col >= 0 && col < columns());
  column.push_back(col);
  value.push_back(coefficient);
}

void Problem::end_row(double lo, double hi) {
  row_begin.push_back(static_cast<std::int32_t>(column.size()));
  row_lower.push_back(lo);
  row_upper.push_back(hi);
}

}  // namespace entente::lp
