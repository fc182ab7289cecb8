// Documents as text in one of several formats.
//
//   auto writer = make_writer("html");                 // Error if there is no such format
//   out.write(writer->begin());
//   for (...) {
//     std::string piece;
//     writer->append(piece, document);
//     out.write(writer->place(piece));
//   }
//   out.write(writer->end());
//
// append() may be called by many threads, for documents in any order; begin(), place() and end() by
// one, place() with the pieces in their order. What place() returns is to be written as it is: for
// most formats the piece itself, for a picture nothing, since it is drawn when all is known.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/document.h"

namespace entente {

class DocumentWriter {
 public:
  virtual ~DocumentWriter() = default;
  virtual std::string begin() { return {}; }
  virtual void append(std::string& out, const Document& document) const = 0;
  virtual std::string place(std::string piece) { return piece; }
  virtual std::string end() { return {}; }
};

struct WriterOptions {
  // Layers that were asked for: sentences without them are shown as such. Layers that a sentence
  // has are written in any case; what stands below them only where asked for (layers/view.h).
  std::vector<std::string> layers;
};

// A format is a line in writers.cc, or in the list of its layer (layers/NAME/formats.h).
struct OutputFormat {
  std::string_view name, help;
  std::vector<std::string_view> endings;  // of files: ".svg"
  std::unique_ptr<DocumentWriter> (*make)(const WriterOptions& options);
};
const std::vector<OutputFormat>& output_formats();
std::string output_format_names();  // "conllu, jsonl, ..."
// By the ending of a file's name; empty for names without one (out, /dev/null). Throws Error at one that no format has.
std::string_view output_format_of(std::string_view path);

std::unique_ptr<DocumentWriter> make_writer(std::string_view name,
                                            const WriterOptions& options = {});

}  // namespace entente
