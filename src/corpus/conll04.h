// The entity and relation corpus of Roth and Yih ("conll04"), sentence by sentence.
//
//   CorpusFile file("train.tsv");
//   Conll04Reader reader(file);
//   std::string out;
//   for (Conll04Sentence s; reader.read(s);) append_conll04(out, s);      // the same again
//
// A sentence is rows of nine columns (sentence, entity label or O, row number from 0, O, tags,
// words, O, O, O), a blank line, rows `head tail label` of three columns (row numbers, the
// relation's label) and a blank line. An entity is one row: its words, and their tags, are joined
// by "/". Commas and brackets may be written COMMA, -LRB-, -RRB-, -LCB-, -RCB-; passage.h turns
// them back. CRLF, byte order marks and any number of blank lines are accepted; what else differs
// is an Error with its place. Linear in the text; a sentence given again reuses its memory. One
// thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/line_source.h"

namespace entente {

struct Conll04Row {
  std::string label;  // "O": no entity
  std::string tags, words;
  std::string other[4];  // columns 4, 7, 8 and 9, which say nothing
};

struct Conll04Relation {
  int head = 0, tail = 0;  // rows
  std::string label;
};

struct Conll04Sentence {
  std::string id;
  std::vector<Conll04Row> rows;
  std::vector<Conll04Relation> relations;
  int line = 0;  // of the first row
};

class Conll04Reader {
 public:
  explicit Conll04Reader(LineSource& source) : source_(source) {}

  // The next sentence; false at the end.
  bool read(Conll04Sentence& sentence);

 private:
  bool next_line();  // into line_ and fields_, checked; false at the end
  void read_row(Conll04Sentence& sentence);
  void read_relation(Conll04Sentence& sentence);
  int read_row_number(int field, const Conll04Sentence& sentence) const;
  int column(int field) const { return static_cast<int>(fields_[field].data() - line_.data()) + 1; }
  [[noreturn]] void fail(int column, const std::string& message) const;

  LineSource& source_;
  std::string line_;
  std::vector<std::string_view> fields_;  // of line_; none if it is blank
  bool held_ = false;                     // line_ is the next sentence's first
};

// All sentences of a file, gzipped or not; "-" is standard input.
std::vector<Conll04Sentence> read_conll04(const std::string& path);
// All of several, in their order; an Error where one has none.
std::vector<Conll04Sentence> read_all_conll04(const std::vector<std::string>& paths);

void append_conll04(std::string& out, const Conll04Sentence& sentence);

}  // namespace entente
