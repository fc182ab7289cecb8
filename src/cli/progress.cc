#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

#include "cli/text.h"

namespace entente::cli {

namespace {
constexpr auto kPatience = std::chrono::seconds(2);
constexpr auto kPace = std::chrono::milliseconds(500);
}  // namespace

std::string progress_text(const ProgressState& state, double seconds) {
  std::string out;
  if (state.done == 0) {
    out = fmt::format("{}, {:.0f} s", state.doing.empty() ? "searching" : state.doing, seconds);
  } else {
    if (!state.doing.empty()) out = state.doing + ": ";
    out += fmt::format("{} {}, {} a second", readable_count(state.done), state.unit,
                       readable(static_cast<double>(static_cast<std::int64_t>(
                           static_cast<double>(state.done) / seconds + 0.5))));
  }
  if (state.fraction > 0.001 && state.fraction < 1 && state.done > 0) {
    out += fmt::format(", {:.0f}%, about {:.0f} s left", 100 * state.fraction,
                       seconds * (1 - state.fraction) / state.fraction);
  }
  return out;
}

Progress::Progress(bool wanted, std::function<ProgressState()> state) : state_(std::move(state)) {
  if (wanted && ::isatty(STDERR_FILENO)) thread_ = std::thread([this] { run(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    end_ = true;
  }
  wake_.notify_all();
  thread_.join();
  hide();
}

void Progress::hide() {
  std::lock_guard lock(mutex_);
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void Progress::run() {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  if (wake_.wait_for(lock, kPatience, [this] { return end_; })) return;
  do {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print(stderr, "\r\033[K{}", progress_text(state_(), seconds));
    std::fflush(stderr);
    shown_ = true;
  } while (!wake_.wait_for(lock, kPace, [this] { return end_; }));
}

}  // namespace entente::cli
