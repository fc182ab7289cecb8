// `entente bench ccg`: Tables 3 to 7 and Figures 4 to 6 of Auli and Lopez (2011), the paper's rows
// beside ours, and what the exact losses cost.
//
// Sections can be run one by one and on the first N sentences of training and dev data; every
// section says what it was run on. tau and the regularisation are chosen on a part of train that
// nothing was learned from. As in the paper parsers do not see the supertagger's probabilities
// unless belief propagation brings them.
#pragma once

#include <vector>

#include "model/task.h"

namespace entente::ccg {

std::vector<Setting> bench_settings();
int run_bench(const TaskRequest& request);

}  // namespace entente::ccg
