#include "cli/signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace entente::cli {

namespace {

// A signal handler can reach nothing but what has a fixed address: the one state of this kind we
// have.
struct Caught {
  std::atomic<bool> stop{false};
  std::atomic<int> signal{0};
  int pipe[2] = {-1, -1};
};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

Caught& caught() {
  static Caught state;
  return state;
}

extern "C" void on_signal(int signal) {
  caught().signal.store(signal);
  caught().stop.store(true);
  const int error = errno;
  const char byte = 0;
  [[maybe_unused]] const auto ignored = ::write(caught().pipe[1], &byte, 1);
  errno = error;
}

}  // namespace

void catch_signals() {
  // Made here, never inside the handler.
  if (::pipe2(caught().pipe, O_CLOEXEC | O_NONBLOCK) != 0) caught().pipe[0] = caught().pipe[1] = -1;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: a read from a terminal or a pipe must come back. RESETHAND: the second one
  // kills.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool>& stop_flag() { return caught().stop; }

int stop_descriptor() { return caught().pipe[0]; }

int caught_signal() { return caught().signal.load(); }

}  // namespace entente::cli
