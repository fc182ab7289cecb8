// Counts what the test program allocates, for promises that warm code leaves the heap alone.
//
//   const long n = kit::count_allocations([&] { decoder.decode(...); });
//
// All threads count. One count at a time.
#pragma once

#include <utility>

namespace entente::kit {

bool allocations_are_seen();  // false: the hook could not be set, and every count is 0
void start_counting();
long stop_counting();

template <typename F>
long count_allocations(F&& f) {
  start_counting();
  std::forward<F>(f)();
  return stop_counting();
}

}  // namespace entente::kit
