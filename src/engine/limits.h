// When to stop: a deadline and a flag, asked often and cheaply.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>

#include "entente/options.h"

namespace entente {

class Limits {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Limits(const Options& options) : start_(Clock::now()), stop_(options.stop) {
    if (options.time_limit < 1e9) {
      has_deadline_ = true;
      deadline_ = start_ + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(options.time_limit));
    }
  }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  // Seconds left, which may be infinitely many.
  double left() const {
    if (!has_deadline_) return std::numeric_limits<double>::infinity();
    return std::chrono::duration<double>(deadline_ - Clock::now()).count();
  }
  const std::atomic<bool>* stop() const { return stop_; }
  // Reads the clock only where there is a deadline.
  bool reached() const {
    return (stop_ && stop_->load(std::memory_order_relaxed)) ||
           (has_deadline_ && Clock::now() >= deadline_);
  }

 private:
  Clock::time_point start_, deadline_{};
  bool has_deadline_ = false;
  const std::atomic<bool>* stop_;
};

}  // namespace entente
