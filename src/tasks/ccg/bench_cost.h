// What the exact F-measure costs on the charts of a training: likelihood, plain passes, split
// states; and how many states splitting makes (Figures 4 and 5 of Auli and Lopez 2011).
#pragma once

#include <span>
#include <string>

#include "tasks/ccg/training.h"

namespace entente::ccg {

std::string cost_report(std::span<const PackedSentence> sentences, std::span<const double> weights,
                        double tau, bool figure_4, bool figure_5);

}  // namespace entente::ccg
