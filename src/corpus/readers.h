// Documents from files in one of several formats, a few sentences or a paragraph at a time.
//
//   CorpusFile file("book.txt");
//   auto reader = find_input_format("text").open(file, {});
//   for (Document document; reader->read(document);) ...      // text, or sentences with their words
//
// A format is a line in readers.cc. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_source.h"
#include "corpus/document.h"

namespace entente {

class DocumentReader {
 public:
  virtual ~DocumentReader() = default;
  // The next piece; false at the end.
  virtual bool read(Document& document) = 0;
};

struct ReaderOptions {
  bool lenient = false;  // bytes that are not UTF-8 become U+FFFD
};

struct InputFormat {
  std::string_view name, help;
  std::vector<std::string_view> endings;  // of files: ".conllu", ".conllu.gz"
  // Layers that the sentences read have, so that they need not be made: "tokens" if there are words.
  std::vector<std::string_view> brings;
  // Would a file with this first line (that is not blank) be one? Null: the name must say so.
  bool (*recognizes)(std::string_view line);
  std::unique_ptr<DocumentReader> (*open)(LineSource& source, const ReaderOptions& options);
  bool one_sentence_a_piece = false;  // of text: not to be cut into sentences

  bool has_tokens() const;
};

const std::vector<InputFormat>& input_formats();
std::string input_format_names();
const InputFormat& find_input_format(std::string_view name);  // an Error that says which there are
// By the ending of a file's name; null if none has it.
const InputFormat* input_format_of(std::string_view path);

}  // namespace entente
