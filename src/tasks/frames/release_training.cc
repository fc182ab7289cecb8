#include "tasks/frames/release_training.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "base/files.h"
#include "base/parallel.h"
#include "corpus/conllu.h"
#include "corpus/layers/frames/comments.h"
#include "entente/error.h"
#include "tasks/frames/corpus.h"

namespace entente::frames {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunk = 4000;  // exemplars in a file of the work folder

// Parsed exemplars, kept on disk a chunk at a time: parsing them all takes a quarter of an hour.
class ExemplarChunks {
 public:
  ExemplarChunks(const ReleasePlan& plan, const TrainRequest& request)
      : plan_(plan), request_(request), monitor_(*request.monitor) {
    for (int t = 0; t < request.options.threads; ++t) {
      makers_.push_back(std::make_unique<FrameCorpusMaker>(request.models->below()));
    }
  }

  // Calls use(sentence) for each, in order. False if stopped.
  bool each(framenet::Report& report, const std::function<void(const Sentence&)>& use) {
    monitor_.stage("tags and trees of exemplars", 0);
    bool going = true;
    framenet::for_each_exemplar(plan_.release, report, [&](framenet::AnnotatedSentence&& s) {
      waiting_.push_back(std::move(s));
      if (waiting_.size() == kChunk) going = flush(report, use);
      return going;
    });
    return going && flush(report, use);
  }

 private:
  bool flush(framenet::Report& report, const std::function<void(const Sentence&)>& use) {
    const std::string path =
        fmt::format("{}/exemplars-{:03}.conllu", request_.work_folder, chunk_++);
    std::vector<Sentence> sentences;
    if (fs::exists(path)) {
      InputFile file(path);
      ConlluReader reader(file);
      for (Sentence s; reader.read(s);) {
        read_frame_comments(s);
        sentences.push_back(std::move(s));
      }
    } else {
      sentences = parse(report);
      if (monitor_.stopped()) return false;
      std::string text;
      for (const Sentence& s : sentences) {
        if (s.size() > 0) append_conllu(text, s);
      }
      write_whole_file(path, text);
    }
    for (const Sentence& s : sentences) {
      if (s.size() > 0) use(s);
    }
    monitor_.advance(static_cast<std::int64_t>(waiting_.size()));
    waiting_.clear();
    return true;
  }

  std::vector<Sentence> parse(framenet::Report& report) {
    std::vector<Sentence> out(waiting_.size());
    std::vector<framenet::Report> reports(makers_.size());
    parallel_for(static_cast<int>(waiting_.size()), request_.options.threads,
                 [&](int i, int thread) {
                   if (!monitor_.stopped())
                     out[i] = makers_[thread]->sentence(waiting_[i], reports[thread]);
                 });
    for (const framenet::Report& r : reports) report.add(r);
    return out;
  }

  const ReleasePlan& plan_;
  const TrainRequest& request_;
  Monitor& monitor_;
  std::vector<std::unique_ptr<FrameCorpusMaker>> makers_;
  std::vector<framenet::AnnotatedSentence> waiting_;
  int chunk_ = 0;
};

}  // namespace

bool train_from_release(const ReleasePlan& plan, const TrainRequest& request) {
  Monitor& monitor = *request.monitor;
  framenet::Report report;
  FramesSettings settings = plan.settings;
  settings.arguments.threads = request.options.threads;
  FramesTraining training(framenet::read_lexicon(plan.release, report), settings);
  for (const Sentence& s : read_frame_corpus(plan.release, plan.documents, request.models->below(),
                                             request.options.threads, report, monitor)) {
    training.add_full_text(s);
  }
  if (monitor.stopped()) return false;
  if (plan.exemplars) {
    ExemplarChunks chunks(plan, request);
    if (!chunks.each(report, [&](const Sentence& s) { training.add_exemplar(s); })) return false;
  }
  for (const std::string& line : report.lines()) monitor.say(line);
  monitor.say(fmt::format("{} predicates to learn from", training.predicates()));
  if (training.predicates() == 0) throw Error("the documents have no annotation to learn from");
  if (!training.run(request.options.checkpoint, monitor)) return false;
  training.write(*request.writer);
  return true;
}

}  // namespace entente::frames
