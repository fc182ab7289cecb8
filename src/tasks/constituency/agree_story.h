// What the runs of `entente agree` share: options, and the story of each run.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/files.h"
#include "entente/agreement.h"
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

AgreementOptions agree_options(const Settings& settings);
// The parser's options, with what was set on the command line.
ParseOptions agree_parsing(ParseOptions options, const Settings& settings);

// agree parse+dependency: phrases and heads, alone and together.
int parse_and_dependency(const TaskRequest& request);

}  // namespace entente::constituency
