#include "corpus/conll04.h"

#include <algorithm>

#include "base/text.h"
#include "corpus/utf8.h"

namespace entente {

void Conll04Reader::fail(int column, const std::string& message) const {
  throw Error(message, source_.place(column));
}

bool Conll04Reader::next_line() {
  if (!source_.read_line(line_)) return false;
  if (line_.ends_with('\r')) line_.pop_back();
  check_utf8(line_, source_.place(1));
  // At any line: files put together have their marks in the middle.
  while (line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);
  fields_.clear();
  if (line_.find_first_not_of(' ') == std::string::npos) return true;  // blank
  std::string_view rest = line_;
  while (true) {
    const std::size_t tab = rest.find('\t');
    fields_.push_back(rest.substr(0, tab));
    if (tab == std::string_view::npos) break;
    rest.remove_prefix(tab + 1);
  }
  if (fields_.size() != 9 && fields_.size() != 3) {
    fail(1, "expected 9 columns (a word) or 3 (a relation) separated by tabs, found " +
                std::to_string(fields_.size()));
  }
  for (int i = 0; i < static_cast<int>(fields_.size()); ++i) {
    if (fields_[i].empty()) fail(column(i), "column " + std::to_string(i + 1) + " is empty");
  }
  return true;
}

bool Conll04Reader::read(Conll04Sentence& sentence) {
  sentence.id.clear();
  sentence.rows.clear();
  sentence.relations.clear();
  bool blank = false;  // since the last row
  while (held_ || next_line()) {
    held_ = false;
    if (fields_.empty()) {
      blank = true;
    } else if (fields_.size() == 9) {
      if (!sentence.rows.empty() && blank) {
        held_ = true;
        return true;
      }
      read_row(sentence);
    } else {
      if (sentence.rows.empty()) fail(1, "expected a row of 9 columns before a relation");
      if (!blank) fail(1, "expected a blank line between words and relations");
      read_relation(sentence);
    }
  }
  return !sentence.rows.empty();
}

void Conll04Reader::read_row(Conll04Sentence& sentence) {
  const int row = static_cast<int>(sentence.rows.size());
  if (row == 0) {
    sentence.id = fields_[0];
    sentence.line = source_.line_number();
  } else if (fields_[0] != sentence.id) {
    fail(1, "expected sentence " + quoted(sentence.id) + ", found " + quoted(fields_[0]) +
                "; is a blank line missing?");
  }
  if (fields_[2] != std::to_string(row)) {
    fail(column(2), "expected row number " + std::to_string(row) + ", found " + quoted(fields_[2]));
  }
  Conll04Row& out = sentence.rows.emplace_back();
  out.label = fields_[1];
  out.tags = fields_[4];
  out.words = fields_[5];
  for (int i = 0; i < 4; ++i) out.other[i] = fields_[i == 0 ? 3 : i + 5];
}

int Conll04Reader::read_row_number(int field, const Conll04Sentence& sentence) const {
  const int rows = static_cast<int>(sentence.rows.size());
  const auto row = parse_integer(fields_[field]);
  if (!row || *row < 0 || *row >= rows) {
    fail(column(field), "expected a row from 0 to " + std::to_string(rows - 1) + ", found " +
                            quoted(fields_[field]));
  }
  if (sentence.rows[*row].label == "O") {
    fail(column(field), "row " + std::to_string(*row) + " is no entity (its label is O)");
  }
  return static_cast<int>(*row);
}

void Conll04Reader::read_relation(Conll04Sentence& sentence) {
  const int head = read_row_number(0, sentence), tail = read_row_number(1, sentence);
  if (head == tail) fail(1, "row " + std::to_string(head) + " is related to itself");
  for (const Conll04Relation& other : sentence.relations) {
    if (other.head != head || other.tail != tail) continue;
    fail(1, "rows " + std::to_string(head) + " and " + std::to_string(tail) +
                " have a relation already (" + other.label + ")");
  }
  sentence.relations.push_back({head, tail, std::string(fields_[2])});
}

void append_conll04(std::string& out, const Conll04Sentence& sentence) {
  for (std::size_t i = 0; i < sentence.rows.size(); ++i) {
    const Conll04Row& row = sentence.rows[i];
    out += sentence.id + "\t" + row.label + "\t" + std::to_string(i);
    for (const std::string* field :
         {&row.other[0], &row.tags, &row.words, &row.other[1], &row.other[2], &row.other[3]}) {
      out += "\t" + (field->empty() ? "O" : *field);
    }
    out += "\n";
  }
  out += "\n";
  for (const Conll04Relation& r : sentence.relations) {
    out += std::to_string(r.head) + "\t" + std::to_string(r.tail) + "\t" + r.label + "\n";
  }
  out += "\n";
}

}  // namespace entente
