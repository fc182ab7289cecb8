#include "pipeline/pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "entente/error.h"
#include "tasks/registry.h"

namespace entente {

namespace {

// The comments that CoNLL-U asks for, as far as raw text tells.
void add_comments(const Document& document, Sentence& sentence) {
  if (sentence.new_paragraph) sentence.comments.emplace_back("# newpar");
  std::string text = "# text = ";
  for (std::int64_t i = sentence.begin; i < sentence.end; ++i) {
    const char c = document.text[i];
    text += c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
  }
  sentence.comments.push_back(std::move(text));
}

}  // namespace

Pipeline::Pipeline(const std::string& model_path) : file_(model_path) {
  file_.expect(kPipelineTask, kPipelineFingerprint);
  for (const Task* task : all_tasks()) {
    if (!task->is_in(file_)) continue;
    if (task->name() == "tokens") {
      segmenter_ = std::make_unique<Segmenter>(file_);
      continue;
    }
    layers_.emplace_back(task->name());
    annotators_.push_back(task->load(file_));
  }
}

std::unique_ptr<Pipeline::Worker> Pipeline::make_worker() const {
  auto worker = std::make_unique<Worker>();
  if (segmenter_) worker->segmenting = segmenter_->make_scratch();
  for (const auto& annotator : annotators_) {
    worker->annotating.push_back(annotator->make_scratch());
  }
  return worker;
}

Scratch& Pipeline::scratch_of(Worker& worker, std::string_view layer) const {
  return *worker.annotating[layers_up_to(layer).size() - 1];
}

bool Pipeline::has(std::string_view task) const {
  if (task == "tokens") return segmenter_ != nullptr;
  return std::find(layers_.begin(), layers_.end(), task) != layers_.end();
}

std::vector<std::string> Pipeline::layers_up_to(std::string_view task) const {
  const auto at = std::find(layers_.begin(), layers_.end(), task);
  if (at == layers_.end()) {
    file_.fail(fmt::format("has no {}, only {}", task, fmt::join(layers_, ", ")));
  }
  return {layers_.begin(), at + 1};
}

void Pipeline::segment(Document& document, Worker& worker) const {
  if (!segmenter_)
    file_.fail("cannot cut text into tokens: it was trained on a corpus without text");
  segmenter_->segment(document, *worker.segmenting);
  for (Sentence& s : document.sentences) add_comments(document, s);
}

void Pipeline::annotate(Sentence& sentence, Worker& worker,
                        std::span<const std::string> layers) const {
  for (const std::string& name : layers) {
    const auto at = std::find(layers_.begin(), layers_.end(), name);
    if (at == layers_.end()) layers_up_to(name);  // says what there is
    const auto i = static_cast<std::size_t>(at - layers_.begin());
    annotators_[i]->annotate(sentence, *worker.annotating[i]);
  }
}

}  // namespace entente
