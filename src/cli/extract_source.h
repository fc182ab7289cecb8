// The candidates named on the command line, one text (or document) after the other.
//
//   ExtractSource source({"a.jsonl"}, std::nullopt, /*documents=*/false);
//   for (ExtractJob job; source.next(job);) read_job(job, schema, 0.9, reader);
//
// JSON Lines are streamed, and never held in memory together; brat folders give one document after
// the other; SpERT's lists are read whole, and then taken apart. With `documents`, lines of one
// document that stand together are one job. next() by one thread at a time; progress may be asked
// by any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "schema/candidates.h"

namespace entente::cli {

enum class ExtractFormat : std::uint8_t { jsonl, brat, spert };
// Throws Error listing the names there are.
ExtractFormat extract_format_from_name(std::string_view name);

struct ExtractJob {
  struct Line {
    std::string text, file;
    int line = 1;
  };
  ExtractFormat format = ExtractFormat::jsonl;
  std::vector<Line> lines;
  std::optional<std::string> text;  // brat: the annotated text
  std::string error;                // it could not be read
};

class ExtractSource {
 public:
  ExtractSource(std::vector<std::string> paths, std::optional<ExtractFormat> format,
                bool documents);
  bool next(ExtractJob& job);
  bool may_be_many() const { return many_; }
  double fraction_read() const;  // -1 if not known

 private:
  bool open_next();
  bool next_line(ExtractJob& job);
  bool read_line(ExtractJob::Line& line, std::string& document);
  bool next_element(ExtractJob& job);
  void read_brat(const std::string& path, ExtractJob& job);

  struct Input {
    std::string path;
    ExtractFormat format;
  };
  std::vector<Input> inputs_;
  bool documents_ = false, many_ = false;
  std::size_t position_ = 0;
  std::unique_ptr<InputFile> file_;  // JSON Lines
  std::optional<ExtractJob::Line> ahead_;
  std::string ahead_document_;
  std::unordered_set<std::string> done_documents_;
  Json json_, element_json_;
  std::string brat_;                // a path to be read next
  std::string whole_, whole_file_;  // a SpERT list
  std::vector<std::pair<std::size_t, std::size_t>> elements_;
  std::size_t element_ = 0;
  std::int64_t total_ = 0;
  std::atomic<std::int64_t> before_{0}, within_{0};
};

// Into the reader, as one text.
void read_job(const ExtractJob& job, const schema::Schema& schema, double probability,
              schema::CandidateReader& reader);

}  // namespace entente::cli
