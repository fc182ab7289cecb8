// A small repeatable random number generator: the same numbers on every machine and library version
// (std::normal_distribution and friends are not), for seeded problems and tests.
//
//   Random r(17);  double x = r.normal(-3, 2);  int k = r.between(8, 50);
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace entente {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 0x1234567ull) {}

  std::uint64_t next() {  // splitmix64
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // [0, 1)
  double uniform(double lo, double hi) { return lo + (hi - lo) * uniform(); }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }  // n > 0
  int between(int lo, int hi) { return lo + below(hi - lo + 1); }  // both ends included
  bool chance(double p) { return uniform() < p; }
  double normal(double mean = 0, double sd = 1) {
    double u = 1 - uniform(), v = uniform();
    return mean + sd * std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

 private:
  std::uint64_t state_;
};

}  // namespace entente
