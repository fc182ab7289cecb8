// Which spans of a sentence might fill a role of a target: an overgenerating heuristic on its tree.
//
//   std::vector<Span> spans;
//   candidate_spans(atoms, target, spans);          // sorted, each once
//
// Of every word: itself, its subtree, and its subtree cut between two of its dependents on either
// side; of every word above the target: what lies left and right of the target and of the
// dependent that the target hangs under; the target itself. Ends are freed of punctuation; whole
// subtrees also come with it. On FrameNet 1.5 this covers 92% of the arguments by 90 spans a target
// (`entente evaluate frames` prints it); the pruner (pruner.h) leaves a few of them. O(spans) where
// trees are no deeper than usual.
#pragma once

#include <span>
#include <vector>

#include "tasks/frames/atoms.h"
#include "tasks/frames/types.h"

namespace entente::frames {

void candidate_spans(const Atoms& atoms, std::span<const int> target, std::vector<Span>& spans);

}  // namespace entente::frames
