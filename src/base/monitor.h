// How long work tells the outside how far it is, and is told to stop.
//
//   monitor.stage("tagger, epoch 3/10", sentences);
//   for (...) { if (monitor.stopped()) break; ...; monitor.advance(1); }
//   monitor.say("tagger: epoch 3, dev UPOS 94.9");
//
// The default Monitor does nothing. Calls come from one thread at a time.
#pragma once

#include <cstdint>
#include <string>

namespace entente {

class Monitor {
 public:
  virtual ~Monitor() = default;
  virtual void stage(const std::string& /*name*/, std::int64_t /*total*/) {}
  virtual void advance(std::int64_t /*steps*/) {}
  virtual void say(const std::string& /*line*/) {}  // something worth keeping, one line
  // Asked for by Ctrl-C: finish what is in hand, keep what can be gone on from.
  virtual bool stopped() const { return false; }
};

}  // namespace entente
