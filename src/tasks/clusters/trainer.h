// Word classes of three sizes from raw text, as a table for model files.
//
//   WordTables tables = make_classes(text, lists, topics, {}, monitor);    // text: RawText
//   writer.add<WordClass>("clusters/table", tables.classes);
//
// Time: some two minutes for 10 million words. Deterministic.
#pragma once

#include <vector>

#include "base/monitor.h"
#include "learn/word_classes.h"
#include "learn/word_meanings.h"
#include "model/names/dictionary.h"
#include "tasks/clusters/raw_text.h"

namespace entente::clusters {

struct ClusterSettings {
  int fine = 600, middle = 128, coarse = 32;  // classes
  int passes = 12;
  int words = 52000;  // at most, the most frequent ones
};

// lists, topics: words that have an entry whether the text has them or not. Empty if the monitor stopped it.
struct WordTables {
  std::vector<WordClass> classes;
  std::vector<WordMeaning> meanings;
};
WordTables make_classes(const RawText& text, const names::Dictionary& lists,
                        const std::map<std::string, names::Topics>& topics,
                        const ClusterSettings& settings, Monitor& monitor);

}  // namespace entente::clusters
