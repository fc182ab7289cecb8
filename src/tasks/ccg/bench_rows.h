// Rows of a bench that takes hours: each is kept in a folder when it is done, so that a run that is
// stopped, or one with more sections, begins where the last one ended.
//
//   KeptRows rows("ccg-rows");                            // "": nothing is kept
//   BenchRow row = rows.get("ewt 3000 decf1 ...", monitor, [&] { return measure(); });
//
// The key says everything that the row depends on but the program and the corpora: a folder belongs
// to one build. A file a row, text: the key, a note, and the counts of each sentence. Files that are
// not whole do not appear; broken ones are an Error with file and line. One thread at a time.
#pragma once

#include <string>
#include <vector>

#include "base/monitor.h"
#include "tasks/ccg/evaluate.h"

namespace entente::ccg {

struct BenchRow {
  std::vector<Scores> scores;  // one a sentence
  std::string note;            // what is said below the row; one line
};

class KeptRows {
 public:
  explicit KeptRows(std::string folder);

  bool find(const std::string& key, BenchRow& out) const;
  void keep(const std::string& key, const BenchRow& row) const;
  // The row of this key, or the one that make() finds, which is kept unless it was stopped.
  template <typename Make>
  BenchRow get(const std::string& key, const Monitor& monitor, Make make) const {
    BenchRow row;
    if (find(key, row)) return row;
    row = make();
    if (!monitor.stopped()) keep(key, row);
    return row;
  }

 private:
  std::string path(const std::string& key) const;
  std::string folder_;
};

}  // namespace entente::ccg
