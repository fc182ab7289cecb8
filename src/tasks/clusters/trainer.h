// Word classes of three sizes from raw text, as a table for model files.
//
//   std::vector<WordClass> table = make_classes(text, {}, monitor);    // text: RawText
//   writer.add<WordClass>("clusters/table", table);
//
// Time: some two minutes for 10 million words. Deterministic.
#pragma once

#include <vector>

#include "base/monitor.h"
#include "learn/word_classes.h"
#include "tasks/clusters/raw_text.h"

namespace entente::clusters {

struct ClusterSettings {
  int fine = 600, middle = 128, coarse = 32;  // classes
  int passes = 12;
  int words = 52000;  // at most, the most frequent ones
};

// Empty if the monitor stopped it.
std::vector<WordClass> make_classes(const RawText& text, const ClusterSettings& settings,
                                    Monitor& monitor);

}  // namespace entente::clusters
