// Training of the tokenizer and sentence splitter (segmenter.h) from a treebank.
//
//   TokensTask task;
//   ModelWriter writer("tokens", fingerprint);
//   task.train({train, dev}, options, writer, monitor);      // sections "tokens/..."
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
  std::vector<std::pair<std::string, std::string>> settings() const override;
  bool train(const TrainingData& data, const TrainingOptions& options, ModelWriter& writer,
             Monitor& monitor) const override;
  // Tokens come from text, not from sentences: this annotator leaves sentences as they are. Use
  // Segmenter.
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool is_in(const ModelFile& file) const override { return file.has("tokens/version"); }
};

}  // namespace entente
