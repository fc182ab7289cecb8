// `entente predict relations`: entities and relations that agree, of sentences with given
// boundaries (conll04) or of raw text.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <memory>

#include "base/files.h"
#include "base/json.h"
#include "base/ordered.h"
#include "base/parallel.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/language_commands.h"
#include "cli/relations_kit.h"
#include "corpus/gzip.h"
#include "corpus/text_reader.h"
#include "corpus/utf8.h"
#include "entente/error.h"
#include "pipeline/passages.h"
#include "pipeline/pipeline.h"
#include "tasks/relations/model.h"

namespace entente::cli {

namespace {

using relations::Extraction;
using relations::Mention;
using relations::Passage;

constexpr int kBatch = 32;  // sentences of a corpus that are one job

// Gives the lines of another source, the first of which has been looked at.
class PeekedLines : public LineSource {
 public:
  explicit PeekedLines(std::unique_ptr<LineSource> source) : source_(std::move(source)) {
    while (source_->read_line(line_)) {
      lines_.push_back(line_);
      if (line_.find_first_not_of(" \r\t") != std::string::npos) break;
    }
  }
  // Nine columns: a corpus; anything else is text.
  bool is_corpus() const {
    return !lines_.empty() && std::count(lines_.back().begin(), lines_.back().end(), '\t') == 8;
  }
  bool read_line(std::string& line) override {
    if (given_ == lines_.size()) return source_->read_line(line);
    line = lines_[given_++];
    return true;
  }
  const std::string& name() const override { return source_->name(); }
  int line_number() const override {
    return given_ < lines_.size() ? static_cast<int>(given_) : source_->line_number();
  }

 private:
  std::unique_ptr<LineSource> source_;
  std::string line_;
  std::vector<std::string> lines_;
  std::size_t given_ = 0;
};

// Sentences of a corpus, or a paragraph of text.
struct Job {
  bool is_corpus = false;
  std::vector<Conll04Sentence> sentences;
  Document document;
};

class RelationInputs {
 public:
  RelationInputs(std::vector<std::string> paths, bool lenient)
      : paths_(std::move(paths)), lenient_(lenient) {}

  bool next(Job& job) {
    job.sentences.clear();
    while (lines_ || open_next()) {
      job.is_corpus = corpus_ != nullptr;
      if (corpus_) {
        Conll04Sentence sentence;
        while (job.sentences.size() < kBatch && corpus_->read(sentence)) {
          job.sentences.push_back(sentence);
        }
        if (!job.sentences.empty()) return true;
      } else if (text_->read(job.document)) {
        return true;
      }
      lines_.reset();
    }
    return false;
  }

 private:
  bool open_next() {
    if (position_ == paths_.size() || stop_flag().load()) return false;
    const std::string& path = paths_[position_++];
    std::unique_ptr<LineSource> source;
    if (path.find_first_of(" \n") != std::string::npos && ::access(path.c_str(), F_OK) != 0) {
      source = std::make_unique<StringLines>(path, "<text>");
    } else {
      source = std::make_unique<CorpusFile>(path);
    }
    auto peeked = std::make_unique<PeekedLines>(std::move(source));
    corpus_.reset();
    text_.reset();
    if (peeked->is_corpus()) {
      corpus_ = std::make_unique<Conll04Reader>(*peeked);
    } else {
      text_ = std::make_unique<TextReader>(*peeked, TextOptions{.lenient = lenient_});
    }
    lines_ = std::move(peeked);
    return true;
  }

  std::vector<std::string> paths_;
  bool lenient_;
  std::size_t position_ = 0;
  std::unique_ptr<LineSource> lines_;
  std::unique_ptr<Conll04Reader> corpus_;
  std::unique_ptr<TextReader> text_;
};

double rounded(double x) { return std::round(x * 1e6) / 1e6; }

// A passage's text, and where its words stand: in characters (of the whole input) for whoever reads
// the answer, and in bytes of `text`.
struct Placed {
  std::string text;
  std::vector<std::int64_t> begin, end, first_byte, last_byte;  // of words; last_byte: one past
};

// Words with a space between them: the text of a corpus that has none.
Placed place_joined(const Passage& p) {
  Placed out;
  std::int64_t at = 0;
  for (const std::string& word : p.words) {
    if (!out.text.empty()) out.text += ' ', ++at;
    out.begin.push_back(at);
    out.first_byte.push_back(static_cast<std::int64_t>(out.text.size()));
    out.text += word;
    at += count_characters(word);
    out.end.push_back(at);
    out.last_byte.push_back(static_cast<std::int64_t>(out.text.size()));
  }
  return out;
}

// No model of relations ships: it must be given.
std::string model_of(const AnnotateArguments& a) {
  if (a.models.size() != 1) throw Error("predict relations needs -m: one model of relations");
  return find_model(a.models[0]);
}

class PredictRun {
 public:
  explicit PredictRun(const AnnotateArguments& a)
      : arguments_(a),
        model_(ModelFile(model_of(a))),
        rules_(rules_without(a.relations.without)),
        threads_(thread_count(a.threads)) {
    format_ = a.to.empty() ? "jsonl" : a.to;
    if (format_ != "jsonl" && format_ != "tsv") {
      throw Error("unknown output " + entente::quoted(a.to) +
                  "; relations are written as jsonl or tsv");
    }
    for (const std::string& name : a.relations.require) {
      rules_.required.push_back(relations::find_relation(model_.labels, name));
    }
    for (int t = 0; t < threads_; ++t) {
      extractors_.push_back(std::make_unique<relations::Extractor>(model_));
    }
    workers_.resize(threads_);
  }

  int run() {
    RelationInputs inputs(arguments_.inputs, arguments_.lenient);
    OutputFile output(arguments_.output);
    run_ordered<Job, std::string>(
        threads_,
        [&](Job& job) {
          if (!inputs.next(job)) return false;
          if (!job.is_corpus) prepare_text();
          return true;
        },
        [&](int thread, Job& job) { return work(job, thread); },
        [&](std::string& text) {
          output.write(text);
          return caught_signal() == 0;
        });
    if (const int signal = caught_signal()) return 128 + signal;
    output.commit();
    return kAnswered;
  }

 private:
  // Raw text needs tokens and tags, and only then is their model read. Called by the one thread
  // that hands out jobs, before any job that needs it.
  void prepare_text() {
    if (pipeline_) return;
    if (format_ == "tsv") throw Error("tsv is written only of conll04 input; raw text gives jsonl");
    auto pipeline = std::make_unique<Pipeline>(find_model(arguments_.relations.language));
    if (!pipeline->has("tokens") || !pipeline->has("tags")) {
      throw Error("expected a model with tokens and tags", {.file = pipeline->model_name()});
    }
    for (auto& worker : workers_) worker = pipeline->make_worker();
    pipeline_ = std::move(pipeline);
  }

  std::string work(Job& job, int thread) {
    relations::Extractor& extractor = *extractors_[thread];
    std::string out;
    if (job.is_corpus) {
      const auto passages = relations::make_passages(job.sentences, model_.labels, false);
      for (std::size_t i = 0; i < passages.size(); ++i) {
        const Extraction found = extractor.label(passages[i], rules_);
        if (format_ == "tsv") {
          append_conll04(out, relabelled(job.sentences[i], found));
        } else {
          append_json(out, passages[i], place_joined(passages[i]), found);
        }
      }
      return out;
    }
    Document& document = job.document;
    pipeline_->segment(document, *workers_[thread]);
    const std::string layers[] = {"tags"};
    for (Sentence& s : document.sentences) pipeline_->annotate(s, *workers_[thread], layers);
    const std::vector<Passage> passages = passages_of(document);
    CharacterOffsets offsets(document.text);
    for (std::size_t i = 0; i < passages.size(); ++i) {
      const Sentence& s = document.sentences[i];
      Placed placed;
      placed.text = document.text.substr(s.begin, s.end - s.begin);
      for (int k = 0; k < passages[i].size(); ++k) {
        const std::int64_t from = passages[i].word_begin[k], to = passages[i].word_end[k];
        placed.begin.push_back(document.characters_before + offsets.at(from));
        placed.end.push_back(document.characters_before + offsets.at(to));
        placed.first_byte.push_back(from - s.begin);
        placed.last_byte.push_back(to - s.begin);
      }
      append_json(out, passages[i], placed, extractor.find(passages[i], rules_));
    }
    return out;
  }

  Conll04Sentence relabelled(const Conll04Sentence& sentence, const Extraction& found) const {
    Conll04Sentence out = sentence;
    std::vector<int> rows;
    for (std::size_t i = 0; i < out.rows.size(); ++i) {
      if (out.rows[i].label != "O") rows.push_back(static_cast<int>(i));
    }
    for (std::size_t m = 0; m < rows.size(); ++m) {
      out.rows[rows[m]].label = model_.labels.entities[found.mentions[m].label];
    }
    out.relations.clear();
    for (const relations::Link& l : found.links) {
      out.relations.push_back({rows[l.head], rows[l.tail], model_.labels.relations[l.label]});
    }
    return out;
  }

  void append_json(std::string& out, const Passage& p, const Placed& placed,
                   const Extraction& found) const {
    JsonWriter w;
    w.begin_object();
    if (!p.id.empty()) w.key("id").string(p.id);
    w.key("text").string(placed.text);
    w.key("status").string(status_name(found.status));
    w.key("entities").begin_array();
    for (std::size_t m = 0; m < found.mentions.size(); ++m) {
      const Mention& at = found.mentions[m];
      w.begin_object().key("id").string(fmt::format("e{}", m));
      w.key("type").string(model_.labels.entities[at.label]);
      const std::int64_t from = placed.first_byte[at.begin], to = placed.last_byte[at.end - 1];
      w.key("text").string(std::string_view(placed.text).substr(from, to - from));
      w.key("start").integer(placed.begin[at.begin]).key("end").integer(placed.end[at.end - 1]);
      w.key("confidence").number(rounded(found.mention_confidence[m])).end_object();
    }
    w.end_array().key("relations").begin_array();
    for (std::size_t l = 0; l < found.links.size(); ++l) {
      const relations::Link& link = found.links[l];
      w.begin_object().key("type").string(model_.labels.relations[link.label]);
      w.key("head").string(fmt::format("e{}", link.head));
      w.key("tail").string(fmt::format("e{}", link.tail));
      w.key("confidence").number(rounded(found.link_confidence[l])).end_object();
    }
    out += w.end_array().end_object().take() + "\n";
  }

  const AnnotateArguments& arguments_;
  relations::RelationModel model_;
  relations::RuleSet rules_;
  int threads_;
  std::string format_;
  std::vector<std::unique_ptr<relations::Extractor>> extractors_;
  std::unique_ptr<Pipeline> pipeline_;
  std::vector<std::unique_ptr<Pipeline::Worker>> workers_;
};

}  // namespace

int run_predict_relations(const AnnotateArguments& arguments) {
  return PredictRun(arguments).run();
}

}  // namespace entente::cli
