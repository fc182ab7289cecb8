// entente train: a corpus in, a model file out.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "base/parallel.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/monitor.h"
#include "cli/processes.h"
#include "cli/task_commands.h"

namespace entente::cli {

int run_train(TrainArguments a) {
  a.plan.options.threads = thread_count(a.plan.options.threads);
  const std::unique_ptr<Processes> others = join_processes();
  const bool quiet = a.quiet || !processes().is_first();
  TerminalMonitor monitor(quiet, a.verbose && !quiet);
  if (train(a.plan, monitor)) return kAnswered;
  if (!quiet) {
    // Tasks that learn in one go leave nothing to go on from.
    const std::string work = a.plan.output + ".work";
    std::error_code none;
    const bool kept = std::filesystem::exists(work, none) && !std::filesystem::is_empty(work, none);
    fmt::print(
        stderr, "entente: stopped; {}\n",
        kept ? "the same command goes on from where it was (" + work + ")" : "nothing is kept");
  }
  return 128 + caught_signal();
}

}  // namespace entente::cli
