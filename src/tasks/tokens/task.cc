#include "tasks/tokens/task.h"

#include <fmt/format.h>

#include "corpus/gzip.h"
#include "model/treebank_evaluation.h"
#include "tasks/tokens/hard_lines.h"
#include "tasks/tokens/segmenter.h"
#include "tasks/tokens/trainer.h"

namespace entente {
namespace {

class NoAnnotator : public Annotator {
 public:
  void annotate(Sentence&, Scratch&) const override {}
};

int bench_lines(const TaskRequest& request) {
  std::vector<tokens::HardLine> lines;
  for (const std::string& path : request.inputs) {
    CorpusFile file(path);
    for (tokens::HardLine& line : tokens::read_hard_lines(file, path)) {
      lines.push_back(std::move(line));
    }
  }
  if (lines.empty()) throw Error("no lines to judge");
  const Segmenter segmenter(request.models->file());
  const auto scores = tokens::score_hard_lines(segmenter, lines);
  tokens::HardLineScore all{.kind = "all", .lines = 0, .right = 0, .wrong = {}};
  std::string out;
  const auto add = [&](const tokens::HardLineScore& s) {
    out += fmt::format("{:<22} {:>4} of {:>4} {:>7.1f}%\n", s.kind, s.right, s.lines,
                       100.0 * s.right / s.lines);
    if (request.settings.flag("wrong")) {
      for (const std::string& w : s.wrong) out += "    " + w + "\n";
    }
  };
  for (const tokens::HardLineScore& s : scores) {
    add(s);
    all.lines += s.lines;
    all.right += s.right;
  }
  add(all);
  request.write(out);
  return 0;
}

}  // namespace

std::vector<Setting> TokensTask::settings() const {
  const tokens::TrainerSettings s;
  return {setting::number("sentence_price", s.sentence_price, -1e6, 1e6,
                          "share of a right sentence that a wrong one costs"),
          setting::integer("token_bits", s.token_bits, 8, 26, "2^bits weights for tokens"),
          setting::integer("sentence_bits", s.sentence_bits, 8, 26, "2^bits weights for sentences"),
          setting::number("rate", s.rate, 1e-6, 10, "size of the steps"),
          setting::number("copies", s.copies, 0, 1,
                          "share of paragraphs also learned in other layouts"),
          setting::flag("wrong", "also what was found in lines that are not right").in(kBench)};
}

void TokensTask::evaluate(const EvaluateRequest& request) const { evaluate_treebank(request, {}); }

std::vector<TaskCommand> TokensTask::commands() const {
  return {{.verb = kBench,
           .name = "lines",
           .summary = "tokens and sentences of hard lines, by kind",
           .inputs_help = "files of hard lines (tests/data/hard_lines.tsv)",
           .run = bench_lines}};
}

std::unique_ptr<Annotator> TokensTask::load(const ModelFile& file) const {
  const Segmenter check(file);  // a bad model is refused here
  return std::make_unique<NoAnnotator>();
}

bool TokensTask::train(const TrainRequest& request) const {
  tokens::TrainerSettings s;
  s.sentence_price = request.settings.number("sentence_price");
  s.token_bits = request.settings.integer("token_bits");
  s.sentence_bits = request.settings.integer("sentence_bits");
  s.rate = request.settings.number("rate");
  s.copies = request.settings.number("copies");
  tokens::Trainer trainer(request.data.train, request.options, s);
  if (!trainer.run(*request.monitor)) return false;
  trainer.write(*request.writer);
  return true;
}

}  // namespace entente
