// Many jobs over some threads, results in the order of the jobs: the same bytes for any number of
// threads, each result as soon as those before it are out.
//
//   run_ordered(threads, take, work, emit);
//
//   take(job)            -> false when there are no more; called by one thread at a time, in order
//   work(thread, job)    -> Result; called by `threads` threads at once
//   emit(result)         -> false to end everything; called by one thread at a time, in order
//
// At most about 16 jobs a thread are in flight, so memory does not grow with the number of jobs.
// With one thread everything happens on the caller's. An exception thrown by any of the three ends
// everything and comes out of run_ordered.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace entente {

template <typename Job, typename Result, typename Take, typename Work, typename Emit>
class OrderedRun {
 public:
  OrderedRun(int threads, Take& take, Work& work, Emit& emit)
      : threads_(threads), take_(take), work_(work), emit_(emit) {}

  void run() {
    std::vector<std::thread> helpers;
    for (int t = 1; t < threads_; ++t) helpers.emplace_back([this, t] { loop(t); });
    loop(0);
    for (std::thread& helper : helpers) helper.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void loop(int thread) {
    try {
      Job job;
      std::int64_t index = 0;
      while (take(job, index)) give(index, work_(thread, job));
    } catch (...) {
      std::lock_guard lock(emit_mutex_);
      if (!error_) error_ = std::current_exception();
      end();
    }
  }

  bool take(Job& job, std::int64_t& index) {
    // Held while reading: a thread that waits for input keeps the others from reading, not from
    // working.
    std::lock_guard reading(take_mutex_);
    {
      std::unique_lock lock(emit_mutex_);
      room_.wait(lock, [this] { return ended_ || taken_ - emitted_ < 16 * threads_; });
      if (ended_) return false;
    }
    if (!take_(job)) return false;
    std::lock_guard lock(emit_mutex_);
    index = taken_++;
    return true;
  }

  void give(std::int64_t index, Result result) {
    std::lock_guard lock(emit_mutex_);
    waiting_.emplace(index, std::move(result));
    while (!ended_ && !waiting_.empty() && waiting_.begin()->first == emitted_) {
      Result next = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      ++emitted_;
      if (!emit_(next)) end();
    }
    room_.notify_all();
  }

  void end() {
    ended_ = true;
    room_.notify_all();
  }

  const int threads_;
  Take& take_;
  Work& work_;
  Emit& emit_;
  std::mutex take_mutex_, emit_mutex_;  // taken in this order
  std::condition_variable room_;
  std::int64_t taken_ = 0, emitted_ = 0;  // with what follows: under emit_mutex_
  std::map<std::int64_t, Result> waiting_;
  bool ended_ = false;
  std::exception_ptr error_;
};

template <typename Job, typename Result, typename Take, typename Work, typename Emit>
void run_ordered(int threads, Take take, Work work, Emit emit) {
  OrderedRun<Job, Result, Take, Work, Emit>(threads, take, work, emit).run();
}

}  // namespace entente
