#include "cli/monitor.h"

#include <fmt/format.h>

#include "base/signals.h"

namespace entente::cli {

void TerminalMonitor::stage(const std::string& name, std::int64_t total) {
  progress_.reset();  // the rate and the time left are those of the stage
  done_ = 0;
  progress_ = std::make_unique<Progress>(progress_wanted_, [this, name, total] {
    const std::int64_t done = done_.load(std::memory_order_relaxed);
    const double fraction = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : -1;
    return ProgressState{.done = done, .fraction = fraction, .unit = "done", .doing = name};
  });
}

void TerminalMonitor::say(const std::string& line) {
  if (progress_) progress_->hide();
  if (say_) fmt::print(stderr, "{}\n", line);
}

bool TerminalMonitor::stopped() const { return stop_flag().load(); }

}  // namespace entente::cli
