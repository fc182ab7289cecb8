// Nearest point of a box cut by one row: z(t) = clip(y - t c), with t found among its breakpoints.
#include <algorithm>

#include "engine/factors/shapes.h"

namespace entente::factors {

namespace {

double clip(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

struct Row {
  Scores y, c;
  double sign;  // -1 turns the row round
  double coefficient(std::size_t i) const { return sign * (c.empty() ? 1 : c[i]); }
  // Falls as t grows, in straight pieces.
  double at(double t) const {
    double total = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double a = coefficient(i);
      total += a * clip(y[i] - t * a);
    }
    return total;
  }
};

// The t >= 0 with row.at(t) = bound, given that row.at(0) > bound.
double find_multiplier(const Row& row, double bound, double price, FactorScratch& s) {
  if (price < kInfinity && row.at(price) >= bound) return price;
  auto& breaks = s.breaks;
  breaks.clear();
  for (std::size_t i = 0; i < row.y.size(); ++i) {
    const double a = row.coefficient(i);
    if (a == 0) continue;
    for (double t : {row.y[i] / a, (row.y[i] - 1) / a}) {
      if (t > 0 && t < price) breaks.push_back(t);
    }
  }
  if (price < kInfinity) breaks.push_back(price);
  std::sort(breaks.begin(), breaks.end());
  // The first break at which the row has fallen to the bound.
  std::size_t low = 0, high = breaks.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (row.at(breaks[middle]) > bound)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == breaks.size()) return low == 0 ? 0 : breaks.back();  // rounding: the least it can be
  const double from = low == 0 ? 0 : breaks[low - 1], to = breaks[low];
  const double above = row.at(from), below = row.at(to);
  return above > below ? from + (to - from) * ((above - bound) / (above - below)) : to;
}

}  // namespace

void project_row(Scores y, Scores c, double lower, double upper, double price, std::span<double> z,
                 FactorScratch& s) {
  Row row{y, c, 1};
  const double sum = row.at(0);
  double t = 0;
  if (sum > upper) {
    t = find_multiplier(row, upper, price, s);
  } else if (sum < lower) {
    row.sign = -1;
    t = find_multiplier(row, -lower, price, s);
  }
  for (std::size_t i = 0; i < y.size(); ++i) z[i] = clip(y[i] - t * row.coefficient(i));
}

}  // namespace entente::factors
