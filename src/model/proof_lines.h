// Proofs of many decisions in one file, two lines each: a problem, then its certificate.
//
//   ProofLines lines;                          // one a thread, or a job
//   scratch.proofs = &lines;   ...             // tasks add to it
//   file.add(lines);                           // a ProofFile: in the order of the results
//   return file.finish(quiet);                 // renamed into place; 0, or 1: some prove no optimum
//
// `entente verify FILE.jsonl` and tools/check_certificate.py check such a file.
#pragma once

#include <string>

#include "base/files.h"
#include "model/proofs.h"

namespace entente {

class ProofLines : public ProofSink {
 public:
  void add(std::string_view layer, const Graph& problem, const Certificate& certificate) override;
  void add(std::string_view layer, const ForestProblem& problem,
           const ForestCertificate& certificate) override;

  // A decision that there is no proof of: nothing is written, and it counts as incomplete.
  void miss() {
    ++count_;
    ++incomplete_;
  }

  std::string take() { return std::move(text_); }
  int count() const { return count_; }
  int incomplete() const { return incomplete_; }  // do not prove an optimum by themselves
  void reset() {
    text_.clear();
    count_ = incomplete_ = 0;
  }

 private:
  void tally(double value, double bound, bool complete);

  std::string text_;
  int count_ = 0, incomplete_ = 0;
};

// Do value and bound meet, in a log that stands by itself?
bool proves_optimum(double value, double bound, bool complete);

// What to say of a file of proofs when it is written, and its exit code.
int report_proofs(const std::string& path, int count, int incomplete, bool quiet);

// A file of proofs that is written while results come.
class ProofFile {
 public:
  explicit ProofFile(const std::string& path) : path_(path), file_(path) {}
  void add(ProofLines& lines) {
    count_ += lines.count();
    incomplete_ += lines.incomplete();
    file_.write(lines.take());
    lines.reset();
  }
  int finish(bool quiet) {
    file_.commit();
    return report_proofs(path_, count_, incomplete_, quiet);
  }

 private:
  std::string path_;
  OutputFile file_;
  int count_ = 0, incomplete_ = 0;
};

}  // namespace entente
