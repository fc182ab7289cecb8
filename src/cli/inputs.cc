#include "cli/inputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/signals.h"
#include "corpus/conllu.h"
#include "entente/error.h"

namespace entente::cli {

namespace {

// Ends or begins as names of files do: a missing file is not a sentence.
bool looks_like_a_path(const std::string& input) {
  for (std::string_view begin : {"/", "./", "../", "~/"}) {
    if (input.starts_with(begin)) return true;
  }
  std::string_view name = input;
  if (name.ends_with(".gz")) return true;
  return name.ends_with(".txt") || input_format_of(input) != nullptr;
}

// A text given in quotes instead of a file: it has a space, and no file is called that.
bool is_quoted_text(const std::string& input) {
  return input.find_first_of(" \n") != std::string::npos && !looks_like_a_path(input) &&
         ::access(input.c_str(), F_OK) != 0;
}

// Gives the lines of another source, the first of which has been looked at.
class PeekedLines : public LineSource {
 public:
  explicit PeekedLines(std::unique_ptr<LineSource> source) : source_(std::move(source)) {
    for (std::string line; source_->read_line(line);) {
      lines_.push_back(line);
      if (line.find_first_not_of(" \r\t") != std::string::npos) break;
    }
  }
  // The format that has such a first line; null if there is none.
  const InputFormat* recognized() const {
    for (const InputFormat& f : input_formats()) {
      if (f.recognizes && !lines_.empty() && f.recognizes(lines_.back())) return &f;
    }
    return nullptr;
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
  std::vector<std::string> lines_;
  std::size_t given_ = 0;
};

}  // namespace

void add_provenance(Input& input) {
  const std::string& name = input.document.name;
  if (name.empty()) return;
  std::string stem = std::filesystem::path(name).filename().string();
  std::replace(stem.begin(), stem.end(), ' ', '_');
  for (std::size_t i = 0; i < input.document.sentences.size(); ++i) {
    Sentence& s = input.document.sentences[i];
    if (comment_value(s, "sent_id").empty()) {
      const std::string id = fmt::format("# sent_id = {}-{}.{}", stem, input.piece, i + 1);
      s.comments.insert(s.comments.begin(), id);
    }
    if (input.piece == 1 && i == 0 && !s.new_document) {
      s.new_document = true;
      s.comments.insert(s.comments.begin(), "# newdoc id = " + name);
    }
  }
}

Inputs::Inputs(const AnnotateArguments& a)
    : paths_(a.inputs), texts_(a.texts), otherwise_(a.default_input), lenient_(a.lenient) {
  if (!a.input.empty()) asked_ = &find_input_format(a.input);
  if (paths_.empty() && texts_.empty()) paths_.emplace_back("-");
  std::error_code error;
  for (const std::string& path : paths_) {
    const bool file = std::filesystem::is_regular_file(path, error);
    total_ = file && total_ >= 0
                 ? total_ + static_cast<std::int64_t>(std::filesystem::file_size(path, error))
                 : -1;
  }
}

double Inputs::fraction_read() const {
  return total_ > 0 ? static_cast<double>(before_ + within_) / static_cast<double>(total_) : -1;
}

bool Inputs::next(Input& input) {
  while (true) {
    if (!reader_ && !open_next()) return false;
    const bool found = reader_->read(input.document);
    const std::int64_t bytes = file_ ? file_->bytes_read() : 0;
    within_ = found ? bytes : 0;
    input.format = format_;
    if (found) {
      input.piece = ++pieces_;
      input.document.name = texts_.size() + paths_.size() > 1 ? name_ : "";
      return true;
    }
    before_ += bytes;
    reader_.reset();
    lines_.reset();
  }
}

bool Inputs::open_next() {
  if (position_ == texts_.size() + paths_.size() || stop_flag().load()) return false;
  const std::size_t at = position_++;
  const bool text = at < texts_.size();
  const std::string& what = text ? texts_[at] : paths_[at - texts_.size()];
  file_ = nullptr;
  pieces_ = 0;
  name_ = text || is_quoted_text(what) ? "text " + std::to_string(at + 1)
          : what == "-"                ? "<stdin>"
                                       : what;
  if (text || is_quoted_text(what)) {
    open(std::make_unique<StringLines>(what, "<text>"),
         asked_ ? asked_ : &find_input_format("text"));
    return true;
  }
  if (what != "-" && ::access(what.c_str(), F_OK) != 0) {
    throw Error("cannot read: no such file; a text is given by --text", {.file = what});
  }
  auto file = std::make_unique<CorpusFile>(what);
  CorpusFile* const opened = file.get();
  open(std::move(file), asked_ ? asked_ : input_format_of(what));
  file_ = opened;
  return true;
}

void Inputs::open(std::unique_ptr<LineSource> source, const InputFormat* format) {
  lines_ = std::move(source);
  // Raw text is never looked at beforehand: it may come line by line from a person.
  if (!format && otherwise_ != "text") {
    auto peeked = std::make_unique<PeekedLines>(std::move(lines_));
    format = peeked->recognized();
    lines_ = std::move(peeked);
  }
  format_ = format ? format : &find_input_format(otherwise_);
  reader_ = format_->open(*lines_, {.lenient = lenient_});
}

}  // namespace entente::cli
