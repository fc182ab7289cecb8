#include "pipeline/pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "corpus/corpus.h"
#include "entente/error.h"
#include "model/arc_agreement.h"
#include "tasks/registry.h"

namespace entente {

namespace {

constexpr std::string_view kTokens = "tokens";  // made of text, not of sentences

// The comments that CoNLL-U asks for, as far as raw text tells.
void add_comments(const Document& document, Sentence& sentence) {
  if (sentence.new_paragraph) sentence.comments.emplace_back("# newpar");
  write_text_comment(document, sentence);
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
    if (task->name() == kTokens) {
      segmenter_ = std::make_unique<Segmenter>(*file);
      continue;
    }
    if (!task->annotates_sentences()) continue;
    layers_.emplace_back(task->name());
    annotators_.push_back(task->load(*file));
  }
}

std::size_t Pipeline::index_of(std::string_view layer) const {
  const auto at = std::find(layers_.begin(), layers_.end(), layer);
  if (at == layers_.end()) {
    files_.front().fail(fmt::format("has no {}, only {}", layer, fmt::join(layers_, ", ")));
  }
  return static_cast<std::size_t>(at - layers_.begin());
}

void Pipeline::configure(std::string_view layer, const GivenSettings& given) {
  const std::size_t i = index_of(layer);
  annotators_[i]->configure(
      Settings(std::string(layer), find_task(layer).settings(), kAnnotate, given));
}

const Annotator& Pipeline::annotator(std::string_view layer) const {
  return *annotators_[index_of(layer)];
}

const ModelFile& Pipeline::file_of(std::string_view task) const {
  const Task& wanted = find_task(task);
  for (const ModelFile& file : files_) {
    if (wanted.is_in(file)) return file;
  }
  files_.front().fail(fmt::format("has no {}", task));
}

std::vector<std::string> Pipeline::layers_for(std::span<const std::string> wanted,
                                              std::span<const std::string_view> given) const {
  // What is there already is not made, and neither is what only it would have needed.
  const auto is_given = [&](std::string_view name) {
    return std::find(given.begin(), given.end(), name) != given.end();
  };
  std::vector<std::string> open(wanted.begin(), wanted.end()), reached = open;
  while (!open.empty()) {
    const Task& task = find_task(open.back());
    open.pop_back();
    for (std::string_view name : task.needs()) {
      if (is_given(name) || std::find(reached.begin(), reached.end(), name) != reached.end()) {
        continue;
      }
      reached.emplace_back(name);
      open.emplace_back(name);
    }
  }
  std::vector<std::string> out;
  for (const Task* task : all_tasks()) {
    const std::string name(task->name());
    if (name == kTokens || std::find(reached.begin(), reached.end(), name) == reached.end()) {
      continue;
    }
    index_of(name);
    out.push_back(name);
  }
  return out;
}

std::unique_ptr<Pipeline::Worker> Pipeline::make_worker() const {
  auto worker = std::make_unique<Worker>();
  if (segmenter_) worker->segmenting = segmenter_->make_scratch();
  for (const auto& annotator : annotators_) {
    worker->annotating.push_back(annotator->make_scratch());
  }
  return worker;
}

void Pipeline::collect_proofs(Worker& worker, ProofSink* proofs) const {
  for (const auto& scratch : worker.annotating) scratch->proofs = proofs;
}

Scratch& Pipeline::scratch_of(Worker& worker, std::string_view layer) const {
  return *worker.annotating[index_of(layer)];
}

bool Pipeline::has(std::string_view task) const {
  if (task == kTokens) return segmenter_ != nullptr;
  return std::find(layers_.begin(), layers_.end(), task) != layers_.end();
}

void Pipeline::segment(Document& document, Worker& worker) const {
  if (!segmenter_)
    files_.front().fail("cannot cut text into tokens: it was trained on a corpus without text");
  segmenter_->segment(document, *worker.segmenting);
  for (Sentence& s : document.sentences) add_comments(document, s);
}

void Pipeline::annotate(Sentence& sentence, Worker& worker,
                        std::span<const std::string> layers) const {
  std::size_t done = annotators_.size();  // a layer that was made together with another
  for (const std::string& name : layers) {
    const std::size_t i = index_of(name);
    if (i == done) continue;
    if (agree_ && dynamic_cast<const ArcAnnotator*>(annotators_[i].get()) != nullptr) {
      const auto partner =
          std::find_if(layers.begin(), layers.end(), [&](const std::string& other) {
            return dynamic_cast<const ArcPartner*>(annotators_[index_of(other)].get()) != nullptr;
          });
      if (partner != layers.end() && annotate_together(sentence, worker, i, index_of(*partner))) {
        done = index_of(*partner);
        continue;
      }
    }
    annotators_[i]->annotate(sentence, *worker.annotating[i]);
  }
}

bool Pipeline::can_agree(std::span<const std::string> layers) const {
  const auto any = [&](auto is) {
    return std::any_of(layers.begin(), layers.end(), [&](const std::string& name) {
      return has(name) && is(annotators_[index_of(name)].get());
    });
  };
  return any([](const Annotator* a) { return dynamic_cast<const ArcAnnotator*>(a) != nullptr; }) &&
         any([](const Annotator* a) { return dynamic_cast<const ArcPartner*>(a) != nullptr; });
}

bool Pipeline::annotate_together(Sentence& sentence, Worker& worker, std::size_t heads,
                                 std::size_t phrases) const {
  const auto& first = dynamic_cast<const ArcAnnotator&>(*annotators_[heads]);
  const auto& second = dynamic_cast<const ArcPartner&>(*annotators_[phrases]);
  ArcModel* arcs = first.arc_model(sentence, second.arc_weight(), *worker.annotating[heads]);
  if (arcs == nullptr) return false;
  AgreementResult result;
  if (!second.agree(sentence, *arcs, joint_options(), result, *worker.annotating[phrases])) {
    return false;
  }
  first.set_heads(sentence, result, *worker.annotating[heads]);
  return true;
}

}  // namespace entente
