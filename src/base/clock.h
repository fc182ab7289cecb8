// Processor time of the whole process: on a quiet machine the same as wall time where nothing waits
// or runs beside anything, and on a busy one still a fair comparison.
//
//   const double start = processor_seconds();  ...  processor_seconds() - start
#pragma once

#include <ctime>

namespace entente {

inline double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace entente
