// CoNLL-U, sentence by sentence: https://universaldependencies.org/format.html
//
//   CorpusFile file("en_ewt-dev.conllu.gz");
//   ConlluReader reader(file);
//   Sentence sentence;
//   std::string out;
//   while (reader.read(sentence)) append_conllu(out, sentence);       // the same bytes again
//
// Multiword tokens, empty nodes and comments are kept. CRLF, a byte order mark and a missing last
// blank line are accepted (and not written). CoNLL-X files have the same ten columns: PHEAD and
// PDEPREL are then found in `deps` and `misc`, and several words may have head 0. What the format
// does not allow (columns, ids, heads, bytes that are not UTF-8) is an Error with its place.
// Reading is linear in the text; a Sentence given again reuses its memory. One thread at a time.
#pragma once

#include <cstdint>
#include <string>

#include "base/line_source.h"
#include "corpus/document.h"

namespace entente {

struct ConlluOptions {
  bool lenient = false;  // bytes that are not UTF-8 become U+FFFD
};

class ConlluReader {
 public:
  explicit ConlluReader(LineSource& source, ConlluOptions options = {})
      : source_(source), options_(options) {}

  // The next sentence; false at the end. Places in the text are left unknown: see corpus_text.h.
  bool read(Sentence& sentence);

 private:
  bool next_line();  // into line_, checked; false at the end
  void read_comment(Sentence& sentence);
  void read_row(Sentence& sentence);
  void read_word(Sentence& sentence, int id);
  void read_range(Sentence& sentence, std::size_t dash);
  void read_empty_node(Sentence& sentence, std::size_t dot);
  void split();
  void finish(Sentence& sentence);
  [[noreturn]] void fail(int column, const std::string& message) const;
  [[noreturn]] void fail_id(const Sentence& sentence) const;

  LineSource& source_;
  ConlluOptions options_;
  std::string line_;
  std::int64_t offset_ = 0, next_offset_ = 0;  // bytes before line_ and after it
  std::string_view fields_[10];                // of line_
  int range_end_ = 0;                          // last word of the multiword token being read
  int empty_nodes_here_ = 0;                   // after the word last read
  std::vector<int> lines_;                     // of the words
};

// The sentence as CoNLL-U, with the blank line after it. Tabs and line breaks within fields, which
// the format cannot hold, become spaces; empty fields become "_".
void append_conllu(std::string& out, const Sentence& sentence);

// The value of a comment "# name = value", empty if there is none.
std::string_view comment_value(const Sentence& sentence, std::string_view name);
// The value of "name=value" in a field such as `misc` or `feats`, empty if there is none.
std::string_view field_value(std::string_view field, std::string_view name);

}  // namespace entente
