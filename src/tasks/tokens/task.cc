#include "tasks/tokens/task.h"

#include <limits>

#include "model/settings.h"
#include "tasks/tokens/segmenter.h"
#include "tasks/tokens/trainer.h"

namespace entente {
namespace {

class NoAnnotator : public Annotator {
 public:
  void annotate(Sentence&, Scratch&) const override {}
};

}  // namespace

std::vector<std::pair<std::string, std::string>> TokensTask::settings() const {
  return {{"sentence_price", "share of a right sentence that a wrong one costs (0.4)"},
          {"token_bits", "2^bits weights for tokens (18)"},
          {"sentence_bits", "2^bits weights for sentences (20)"},
          {"rate", "size of the steps (0.1)"}};
}

std::unique_ptr<Annotator> TokensTask::load(const ModelFile& file) const {
  const Segmenter check(file);  // a bad model is refused here
  return std::make_unique<NoAnnotator>();
}

bool TokensTask::train(const TrainingData& data, const TrainingOptions& options,
                       ModelWriter& writer, Monitor& monitor) const {
  const SettingReader read(*this, options.settings);
  constexpr double kAny = std::numeric_limits<double>::max();
  tokens::TrainerSettings s;
  s.sentence_price = read.number("sentence_price", s.sentence_price, -kAny, kAny);
  s.token_bits = read.integer("token_bits", s.token_bits, 8, 26);
  s.sentence_bits = read.integer("sentence_bits", s.sentence_bits, 8, 26);
  s.rate = read.number("rate", s.rate, std::numeric_limits<double>::min(), 10);  // above 0
  tokens::Trainer trainer(data.train, options, s);
  for (; trainer.epoch() < trainer.epochs(); trainer.save_checkpoint()) {
    if (!trainer.run_epoch(monitor)) return false;
  }
  trainer.write(writer);
  return true;
}

}  // namespace entente
