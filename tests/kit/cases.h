// How many random cases a test runs: few enough for every day, ten times as many in `make test-long`.
//
//   for (int seed = 0; seed < random_cases(600); ++seed) ...
//   EXPECT_GT(branched, covered(50));       // did the run see what it is for? Asked where all cases run
//
// Under a sanitizer a tenth of them: there one looks at memory, and code is ten to forty times as slow; the release's tests, which
// are those with many cases (tests/CMakeLists.txt), run all. ENTENTE_CASES is the factor of `make test-long`. Failures name
// the seed, which is the same in all runs.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace entente {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ENTENTE_SANITIZED
#endif
#endif
#ifdef ENTENTE_SANITIZED
inline constexpr int kCasesShare = 10;
#undef ENTENTE_SANITIZED
#else
inline constexpr int kCasesShare = 1;
#endif

inline double cases_factor() {
  static const double factor = [] {
    const char* asked = std::getenv("ENTENTE_CASES");
    return (asked ? std::max(std::atof(asked), 1e-3) : 1.0) / kCasesShare;
  }();
  return factor;
}

inline int random_cases(int everyday) {
  return std::max(1, static_cast<int>(everyday * cases_factor() + 1e-6));
}

// Do all of the everyday's cases run?
inline bool in_full() { return cases_factor() > 1 - 1e-6; }

// How many cases are to be of a kind, at least, of all that run; a part of them is not asked for its share.
inline int covered(int everyday) {
  return in_full() ? static_cast<int>(everyday * cases_factor() + 1e-6) : -1;
}

}  // namespace entente
