// Proofs of many decisions in one file, two lines each: a problem, then its certificate.
//
//   ProofLines lines;                          // one a thread, or a job
//   scratch.proofs = &lines;   ...             // tasks add to it
//   file.write(lines.take());
//
// `entente verify FILE.jsonl` and tools/check_certificate.py check such a file.
#pragma once

#include <string>

#include "model/proofs.h"

namespace entente::cli {

class ProofLines : public ProofSink {
 public:
  void add(std::string_view layer, const Graph& problem, const Certificate& certificate) override;

  std::string take() { return std::move(text_); }
  int count() const { return count_; }
  int incomplete() const { return incomplete_; }  // do not prove an optimum by themselves
  void reset() {
    text_.clear();
    count_ = incomplete_ = 0;
  }

 private:
  std::string text_;
  int count_ = 0, incomplete_ = 0;
};

// What to say of a file of proofs when it is written, and its exit code.
int report_proofs(const std::string& path, int count, int incomplete, bool quiet);

}  // namespace entente::cli
