#include "base/signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace entente {

namespace {

// The process has one set of signals, so this is the one state of its kind.
struct Caught {
  std::atomic<bool> stop{false};
  std::atomic<int> signal{0};
  int pipe[2] = {-1, -1};
};

Caught& caught() {
  static Caught state;
  return state;
}

void wait_for_signal(sigset_t set) {
  int signal = 0;
  while (sigwait(&set, &signal) != 0) {
  }
  caught().signal.store(signal);
  caught().stop.store(true);
  const char byte = 0;
  [[maybe_unused]] const auto ignored = ::write(caught().pipe[1], &byte, 1);
  // The second one kills: here the signals are let through to their default action.
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  while (true) ::pause();
}

}  // namespace

void catch_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  if (::pipe2(caught().pipe, O_CLOEXEC | O_NONBLOCK) != 0) caught().pipe[0] = caught().pipe[1] = -1;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  // Also where they came ignored, as in the background of a script: whoever sends one means it.
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  // A handler would run on any thread, one that waits for a lock included. Blocked in all threads
  // to come, the signals wait for the one that asks for them.
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread(wait_for_signal, set).detach();
}

void let_signals_kill() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

const std::atomic<bool>& stop_flag() { return caught().stop; }

int stop_descriptor() { return caught().pipe[0]; }

int caught_signal() { return caught().signal.load(); }

}  // namespace entente
