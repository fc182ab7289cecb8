// How sure a difference between two systems on the same sentences is: a paired bootstrap.
//
//   BootstrapInterval i = paired_bootstrap<Scores>(n,
//       [&](int s, Scores& a, Scores& b) { a += first[s]; b += second[s]; },
//       [](const Scores& x) { return x.f1(); });
//   i.difference; i.low; i.high;            // first less second; the middle 95% on resampled ones
//
// The same seed gives the same interval. Cost: rounds * n additions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.h"

namespace entente {

struct BootstrapInterval {
  double difference = 0, low = 0, high = 0;
};

template <typename Sum, typename Add, typename Measure>
BootstrapInterval paired_bootstrap(int n, Add add, Measure measure, int rounds = 2000,
                                   std::uint64_t seed = 1) {
  Sum a{}, b{};
  for (int i = 0; i < n; ++i) add(i, a, b);
  BootstrapInterval out;
  out.difference = measure(a) - measure(b);
  Random random(seed);
  std::vector<double> differences;
  for (int r = 0; r < rounds && n > 0; ++r) {
    Sum x{}, y{};
    for (int i = 0; i < n; ++i) add(random.below(n), x, y);
    differences.push_back(measure(x) - measure(y));
  }
  std::sort(differences.begin(), differences.end());
  if (!differences.empty()) {
    out.low = differences[static_cast<std::size_t>(0.025 * rounds)];
    out.high = differences[static_cast<std::size_t>(0.975 * rounds)];
  }
  return out;
}

}  // namespace entente
