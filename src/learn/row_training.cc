#include "learn/row_training.h"

#include <cstdio>
#include <numeric>
#include <utility>

namespace entente {

void shuffle(std::span<int> order, Random& random) {
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.below(static_cast<int>(i))]);
  }
}

std::vector<int> shuffled(std::size_t n, Random& random) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, random);
  return order;
}

std::string percent(std::int64_t part, std::int64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f",
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

}  // namespace entente
