#include "pipeline/train_frames.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "base/files.h"
#include "base/parallel.h"
#include "corpus/conllu.h"
#include "corpus/frame_comments.h"
#include "entente/error.h"
#include "model/settings.h"
#include "pipeline/frame_corpus.h"
#include "pipeline/frame_evaluation.h"
#include "tasks/frames/task.h"

namespace entente {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunk = 4000;  // exemplars in a file of the work folder

// Parsed exemplars, kept on disk a chunk at a time: parsing them all takes a quarter of an hour.
class ExemplarChunks {
 public:
  ExemplarChunks(const FramesPlan& plan, const Pipeline& pipeline, Monitor& monitor)
      : plan_(plan), monitor_(monitor) {
    for (int t = 0; t < plan.threads; ++t) {
      makers_.push_back(std::make_unique<FrameCorpusMaker>(pipeline));
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
    const std::string path = fmt::format("{}.work/exemplars-{:03}.conllu", plan_.output, chunk_++);
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
    parallel_for(static_cast<int>(waiting_.size()), plan_.threads, [&](int i, int thread) {
      if (!monitor_.stopped()) out[i] = makers_[thread]->sentence(waiting_[i], reports[thread]);
    });
    for (const framenet::Report& r : reports) report.add(r);
    return out;
  }

  const FramesPlan& plan_;
  Monitor& monitor_;
  std::vector<std::unique_ptr<FrameCorpusMaker>> makers_;
  std::vector<framenet::AnnotatedSentence> waiting_;
  int chunk_ = 0;
};

void prepare_work_folder(const FramesPlan& plan) {
  const std::string folder = plan.output + ".work";
  std::error_code error;
  if (plan.restart) fs::remove_all(folder, error);
  fs::create_directory(folder, error);
  if (error) throw Error("cannot write: " + error.message(), {.file = folder});
}

}  // namespace

bool train_frames(const FramesPlan& plan, const Pipeline& pipeline, Monitor& monitor) {
  framenet::Report report;
  frames::FramesSettings settings = plan.settings;
  settings.arguments.threads = plan.threads;
  frames::FramesTraining training(framenet::read_lexicon(plan.release, report), settings);
  prepare_work_folder(plan);
  for (const Sentence& s :
       read_frame_corpus(plan.release, plan.documents, pipeline, plan.threads, report, monitor)) {
    training.add_full_text(s);
  }
  if (monitor.stopped()) return false;
  if (plan.exemplars) {
    ExemplarChunks chunks(plan, pipeline, monitor);
    if (!chunks.each(report, [&](const Sentence& s) { training.add_exemplar(s); })) return false;
  }
  for (const std::string& line : report.lines()) monitor.say(line);
  monitor.say(fmt::format("{} predicates to learn from", training.predicates()));
  if (training.predicates() == 0) throw Error("the documents have no annotation to learn from");
  if (!training.run(plan.output + ".work/checkpoint", monitor)) return false;
  ModelWriter writer(kPipelineTask, kPipelineFingerprint);
  training.write(writer);
  writer.write(plan.output);
  std::error_code ignored;
  fs::remove_all(plan.output + ".work", ignored);
  return true;
}

frames::FramesSettings frames_settings(const std::map<std::string, std::string>& settings) {
  const FramesTask task;
  const SettingReader read(task, settings);
  frames::FramesSettings s;
  frames::ArgumentSettings& a = s.arguments;
  a.epochs = read.integer("epochs", a.epochs, 1, 100);
  a.bits = read.integer("size", a.bits, 8, 28);
  a.rate = read.number("rate", a.rate, 1e-6, 10);
  a.hide = read.number("hide", a.hide, 0, 0.9);
  a.bias = read.number("bias", a.bias, -10, 10);
  s.exemplar_weight = read.number("exemplar_weight", s.exemplar_weight, 0, 10);
  return s;
}

}  // namespace entente
