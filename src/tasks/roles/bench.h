// `entente bench roles`: recognition of arguments by tree kernels, as in Tables 3 and 4 of Kazama and
// Torisawa (2006), and beside them what is faster here.
//
// Table 3: F1 of recognition for each weight of marks and each number of training sentences, lambda
// and C chosen on the sentences that are reported, as in the paper's column "dev". Table 4: cells
// and time a sentence of naive scoring, of the paper's update, of SupportTrees and of explicit
// features, and how far their scores differ.
#pragma once

#include <vector>

#include "model/task.h"

namespace entente::roles {

std::vector<Setting> bench_settings();
int run_bench(const TaskRequest& request);

}  // namespace entente::roles
