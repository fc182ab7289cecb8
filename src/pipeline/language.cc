// entente/language.h: the pipeline for those who embed it.
#include "entente/language.h"

#include <mutex>

#include "base/line_source.h"
#include "corpus/corpus.h"
#include "corpus/readers.h"
#include "corpus/utf8.h"
#include "corpus/writers.h"
#include "entente/error.h"
#include "pipeline/configure.h"
#include "pipeline/models.h"
#include "pipeline/pipeline.h"
#include "tasks/registry.h"

namespace entente {

struct Language::Parts {
  explicit Parts(const LanguageOptions& o)
      : pipeline(choose_models(o.models, needed_tasks(o.layers), o.model_folder)),
        running(pipeline.layers_for(o.layers)),
        on_words(pipeline.layers_for(o.layers, kWords)) {
    configure_layers(pipeline, running, o.settings);
  }

  // A worker that nobody uses, or a new one; given back when `Borrowed` goes.
  class Borrowed {
   public:
    explicit Borrowed(Parts& parts) : parts_(parts) {
      const std::lock_guard<std::mutex> lock(parts.mutex);
      if (!parts.idle.empty()) {
        worker_ = std::move(parts.idle.back());
        parts.idle.pop_back();
      }
      if (!worker_) worker_ = parts.pipeline.make_worker();
    }
    ~Borrowed() {
      const std::lock_guard<std::mutex> lock(parts_.mutex);
      parts_.idle.push_back(std::move(worker_));
    }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    Pipeline::Worker& operator*() { return *worker_; }

   private:
    Parts& parts_;
    std::unique_ptr<Pipeline::Worker> worker_;
  };

  static constexpr std::string_view kWords[] = {"tokens"};
  Pipeline pipeline;
  std::vector<std::string> running, on_words;
  std::mutex mutex;
  std::vector<std::unique_ptr<Pipeline::Worker>> idle;
};

namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}

// Calls take(begin, end) for each run of lines that are not blank.
template <typename Take>
void each_paragraph(std::string_view text, const Take& take) {
  std::size_t begin = 0, end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t stop = std::min(text.find('\n', at), text.size());
    if (!is_blank(text.substr(at, stop - at))) {
      if (end == begin) begin = at;
      end = stop;
    } else {
      if (end > begin) take(begin, end);
      begin = end = stop;
    }
    at = stop + 1;
  }
  if (end > begin) take(begin, end);
}

void shift(Sentence& s, std::int64_t by) {
  auto move = [by](std::int64_t& x) {
    if (x >= 0) x += by;
  };
  move(s.begin);
  move(s.end);
  for (Token& t : s.tokens) {
    move(t.begin);
    move(t.end);
  }
}

}  // namespace

Language::Language(const LanguageOptions& options) : parts_(std::make_unique<Parts>(options)) {}
Language::~Language() = default;
Language::Language(Language&&) noexcept = default;
Language& Language::operator=(Language&&) noexcept = default;

std::vector<std::string> Language::layers() const { return parts_->running; }

void Language::parse(Document& document) const {
  Parts& p = *parts_;
  if (!p.pipeline.has("tokens")) {
    throw Error("cannot cut text into tokens: it was trained on a corpus without text",
                {.file = p.pipeline.model_name()});
  }
  check_utf8(document.text, {.file = "text"});
  document.sentences.clear();
  Parts::Borrowed worker(p);
  each_paragraph(document.text, [&](std::size_t begin, std::size_t end) {
    Document paragraph;
    paragraph.text = document.text.substr(begin, end - begin);
    p.pipeline.segment(paragraph, *worker);
    bool first = true;
    for (Sentence& s : paragraph.sentences) {
      p.pipeline.annotate(s, *worker, p.running);
      shift(s, static_cast<std::int64_t>(begin));
      s.new_paragraph = s.new_paragraph || (first && begin > 0);
      first = false;
      document.sentences.push_back(std::move(s));
    }
  });
}

Document Language::parse(std::string_view text) const {
  Document out;
  out.text = text;
  parse(out);
  return out;
}

void Language::annotate(Document& document) const {
  Parts::Borrowed worker(*parts_);
  for (Sentence& s : document.sentences) parts_->pipeline.annotate(s, *worker, parts_->on_words);
}

std::string write_document(const Document& document, std::string_view format,
                           const std::vector<std::string>& layers) {
  const std::unique_ptr<DocumentWriter> writer = make_writer(format, {.layers = layers});
  std::string out = writer->begin(), piece;
  writer->append(piece, document);
  out += writer->place(std::move(piece));
  out += writer->end();
  return out;
}

Document read_document(std::string_view text, std::string_view format, std::string_view file) {
  StringLines lines{std::string(text), std::string(file)};
  const InputFormat& input = find_input_format(format);
  const std::unique_ptr<DocumentReader> reader = input.open(lines, {});
  Document out;
  for (Document piece; reader->read(piece);) {
    if (!out.text.empty() && !piece.text.empty()) out.text += "\n\n";
    out.text += piece.text;
    for (Sentence& s : piece.sentences) out.sentences.push_back(std::move(s));
  }
  if (input.has_tokens()) build_text(out);
  return out;
}

}  // namespace entente
