#include "base/signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace entente {

namespace {

// The process has one set of signals, so this is the one state of its kind.
struct Caught {
  std::atomic<bool> stop{false};
  std::atomic<int> signal{0};
  int pipe[2] = {-1, -1};
  std::atomic<bool> first_kills{false};
  std::mutex lock;
  std::set<std::string> unfinished;  // under the lock
};

Caught& caught() {
  static Caught state;
  return state;
}

int next_signal(const sigset_t& set) {
  int signal = 0;
  while (sigwait(&set, &signal) != 0) {
  }
  return signal;
}

// Leaves no unfinished file behind. The lock is not let go: nobody begins another.
[[noreturn]] void die(int signal, const sigset_t& set) {
  caught().lock.lock();
  for (const std::string& path : caught().unfinished) ::unlink(path.c_str());
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal);  // their action is the default one
  ::_exit(128 + signal);
}

void wait_for_signal(sigset_t set) {
  const int signal = next_signal(set);
  if (caught().first_kills.load()) die(signal, set);
  caught().signal.store(signal);
  caught().stop.store(true);
  const char byte = 0;
  [[maybe_unused]] const auto ignored = ::write(caught().pipe[1], &byte, 1);
  die(next_signal(set), set);  // the second one kills
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

void let_signals_kill() { caught().first_kills.store(true); }

void remove_if_killed(const std::string& path) {
  const std::lock_guard<std::mutex> guard(caught().lock);
  caught().unfinished.insert(path);
}

void keep_if_killed(const std::string& path) {
  const std::lock_guard<std::mutex> guard(caught().lock);
  caught().unfinished.erase(path);
}

const std::atomic<bool>& stop_flag() { return caught().stop; }

int stop_descriptor() { return caught().pipe[0]; }

int caught_signal() { return caught().signal.load(); }

}  // namespace entente
