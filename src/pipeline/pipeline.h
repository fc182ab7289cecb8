// Text in, annotated Document out: the path of a sentence. The command goes through here, and so
// does whoever embeds it.
//
//   Pipeline pipeline({"models/english.model", "models/frames.model"});
//   pipeline.configure("dependency", {{"rounds", "60"}});        // how hard it tries
//   auto worker = pipeline.make_worker();                        // one per thread
//   const auto layers = pipeline.layers_for({"frames"});         // with what it needs
//   Document document{.text = "Austria is elbowing its partners."};
//   pipeline.segment(document, *worker);                         // sentences, tokens, words
//   for (Sentence& s : document.sentences) pipeline.annotate(s, *worker, layers);
//
// A model holds some tasks; the pipeline runs those asked for, each after those it needs(), and no
// other. Of several models, the first that has a task gives it. Immutable once made and configured:
// one serves many threads.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/document.h"
#include "learn/model_file.h"
#include "model/task.h"
#include "tasks/tokens/segmenter.h"

namespace entente {

// Also what a model file of a whole pipeline says it is for.
inline constexpr const char* kPipelineTask = "pipeline";
inline constexpr std::uint64_t kPipelineFingerprint = 1;

class Pipeline {
 public:
  explicit Pipeline(const std::string& model_path) : Pipeline(std::vector{model_path}) {}
  explicit Pipeline(const std::vector<std::string>& model_paths);

  class Worker {
    friend class Pipeline;
    std::unique_ptr<Scratch> segmenting;
    std::vector<std::unique_ptr<Scratch>> annotating;
  };
  std::unique_ptr<Worker> make_worker() const;
  // From now on every layer proves what it decides and leaves the proof there; null: no more.
  void collect_proofs(Worker& worker, ProofSink* proofs) const;
  // What the task of a layer works in, for statistics that it keeps there.
  Scratch& scratch_of(Worker& worker, std::string_view layer) const;

  const std::string& model_name() const { return files_.front().name(); }
  bool has(std::string_view task) const;
  // The tasks of the model that add a layer to sentences, in the order they run.
  std::span<const std::string> layers() const { return layers_; }
  // How a layer works: the task's settings for kAnnotate. Before any worker is made. Each call says
  // all of it: what is not given is as the settings' table says.
  void configure(std::string_view layer, const GivenSettings& given);
  // A layer's own annotator, and the model it came from, for those who know its task.
  const Annotator& annotator(std::string_view layer) const;
  const ModelFile& file_of(std::string_view task) const;
  // The layers to run for these: with all they need, in the order they run, without "tokens". An
  // Error if the models have not all of them. `given` are there already and need not be made.
  std::vector<std::string> layers_for(std::span<const std::string> wanted,
                                      std::span<const std::string_view> given = {}) const;

  // Sentences with their text as a comment. An Error if the model has no "tokens".
  void segment(Document& document, Worker& worker) const;
  // From now on a layer of heads and one of phrases are made together, as the best pair that
  // agrees, where both are asked for. Before any worker is made.
  void agree(bool on) { agree_ = on; }
  // Are there two among these layers that agree() makes together?
  bool can_agree(std::span<const std::string> layers) const;
  // Runs those of `layers` that the model has; a name that it does not have is an Error.
  void annotate(Sentence& sentence, Worker& worker, std::span<const std::string> layers) const;

 private:
  std::size_t index_of(std::string_view layer) const;  // an Error if there is none
  // Two layers of one optimum; false: nothing was done.
  bool annotate_together(Sentence& sentence, Worker& worker, std::size_t heads,
                         std::size_t phrases) const;

  bool agree_ = false;
  std::deque<ModelFile> files_;           // where annotators read their weights: must not move
  std::unique_ptr<Segmenter> segmenter_;  // may be null
  std::vector<std::string> layers_;
  std::vector<std::unique_ptr<Annotator>> annotators_;  // of layers_
};

}  // namespace entente
