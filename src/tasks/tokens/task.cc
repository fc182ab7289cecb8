#include "tasks/tokens/task.h"

#include "model/treebank_evaluation.h"
#include "tasks/tokens/segmenter.h"
#include "tasks/tokens/trainer.h"

namespace entente {
namespace {

class NoAnnotator : public Annotator {
 public:
  void annotate(Sentence&, Scratch&) const override {}
};

}  // namespace

std::vector<Setting> TokensTask::settings() const {
  const tokens::TrainerSettings s;
  return {setting::number("sentence_price", s.sentence_price, -1e6, 1e6,
                          "share of a right sentence that a wrong one costs"),
          setting::integer("token_bits", s.token_bits, 8, 26, "2^bits weights for tokens"),
          setting::integer("sentence_bits", s.sentence_bits, 8, 26, "2^bits weights for sentences"),
          setting::number("rate", s.rate, 1e-6, 10, "size of the steps")};
}

void TokensTask::evaluate(const EvaluateRequest& request) const { evaluate_treebank(request, {}); }

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
  tokens::Trainer trainer(request.data.train, request.options, s);
  for (; trainer.epoch() < trainer.epochs(); trainer.save_checkpoint()) {
    if (!trainer.run_epoch(*request.monitor)) return false;
  }
  trainer.write(*request.writer);
  return true;
}

}  // namespace entente
