// A loop over threads: body(i, thread) for i in [0, n), each i once, in no particular order.
//
//   parallel_for(n, 2, [&](int i, int thread) { out[i] = work(in[i], scratch[thread]); });
//
// The first exception thrown by a body is thrown again by parallel_for once all threads have
// stopped.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace entente {

// What an option `--threads N` means: 0 is one a core; more than 256 help nobody.
inline int thread_count(int wanted) {
  const int threads = wanted > 0 ? wanted : static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(threads, 1, 256);
}

// A thread takes `chunk` indices at a time: several where the work is often microseconds long, one
// where it is long.
template <typename Body>
void parallel_for(int n, int threads, Body body, int chunk = 16) {
  threads = std::clamp(threads, 1, std::max(n, 1));
  if (threads == 1) {
    for (int i = 0; i < n; ++i) body(i, 0);
    return;
  }
  std::atomic<int> next{0};
  std::exception_ptr error;
  std::mutex error_mutex;
  auto work = [&](int thread) {
    try {
      while (true) {
        const int begin = next.fetch_add(chunk);
        if (begin >= n) return;
        for (int i = begin; i < std::min(n, begin + chunk); ++i) body(i, thread);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(error_mutex);
      if (!error) error = std::current_exception();
      next = n;
    }
  };
  std::vector<std::thread> pool;
  for (int t = 1; t < threads; ++t) pool.emplace_back(work, t);
  work(0);
  for (std::thread& t : pool) t.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace entente
