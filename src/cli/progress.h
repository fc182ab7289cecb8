// A line on standard error that says how far a long job is: only on a terminal, only after two
// seconds.
//
//   Progress progress([&] { return ProgressState{.done = done, .fraction = stream.fraction_read()};
//   });
//   ... the job ...
//   // the line is wiped when `progress` goes
//
// The callback runs on a thread of its own and must be safe to call from there.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace entente::cli {

struct ProgressState {
  std::int64_t done = 0;
  double fraction = -1;  // of the whole job; -1: not known
  const char* unit = "problems";
  std::string doing = {};  // in front of everything, e.g. the stage of a training
};

class Progress {
 public:
  Progress(bool wanted, std::function<ProgressState()> state);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void hide();  // before other text goes to the terminal; the line comes back

 private:
  void run();

  std::function<ProgressState()> state_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool end_ = false, shown_ = false;
  std::thread thread_;
};

// What the line says after `seconds`.
std::string progress_text(const ProgressState& state, double seconds);

}  // namespace entente::cli
