// What the commands of translation share: models, weights and texts as the settings name them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/task.h"
#include "tasks/translation/bleu.h"
#include "tasks/translation/decoder.h"

namespace entente::translation {

using Words = std::vector<std::string>;

// The lines of a file, cut at spaces; gzipped or not.
std::vector<Words> read_lines(const std::string& path, bool lenient);

// `name value` lines; # begins a comment.
Weights read_weights(LineSource& file);
std::string write_weights(const Weights& weights);
// Tuned on the Chinese-English grammar of docs/translation.md.
Weights default_weights();

// ARPA text or our own format.
class LanguageModelFile {
 public:
  explicit LanguageModelFile(const std::string& path);  // empty: no model
  const LanguageModel& lm() const { return lm_; }

 private:
  std::optional<ModelFile> file_;
  LanguageModel lm_;
};

// Grammar, language model and weights of a request.
class Models {
 public:
  explicit Models(const TaskRequest& request);
  const Grammar& grammar() const { return grammar_; }
  const LanguageModel& lm() const { return lm_->lm(); }
  const Weights& weights() const { return weights_; }

 private:
  Grammar grammar_;
  std::unique_ptr<LanguageModelFile> lm_;
  Weights weights_;
};

DecodeOptions decode_options(const TaskRequest& request);
// BLEU of translations, one reference text each.
BleuCounts bleu_of(const std::vector<Words>& translations,
                   const std::vector<std::vector<Words>>& references);
// Reads reference files, each as long as `text`, which is the file `of`.
std::vector<std::vector<Words>> read_references(std::span<const std::string> paths,
                                                std::span<const Words> text, const std::string& of,
                                                bool lenient);

int run_translate(const TaskRequest& request);
int run_tune(const TaskRequest& request);
int run_bench(const TaskRequest& request);
// entente convert lm.arpa lm.bin
void convert_language_model(const std::string& from, const std::string& to);

}  // namespace entente::translation
