// How many random cases a test runs: few enough for every day, ten times as many in `make test-long`.
//
//   for (int seed = 0; seed < random_cases(600); ++seed) ...
//
// ENTENTE_CASES is the factor. Failures name the seed, which is the same in both runs.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace entente {

inline int random_cases(int everyday) {
  static const int factor = [] {
    const char* asked = std::getenv("ENTENTE_CASES");
    return asked ? std::max(std::atoi(asked), 1) : 1;
  }();
  return everyday * factor;
}

}  // namespace entente
