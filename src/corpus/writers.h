// Documents as text in one of several formats.
//
//   auto writer = make_writer("html");                 // Error if there is no such format
//   out.write(writer->begin());
//   for (...) { std::string piece; writer->append(piece, document);
//   out.write(writer->place(piece)); } out.write(writer->end());
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
  // Frames were looked for: sentences that have none are shown as such, not as trees. Documents
  // with frames are written with them in any case.
  bool frames = false;
};

// conllu, jsonl, text, svg, html, semafor
std::vector<std::string> writer_names();
std::unique_ptr<DocumentWriter> make_writer(std::string_view name,
                                            const WriterOptions& options = {});

}  // namespace entente
