// The texts of the problems named on the command line, one after the other: a whole file each, or
// one a line from JSON Lines, which are never held in memory together.
//
//   ProblemStream stream({"a.json", "many.jsonl"}, std::nullopt);
//   for (ProblemText p; stream.next(p);) read_graph(p.text, p.format, p.file, graph, p.line);
//
// Throws Error where a file cannot be read or its format is not known. next() by one thread at a
// time; progress may be asked by any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "entente/formats.h"

namespace entente::cli {

struct InputFormat {
  Format format = Format::json;
  bool lines = false;  // JSON Lines
};

// From a name such as "json" or "jsonl"; throws Error listing the names there are.
InputFormat input_format_from_name(std::string_view name);
// From a path's ending; throws Error saying what endings there are, and which option says the
// format otherwise. Not for "-".
InputFormat input_format_from_path(const std::string& path, const char* option = "--format");

struct ProblemText {
  std::string text;
  std::string file;
  int line = 1;
  Format format = Format::json;
  bool from_lines = false;
};

class ProblemStream {
 public:
  ProblemStream(std::vector<std::string> paths, std::optional<InputFormat> format);

  bool next(ProblemText& out);

  // False only if there is surely one problem: one path, and not JSON Lines.
  bool may_be_many() const { return many_; }
  double fraction_read() const;  // -1 if not known

 private:
  bool find_next(ProblemText& out);
  bool open_next();
  bool next_line(ProblemText& out);

  std::vector<std::string> paths_;
  std::optional<InputFormat> format_;
  bool many_ = false;
  std::size_t position_ = 0;  // of the path to open next
  std::unique_ptr<InputFile> file_;
  InputFormat current_;
  std::string first_line_;  // of standard input, looked at to tell JSON from JSON Lines
  bool has_first_line_ = false, empty_ = true;
  std::int64_t total_ = 0;               // bytes of all files, -1 if not known
  std::atomic<std::int64_t> before_{0};  // bytes of the files done with
  std::atomic<std::int64_t> within_{0};
};

}  // namespace entente::cli
