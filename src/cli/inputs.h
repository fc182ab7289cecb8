// What parse and predict read, piece by piece: files, standard input, texts in quotes.
//
//   Inputs inputs(arguments);
//   for (Input input; inputs.next(input);) use(input.document, *input.format);
//
// Each file has the format that was asked for, or the one that its name or its first line says. One
// thread at a time, but fraction_read() may be asked by any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/task_commands.h"
#include "corpus/gzip.h"
#include "corpus/readers.h"

namespace entente::cli {

struct Input {
  Document document;  // with a name, if there are several inputs
  const InputFormat* format = nullptr;
  std::int64_t piece = 0;  // of its file, from 1
};

// Says in the sentences' comments where they come from: "# newdoc id = file" and "# sent_id", where
// they do not say so themselves. Nothing where the document has no name.
void add_provenance(Input& input);

class Inputs {
 public:
  explicit Inputs(const AnnotateArguments& arguments);

  bool next(Input& input);
  const std::vector<std::string>& paths() const { return paths_; }  // files; "-": standard input
  double fraction_read() const;  // of all files; below 0: not known

 private:
  bool open_next();
  void open(std::unique_ptr<LineSource> source, const InputFormat* format);

  std::vector<std::string> paths_, texts_;  // texts first
  const InputFormat* asked_ = nullptr;      // null: each by its name or first line
  std::string otherwise_;
  bool lenient_;
  std::size_t position_ = 0;
  std::string name_;                   // of what is open
  std::int64_t pieces_ = 0;            // of it, so far
  std::unique_ptr<LineSource> lines_;  // null: none is open
  CorpusFile* file_ = nullptr;         // what lines_ reads, if it is a file
  const InputFormat* format_ = nullptr;
  std::unique_ptr<DocumentReader> reader_;
  std::int64_t total_ = 0;  // bytes of all files; -1: not known
  std::atomic<std::int64_t> before_{0}, within_{0};
};

}  // namespace entente::cli
