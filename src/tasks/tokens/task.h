// Training of the tokenizer and sentence splitter (segmenter.h) from a treebank.
//
//   TokensTask task;
//   task.train(request);                                     // sections "tokens/..."
//
// The text is put together from the treebank (treebank_text.h), so that any UD treebank will do.
// Three linear models are learned side by side, one pass over the paragraphs an epoch. The result
// depends on data, seed and epochs alone. English (UD EWT, 200,000 words): about a minute.
#pragma once

#include <memory>
#include <string_view>

#include "model/task.h"

namespace entente {

class TokensTask : public Task {
 public:
  std::string_view name() const override { return "tokens"; }
  std::string_view summary() const override {
    return "tokenizer and sentence splitter: raw text to sentences, tokens and words";
  }
  std::vector<Setting> settings() const override;
  bool train(const TrainRequest& request) const override;
  void evaluate(const EvaluateRequest& request) const override;
  std::vector<TaskCommand> commands() const override;  // bench lines
  // Tokens come from text, not from sentences: this annotator leaves sentences as they are. Use
  // Segmenter.
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool annotates_sentences() const override { return false; }
  bool is_in(const ModelFile& file) const override { return file.has("tokens/version"); }
};

}  // namespace entente
