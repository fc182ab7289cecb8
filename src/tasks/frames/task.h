// The frames layer of a sentence: targets, frames, arguments (see README.md here).
//
// Its model is trained from a FrameNet release (pipeline/train_frames.h), not from a treebank.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/task.h"
#include "tasks/frames/parser.h"

namespace entente {

class FramesTask : public Task {
 public:
  std::string_view name() const override { return "frames"; }
  std::string_view summary() const override {
    return "frames and their arguments, after FrameNet, exact under its rules";
  }
  std::vector<std::pair<std::string, std::string>> settings() const override;
  bool from_treebank() const override { return false; }
  bool train(const TrainingData& data, const TrainingOptions& options, ModelWriter& writer,
             Monitor& monitor) const override;
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool is_in(const ModelFile& file) const override { return file.has("frames/lexicon/text"); }
};

namespace frames {

class FramesAnnotator : public Annotator {
 public:
  explicit FramesAnnotator(const ModelFile& file) : parser_(file) {}

  std::unique_ptr<Scratch> make_scratch() const override;
  void annotate(Sentence& sentence, Scratch& scratch) const override;
  // require, forbid (roles), without, with (rules), decoder (its name), explain (no value)
  void configure(const std::string& option, const std::string& value) override;

  const FrameParser& parser() const { return parser_; }
  FrameOptions& options() { return options_; }

 private:
  FrameParser parser_;
  FrameOptions options_;
};

}  // namespace frames
}  // namespace entente
