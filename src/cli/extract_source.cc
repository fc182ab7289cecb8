#include "cli/extract_source.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/signals.h"
#include "entente/error.h"
#include "schema/converters.h"

namespace entente::cli {

namespace fs = std::filesystem;

namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::int64_t size_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return -1;
  return static_cast<std::int64_t>(fs::file_size(path, error));
}

}  // namespace

ExtractFormat extract_format_from_name(std::string_view name) {
  if (name == "jsonl") return ExtractFormat::jsonl;
  if (name == "brat") return ExtractFormat::brat;
  if (name == "spert") return ExtractFormat::spert;
  throw Error("unknown format \"" + std::string(name) +
              "\"; the formats are jsonl, brat and spert");
}

ExtractSource::ExtractSource(std::vector<std::string> paths, std::optional<ExtractFormat> format,
                             bool documents)
    : documents_(documents) {
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      std::vector<std::string> found;
      for (const auto& entry : fs::directory_iterator(path, error)) {
        if (entry.path().extension() == ".ann") found.push_back(entry.path().string());
      }
      if (found.empty()) throw Error("holds no .ann file of brat", {.file = path});
      std::sort(found.begin(), found.end());
      for (std::string& f : found) inputs_.push_back({std::move(f), ExtractFormat::brat});
      continue;
    }
    const bool ann = fs::path(path).extension() == ".ann";
    inputs_.push_back({path, format.value_or(ann ? ExtractFormat::brat : ExtractFormat::jsonl)});
  }
  many_ = inputs_.size() > 1;
  for (const Input& input : inputs_) {
    many_ |= input.format != ExtractFormat::brat;
    const std::int64_t size = size_of(input.path);
    total_ = size < 0 || total_ < 0 ? -1 : total_ + size;
  }
}

double ExtractSource::fraction_read() const {
  if (total_ <= 0) return -1;
  return std::min(1.0, static_cast<double>(before_ + within_) / static_cast<double>(total_));
}

bool ExtractSource::open_next() {
  before_ += within_;
  within_ = 0;
  file_.reset();
  if (position_ == inputs_.size() || stop_flag().load()) return false;
  const Input& input = inputs_[position_++];
  if (input.format == ExtractFormat::brat) {
    brat_ = input.path;
  } else if (input.format == ExtractFormat::jsonl) {
    file_ = std::make_unique<InputFile>(input.path);
  } else {
    InputFile file(input.path);
    whole_ = file.read_rest();
    whole_file_ = file.name();
    within_ = static_cast<std::int64_t>(whole_.size());
    json_.parse({whole_, whole_file_, 1});
    const JsonValue root = json_.root();
    root.expect(JsonType::array, "a list of texts in SpERT's form");
    elements_.clear();
    element_ = 0;
    for (JsonValue e : root.elements()) elements_.emplace_back(e.offset(), 0);
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const std::size_t limit = i + 1 < elements_.size() ? elements_[i + 1].first : whole_.size();
      elements_[i].second =
          whole_.find_last_not_of(" \t\r\n,]", limit - 1) + 1;  // what follows the value
    }
  }
  return true;
}

bool ExtractSource::read_line(ExtractJob::Line& line, std::string& document) {
  while (file_->read_line(line.text)) {
    if (is_blank(line.text)) continue;
    line.file = file_->name();
    line.line = file_->line_number();
    within_ = file_->bytes_read();
    if (documents_) document = schema::document_of(line.text, element_json_);
    return true;
  }
  return false;
}

// A line, or with documents those that follow and belong to the same.
bool ExtractSource::next_line(ExtractJob& job) {
  ExtractJob::Line line;
  std::string document;
  if (ahead_) {
    line = std::move(*ahead_);
    document = std::move(ahead_document_);
    ahead_.reset();
  } else if (!read_line(line, document)) {
    return false;
  }
  job.lines.push_back(std::move(line));
  if (!documents_ || document.empty()) return true;
  if (!done_documents_.insert(document).second) {
    const ExtractJob::Line& at = job.lines.back();
    throw Error("the lines of the document \"" + document + "\" do not stand together",
                {.file = at.file, .line = at.line});
  }
  std::string other;
  for (ExtractJob::Line next; read_line(next, other);) {
    if (other != document) {
      ahead_ = std::move(next);
      ahead_document_ = std::move(other);
      break;
    }
    job.lines.push_back(std::move(next));
  }
  return true;
}

// Spaces keep the columns right where a text does not begin its line.
bool ExtractSource::next_element(ExtractJob& job) {
  if (element_ == elements_.size()) return false;
  const auto [begin, end] = elements_[element_++];
  const Place place = Source{whole_, whole_file_, 1}.place(begin);
  ExtractJob::Line line;
  line.text.assign(static_cast<std::size_t>(place.column - 1), ' ');
  line.text += whole_.substr(begin, end - begin);
  line.file = whole_file_;
  line.line = place.line;
  job.lines.push_back(std::move(line));
  return true;
}

void ExtractSource::read_brat(const std::string& path, ExtractJob& job) {
  job.lines.push_back({read_whole_file(path), path, 1});
  const fs::path text = fs::path(path).replace_extension(".txt");
  std::error_code error;
  if (fs::exists(text, error)) job.text = read_whole_file(text.string());
}

bool ExtractSource::next(ExtractJob& job) {
  job = ExtractJob{};
  while (!stop_flag().load()) {
    if (file_ && next_line(job)) return true;
    if (next_element(job)) {
      job.format = ExtractFormat::spert;
      return true;
    }
    if (!open_next()) return false;
    if (brat_.empty()) continue;
    job.format = ExtractFormat::brat;
    read_brat(std::exchange(brat_, ""), job);
    return true;
  }
  return false;
}

void read_job(const ExtractJob& job, const schema::Schema& schema, double probability,
              schema::CandidateReader& reader) {
  reader.clear();
  for (const ExtractJob::Line& line : job.lines) {
    switch (job.format) {
      case ExtractFormat::jsonl:
        reader.add(line.text, line.file, line.line);
        break;
      case ExtractFormat::brat:
        schema::read_brat(line.text, job.text, line.file, schema, probability, reader);
        break;
      case ExtractFormat::spert:
        schema::read_spert(line.text, line.file, line.line, schema, probability, reader);
        break;
    }
  }
}

}  // namespace entente::cli
