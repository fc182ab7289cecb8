// Ctrl-C: the first asks the solvers to stop with what they have, the second kills.
//
//   catch_signals();
//   options.stop = &stop_flag();
//   ...
//   if (int signal = caught_signal()) return 128 + signal;
//
// Call catch_signals() before any thread is started: the signals then go to a thread that does
// nothing else, so that it does not matter what the others are waiting for. Broken pipes become
// errors of write() instead of a signal, so that unfinished files are cleaned up.
#pragma once

#include <atomic>
#include <string>

namespace entente {

void catch_signals();
// For commands that have nothing to keep: from here on the first signal kills, as it would without
// catch_signals(). Call it from the main thread.
void let_signals_kill();
const std::atomic<bool>& stop_flag();
int caught_signal();  // 0: none
// Unfinished files: removed where a signal kills (the second, or the first after let_signals_kill()).
void remove_if_killed(const std::string& path);
void keep_if_killed(const std::string& path);
// Becomes readable when a signal is caught; -1 before catch_signals(). For poll(): with several
// threads the one that waits for input need not be the one the signal interrupts.
int stop_descriptor();

}  // namespace entente
