// Progress of long work on a terminal, and what is worth keeping of it.
//
//   TerminalMonitor monitor(quiet, verbose);
//   train_pipeline(train, dev, plan, monitor);
//
// A line of progress for each stage (rate, time left) where there is a terminal; what the work
// says, there or anywhere if verbose. Ctrl-C makes stopped() true.
#pragma once

#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>

#include "base/monitor.h"
#include "cli/progress.h"

namespace entente::cli {

class TerminalMonitor : public Monitor {
 public:
  TerminalMonitor(bool quiet, bool verbose)
      : progress_wanted_(!quiet), say_(!quiet && (verbose || ::isatty(STDERR_FILENO))) {}

  void stage(const std::string& name, std::int64_t total) override;
  void advance(std::int64_t steps) override { done_.fetch_add(steps, std::memory_order_relaxed); }
  void say(const std::string& line) override;
  bool stopped() const override;
  void end() { progress_.reset(); }  // before anything else is written to the terminal

 private:
  bool progress_wanted_, say_;
  std::atomic<std::int64_t> done_{0};
  std::unique_ptr<Progress> progress_;
};

}  // namespace entente::cli
