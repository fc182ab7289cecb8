// entente train: a corpus in, a model file out.
#include <fmt/format.h>

#include <memory>

#include "base/output_paths.h"
#include "base/parallel.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/monitor.h"
#include "cli/processes.h"
#include "cli/task_commands.h"

namespace entente::cli {

int run_train(TrainArguments a) {
  expect_kept(a.plan.train_paths, {a.plan.output});
  expect_kept(a.plan.dev_paths, {a.plan.output});
  a.plan.options.threads = thread_count(a.plan.options.threads);
  const std::unique_ptr<Processes> others = join_processes();
  const bool quiet = a.quiet || !processes().is_first();
  TerminalMonitor monitor(quiet, a.verbose && !quiet);
  const Trained trained = train(a.plan, monitor);
  if (trained) return kAnswered;
  if (!quiet) fmt::print(stderr, "entente: {}\n", trained.stopped("command"));
  return 128 + caught_signal();
}

}  // namespace entente::cli
