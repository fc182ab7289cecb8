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

Pipeline::Pipeline(const std::vector<std::string>& model_paths) {
  for (const std::string& path : model_paths) {
    files_.emplace_back(path).expect(kPipelineTask, kPipelineFingerprint);
  }
  for (const Task* task : all_tasks()) {
    const auto file = std::find_if(files_.begin(), files_.end(),
                                   [&](const ModelFile& f) { return task->is_in(f); });
    if (file == files_.end()) continue;
    if (task->name() == "tokens") {
      segmenter_ = std::make_unique<Segmenter>(*file);
      continue;
    }
    layers_.emplace_back(task->name());
    annotators_.push_back(task->load(*file));
  }
}

std::size_t Pipeline::index_of(std::string_view layer) const {
  return layers_up_to(layer).size() - 1;
}

void Pipeline::configure(std::string_view layer, const std::string& option,
                         const std::string& value) {
  annotators_[index_of(layer)]->configure(option, value);
}

const Annotator& Pipeline::annotator(std::string_view layer) const {
  return *annotators_[index_of(layer)];
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
  return *worker.annotating[index_of(layer)];
}

bool Pipeline::has(std::string_view task) const {
  if (task == "tokens") return segmenter_ != nullptr;
  return std::find(layers_.begin(), layers_.end(), task) != layers_.end();
}

std::vector<std::string> Pipeline::layers_up_to(std::string_view task) const {
  const auto at = std::find(layers_.begin(), layers_.end(), task);
  if (at == layers_.end()) {
    files_.front().fail(fmt::format("has no {}, only {}", task, fmt::join(layers_, ", ")));
  }
  return {layers_.begin(), at + 1};
}

void Pipeline::segment(Document& document, Worker& worker) const {
  if (!segmenter_)
    files_.front().fail("cannot cut text into tokens: it was trained on a corpus without text");
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
