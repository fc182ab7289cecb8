// Clp asks this after every step whether it should stop.
#pragma once

#include <ClpEventHandler.hpp>

#include "lp/lp.h"

namespace entente::lp {

class ClpWatch : public ClpEventHandler {
 public:
  explicit ClpWatch(const Watch& watch) : watch_(&watch) {}
  // The clock is read at every tenth event: steps on small problems take less than a look at it.
  int event(Event) override {
    if (++events_ % 10 != 0) return -1;
    return watch_->reached() ? 1 : -1;
  }
  ClpEventHandler* clone() const override { return new ClpWatch(*this); }

 private:
  const Watch* watch_;
  int events_ = 0;
};

}  // namespace entente::lp
