#include "base/processes.h"

namespace entente {

namespace {

Processes alone;
Processes* current = &alone;

}  // namespace

Processes& processes() { return *current; }

void set_processes(Processes* all) { current = all == nullptr ? &alone : all; }

}  // namespace entente
