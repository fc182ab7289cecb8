// What the commands of alignment share: settings as the library's options, reading a bitext.
#pragma once

#include <string>
#include <vector>

#include "model/task.h"
#include "tasks/alignment/aligner.h"
#include "tasks/alignment/pairs.h"
#include "tasks/alignment/training.h"

namespace entente::alignment {

TrainingSettings training_settings(const Settings& settings, int threads);
AlignOptions align_options(const Settings& settings);
// Every pair of the files, shown on the monitor while it is read; with more than one thread two files
// are read side by side, to the same numbers and the same errors. Nothing if the monitor says stop.
void read_bitext(const std::vector<std::string>& paths, const PairOptions& options, int threads,
                 Monitor& monitor, Bitext& text);

int run_align(const TaskRequest& request);  // entente align
int run_bench(const TaskRequest& request);  // entente bench alignment

}  // namespace entente::alignment
