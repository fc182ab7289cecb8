// The frames layer of a sentence: targets, frames, arguments (see README.md here).
//
// Its model is trained from a FrameNet release, not from a treebank, and stands beside the one that
// gives tags and trees.
#pragma once

#include <memory>
#include <string>
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
  std::vector<std::string_view> needs() const override {
    return {"tokens", "tags", "lemmas", "dependency"};
  }
  std::vector<Setting> settings() const override;
  bool from_treebank() const override { return false; }
  std::string_view training_files() const override { return {}; }
  bool train(const TrainRequest& request) const override;
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool is_in(const ModelFile& file) const override { return file.has("frames/lexicon/text"); }
  std::string_view evaluation_files() const override { return {}; }
  void evaluate(const EvaluateRequest& request) const override;
  std::string_view list_help() const override {
    return "the frames of the model; of those named, their roles and words";
  }
  void list(const TaskRequest& request) const override;
};

namespace frames {

class FramesAnnotator : public Annotator {
 public:
  explicit FramesAnnotator(const ModelFile& file) : parser_(file) {}

  std::unique_ptr<Scratch> make_scratch() const override;
  void annotate(Sentence& sentence, Scratch& scratch) const override;
  void configure(const Settings& settings) override;

  const FrameParser& parser() const { return parser_; }

 private:
  FrameParser parser_;
  FrameOptions options_;
};

// Of settings "require", "forbid", "with", "without", "decoder", "explain", as far as they are there.
FrameOptions frame_options(const Settings& settings, const FrameParser& parser);

}  // namespace frames
}  // namespace entente
