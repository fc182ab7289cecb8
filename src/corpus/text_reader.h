// Raw text of any size, a paragraph at a time.
//
//   CorpusFile file("book.txt");
//   TextReader reader(file);
//   for (Document paragraph; reader.read(paragraph);) use(paragraph.text);
//
// Blank lines end a paragraph; lines within one are joined as they stand, with their line breaks. A
// paragraph longer than `longest` bytes is cut at a line break or a space, and where there is none,
// at a character. CRLF becomes LF, a byte order mark is dropped. Bytes that are not UTF-8 are an
// Error with their place, or become U+FFFD. characters_before counts the characters of the file (as
// they stand there, CR and byte order mark included) before the paragraph, so that offsets lead
// back into the file as long as it has no CR within paragraphs. Memory: one paragraph. One thread
// at a time.
#pragma once

#include <cstdint>
#include <string>

#include "base/line_source.h"
#include "corpus/document.h"

namespace entente {

struct TextOptions {
  bool lenient = false;
  std::size_t longest = 1 << 20;
};

class TextReader {
 public:
  explicit TextReader(LineSource& source, TextOptions options = {})
      : source_(source), options_(options) {}

  // The next paragraph into document.text (its sentences are cleared); false at the end.
  bool read(Document& document);

 private:
  bool next_line();  // into line_, checked; false at the end
  void cut(Document& document);

  LineSource& source_;
  TextOptions options_;
  std::string line_, rest_;      // rest_: of a paragraph that was too long
  std::int64_t bytes_ = 0;       // of the file before line_
  std::int64_t characters_ = 0;  // of the file before line_
  std::int64_t rest_begin_ = 0;  // characters before rest_
  std::int64_t line_characters_ = 0;
  std::int64_t line_bytes_ = 0;
  bool first_ = true;
};

}  // namespace entente
