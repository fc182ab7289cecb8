// entente parse and entente predict: text or sentences in, annotated sentences out, in order.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/files.h"
#include "base/ordered.h"
#include "base/parallel.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/language_commands.h"
#include "cli/progress.h"
#include "corpus/conllu.h"
#include "corpus/gzip.h"
#include "corpus/text_reader.h"
#include "corpus/writers.h"
#include "entente/error.h"
#include "pipeline/pipeline.h"

namespace entente::cli {

namespace {

constexpr int kBatch = 32;  // sentences of a corpus that are one job

// A text given in quotes instead of a file: it has a space, and no file is called that.
bool is_quoted_text(const std::string& input) {
  return input.find_first_of(" \n") != std::string::npos && ::access(input.c_str(), F_OK) != 0;
}

// Where documents come from, a few sentences or a paragraph at a time.
class Inputs {
 public:
  Inputs(std::vector<std::string> paths, bool is_text, bool lenient)
      : paths_(std::move(paths)), is_text_(is_text), lenient_(lenient) {
    std::error_code error;
    for (const std::string& path : paths_) {
      const bool file = std::filesystem::is_regular_file(path, error);
      total_ = file && total_ >= 0
                   ? total_ + static_cast<std::int64_t>(std::filesystem::file_size(path, error))
                   : -1;
    }
  }

  bool next(Document& document) {
    while (true) {
      if (!lines_ && !open_next()) return false;
      document.text.clear();
      document.sentences.clear();
      const bool found = is_text_ ? text_->read(document) : read_batch(document);
      const std::int64_t bytes = file_ ? file_->bytes_read() : 0;
      within_ = found ? bytes : 0;
      if (found) return true;
      before_ += bytes;
      lines_.reset();
    }
  }

  double fraction_read() const {
    return total_ > 0 ? static_cast<double>(before_ + within_) / static_cast<double>(total_) : -1;
  }

 private:
  bool open_next() {
    if (position_ == paths_.size() || stop_flag().load()) return false;
    const std::string& path = paths_[position_++];
    file_ = nullptr;
    if (is_text_ && is_quoted_text(path)) {
      lines_ = std::make_unique<StringLines>(path, "<text>");
    } else {
      auto file = std::make_unique<CorpusFile>(path);
      file_ = file.get();
      lines_ = std::move(file);
    }
    if (is_text_) {
      text_ = std::make_unique<TextReader>(*lines_, TextOptions{.lenient = lenient_});
    } else {
      conllu_ = std::make_unique<ConlluReader>(*lines_, ConlluOptions{.lenient = lenient_});
    }
    return true;
  }

  bool read_batch(Document& document) {
    for (Sentence s; static_cast<int>(document.sentences.size()) < kBatch && conllu_->read(s);) {
      document.sentences.push_back(std::move(s));
    }
    return !document.sentences.empty();
  }

  std::vector<std::string> paths_;
  bool is_text_, lenient_;
  std::size_t position_ = 0;
  std::unique_ptr<LineSource> lines_;  // null: none is open
  CorpusFile* file_ = nullptr;         // lines_, if it is a file
  std::unique_ptr<TextReader> text_;
  std::unique_ptr<ConlluReader> conllu_;
  std::int64_t total_ = 0;  // bytes of all files; -1: not known
  std::atomic<std::int64_t> before_{0}, within_{0};
};

bool wants_frames(const AnnotateArguments& a) {
  return a.task == kFrames ||
         std::find(a.layers.begin(), a.layers.end(), kFrames) != a.layers.end();
}

// Those that were given; else the one that ships, with that of frames beside it if it is needed.
std::vector<std::string> models_for(const AnnotateArguments& a) {
  std::vector<std::string> out;
  for (const std::string& m : a.models) out.push_back(find_model(m));
  if (out.empty()) out.push_back(find_model("english"));
  if (a.models.size() < 2 && wants_frames(a)) out.push_back(find_model(kFrames));
  return out;
}

struct Outcome {
  std::string text;
  std::int64_t sentences = 0;
};

class AnnotateRun {
 public:
  AnnotateRun(const AnnotateArguments& arguments, bool from_text)
      : arguments_(arguments), from_text_(from_text), pipeline_(models_for(arguments)) {
    if (from_text && !pipeline_.has("tokens")) {
      throw Error("cannot cut text into tokens: it was trained on a corpus without text",
                  {.file = pipeline_.model_name()});
    }
    choose_layers();
    const bool frames = std::find(layers_.begin(), layers_.end(), kFrames) != layers_.end();
    const bool terminal = arguments.output == "-" && ::isatty(STDOUT_FILENO);
    writer_ = make_writer(arguments.to.empty() ? (terminal ? "text" : "conllu") : arguments.to,
                          {.frames = frames});
    for (const auto& [option, value] : arguments.frames.layer_options()) {
      if (!frames) throw Error("--" + option + " is for frames: ask for them with --layers frames");
      pipeline_.configure(kFrames, option, value);
    }
    threads_ = thread_count(arguments.threads);
    for (int t = 0; t < threads_; ++t) workers_.push_back(pipeline_.make_worker());
  }

  int run(Inputs& inputs) {
    OutputFile output(arguments_.output);
    std::atomic<std::int64_t> done{0};
    const Progress progress(!arguments_.quiet, [&] {
      return ProgressState{.done = done, .fraction = inputs.fraction_read(), .unit = "sentences"};
    });
    output.write(writer_->begin());
    run_ordered<Document, Outcome>(
        threads_, [&](Document& document) { return inputs.next(document); },
        [&](int thread, Document& document) { return work(document, *workers_[thread]); },
        [&](Outcome& outcome) {
          output.write(writer_->place(std::move(outcome.text)));
          done += outcome.sentences;
          return caught_signal() == 0;
        });
    if (const int signal = caught_signal()) return 128 + signal;
    output.write(writer_->end());
    output.commit();
    return kAnswered;
  }

 private:
  void choose_layers() {
    const AnnotateArguments& a = arguments_;
    if (!a.task.empty()) {
      layers_ = pipeline_.layers_up_to(a.task);
      if (a.keep_tags) layers_ = {a.task};
    } else if (a.layers.empty()) {
      layers_.assign(pipeline_.layers().begin(), pipeline_.layers().end());
    } else {
      // Each with those before it: a layer is made from them.
      for (const std::string& layer : a.layers) {
        const std::vector<std::string> needed = pipeline_.layers_up_to(layer);
        if (needed.size() > layers_.size()) layers_ = needed;
      }
    }
  }

  Outcome work(Document& document, Pipeline::Worker& worker) const {
    if (from_text_) pipeline_.segment(document, worker);
    for (Sentence& s : document.sentences) pipeline_.annotate(s, worker, layers_);
    Outcome out;
    out.sentences = static_cast<std::int64_t>(document.sentences.size());
    writer_->append(out.text, document);
    return out;
  }

  const AnnotateArguments& arguments_;
  bool from_text_;
  Pipeline pipeline_;
  std::unique_ptr<DocumentWriter> writer_;
  std::vector<std::string> layers_;
  int threads_ = 1;
  std::vector<std::unique_ptr<Pipeline::Worker>> workers_;
};

}  // namespace

int run_parse(const AnnotateArguments& arguments) {
  std::vector<std::string> inputs = arguments.inputs;
  if (inputs.empty()) inputs.push_back("-");
  AnnotateRun run(arguments, true);
  Inputs source(inputs, true, arguments.lenient);
  return run.run(source);
}

int run_predict(const AnnotateArguments& arguments) {
  if (arguments.task == kRelations) return run_predict_relations(arguments);
  AnnotateRun run(arguments, false);
  Inputs source(arguments.inputs, false, arguments.lenient);
  return run.run(source);
}

}  // namespace entente::cli
