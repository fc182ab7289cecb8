#include "tasks/translation/task.h"

#include <fmt/format.h>

#include "base/json.h"
#include "entente/error.h"
#include "tasks/translation/commands.h"

namespace entente {

std::vector<Setting> TranslationTask::settings() const {
  const translation::DecodeOptions d;
  const unsigned all = kOwn | kBench;
  return {
      setting::text("grammar", "", "synchronous rules, as Hiero writes them; gzipped or not")
          .in(all),
      setting::text("lm", "", "language model: ARPA, gzipped or not, or what convert made of it")
          .in(all),
      setting::text("weights", "", "file of `name value` lines (those of docs/translation.md)")
          .in(all),
      setting::choice("method", {"exact", "cube"}, "exact", "how to search").in(kOwn),
      setting::integer("beam", d.beam, 1, 1000000, "of cube pruning: parts a node").in(all),
      setting::text("certificate", "",
                    "translate: file for the proofs (JSON lines); entente verify checks it")
          .in(kOwn),
      setting::integer("k_best", 1, 1, 100000, "so many different translations").in(kOwn),
      setting::integer("longest", d.longest, 1, 1000, "words that a rule may cover").in(all),
      setting::integer("edges", static_cast<int>(d.edges), 1000, 1000000000,
                       "exact: at most so many in a forest, then a bound is all there is")
          .in(all),
      setting::integer("iterations", 8, 1, 100, "tune: of decoding and fitting").in(kOwn),
      setting::integer("list", 100, 1, 10000, "tune: translations a sentence and iteration")
          .in(kOwn),
      setting::text("plot", "", "file for the picture (SVG)").in(kBench),
  };
}

bool TranslationTask::train(const TrainRequest& /*request*/) const {
  throw Error("translation has no model to train; `entente tune` fits the weights of a grammar");
}

std::unique_ptr<Annotator> TranslationTask::load(const ModelFile& file) const {
  file.fail("translation has no model file: `entente translate --grammar G --lm L` takes its own");
}

void TranslationTask::evaluate(const EvaluateRequest& request) const {
  using namespace translation;
  if (request.inputs.size() < 2) throw Error("expected files: references, then the translations");
  const std::vector<Words> system = read_lines(request.inputs.back(), request.lenient);
  const auto references =
      read_references(std::span(request.inputs).first(request.inputs.size() - 1), system,
                      request.inputs.back(), request.lenient);
  const BleuCounts b = bleu_of(system, references);
  if (request.json) {
    JsonWriter w;
    w.begin_object().key("bleu").number(b.bleu()).key("precisions").begin_array();
    for (int n = 1; n <= 4; ++n) w.number(b.precision(n));
    w.end_array().key("brevity").number(b.brevity()).key("length").integer(b.length);
    w.key("reference_length").integer(b.reference).end_object();
    request.write(w.text() + "\n");
    return;
  }
  request.write(fmt::format(
      "BLEU = {:.2f}, {:.1f}/{:.1f}/{:.1f}/{:.1f} (BP={:.3f}, ratio={:.3f}, hyp_len={}, "
      "ref_len={})\n",
      b.bleu(), 100 * b.precision(1), 100 * b.precision(2), 100 * b.precision(3),
      100 * b.precision(4), b.brevity(),
      b.reference > 0 ? static_cast<double>(b.length) / static_cast<double>(b.reference) : 0.0,
      b.length, b.reference));
}

std::vector<TaskCommand> TranslationTask::commands() const {
  return {{kOwn, "translate", "Translate lines by a grammar and a language model, exactly",
           "files of sentences, words apart by spaces; - is standard input",
           translation::run_translate},
          {kOwn, "tune", "Fit the weights of a translation grammar to references",
           "a file of sentences, then files of references", translation::run_tune},
          {kBench, "translation", "Exact decoding beside cube pruning at several beams",
           "a file of sentences, then files of references", translation::run_bench}};
}

}  // namespace entente
