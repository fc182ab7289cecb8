// What the runs of `entente agree` share: options, the story of each run, and its proofs.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/files.h"
#include "entente/agreement.h"
#include "model/proof_lines.h"
#include "model/task.h"
#include "tasks/constituency/parser.h"
#include "tasks/constituency/round_plot.h"

namespace entente::constituency {

// Rounds as JSON lines (--trace), and as a picture (--plot).
class Story {
 public:
  explicit Story(const TaskRequest& request);
  std::function<void(const AgreementRound&)> of(int problem);
  void cost(int words, double seconds) { plot_.add_cost(words, seconds); }
  void finish();
  void finish_trace();  // without the picture

 private:
  std::unique_ptr<OutputFile> trace_;
  std::string plot_path_;
  RoundPlot plot_;
};

// The proofs of --certificate, if they are asked for.
class Proofs {
 public:
  explicit Proofs(const TaskRequest& request);
  ProofLines* sink() { return file_ ? &lines_ : nullptr; }  // null: none are asked for
  void flush();                                             // after every sentence
  int finish();                                             // the exit code

 private:
  ProofLines lines_;
  std::unique_ptr<ProofFile> file_;
};

AgreementOptions agree_options(const TaskRequest& request);
// The parser's options, with what was set on the command line.
ParseOptions agree_parsing(ParseOptions options, const Settings& settings);

// agree parse+dependency: phrases and heads, alone and together.
int parse_and_dependency(const TaskRequest& request);
// agree corpus-tags: the tags of a corpus, sentence by sentence and together.
int corpus_tags(const TaskRequest& request);

}  // namespace entente::constituency
