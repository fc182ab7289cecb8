#include "tasks/frames/task.h"

#include "base/text.h"
#include "entente/error.h"

namespace entente {

namespace {

struct FramesScratch : Scratch {
  frames::FrameParser::Workspace work;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> FramesTask::settings() const {
  return {{"epochs", "times through the predicates for arguments (3)"},
          {"size", "2^size weights for arguments (24)"},
          {"rate", "size of the steps for arguments (0.05)"},
          {"hide", "share of features hidden at each step, against overfitting (0.1)"},
          {"bias", "added to every span's score: recall against precision (0.5)"},
          {"exemplar_weight", "what an exemplar counts for arguments, a full text counts 1 (0.4)"}};
}

bool FramesTask::train(const TrainingData& /*data*/, const TrainingOptions& /*options*/,
                       ModelWriter& /*writer*/, Monitor& /*monitor*/) const {
  throw Error("frames are learned from a FrameNet release: entente train frames --framenet DIR");
}

std::unique_ptr<Annotator> FramesTask::load(const ModelFile& file) const {
  return std::make_unique<frames::FramesAnnotator>(file);
}

namespace frames {

std::unique_ptr<Scratch> FramesAnnotator::make_scratch() const {
  return std::make_unique<FramesScratch>();
}

void FramesAnnotator::annotate(Sentence& sentence, Scratch& scratch) const {
  parser_.parse(sentence, options_, dynamic_cast<FramesScratch&>(scratch).work);
}

void FramesAnnotator::configure(const std::string& option, const std::string& value) {
  RuleSet& rules = options_.rules;
  if (option == "require") {
    rules.require.push_back(parse_role_rule(value, parser_.lexicon()));
  } else if (option == "forbid") {
    rules.forbid.push_back(parse_role_rule(value, parser_.lexicon()));
  } else if (option == "with" || option == "without") {
    rules.switch_rule(value, option == "with");
  } else if (option == "decoder") {
    options_.decoder = parse_decoder(value);
  } else if (option == "explain") {
    options_.explain = true;
  } else {
    Annotator::configure(option, value);
  }
}

}  // namespace frames
}  // namespace entente
