// The worked examples of Rush and Collins' tutorial, sections 1 to 5, round by round.
//
//   entente agree tutorial --plot rounds.svg       entente demo agree
//
// A parser and a tagger, the same by intersecting them, phrases and dependencies, tags of a whole
// corpus, alignments in both directions, what is known when a run is cut short, and the linear
// program that is fractional until pairs of tags are shared. Scores are made up.
#pragma once

#include "model/task.h"

namespace entente::constituency {

int run_tutorial(const TaskRequest& request);

}  // namespace entente::constituency
