#include <algorithm>
#include <map>
#include <vector>

#include "base/text.h"
#include "schema/converters.h"
#include "schema/write.h"

namespace entente::schema {

namespace {

// A piece of the file that knows where it stands.
struct Piece {
  std::string_view text;
  std::size_t at;
};

std::vector<Piece> cut(Piece piece, char at, std::size_t most) {
  std::vector<Piece> out;
  while (true) {
    const std::size_t end = out.size() + 1 < most ? piece.text.find(at) : piece.text.npos;
    out.push_back({piece.text.substr(0, end), piece.at});
    if (end == piece.text.npos) return out;
    piece = {piece.text.substr(end + 1), piece.at + end + 1};
  }
}

class BratReader {
 public:
  BratReader(std::string_view ann, std::string_view file, const Schema& schema, double probability,
             CandidateReader& reader)
      : source_{ann, file, 1}, schema_(schema), probability_(probability), reader_(reader) {}

  // Lines stand in any order: annotations first, then relations.
  void run() {
    std::vector<Piece> relations;
    const std::vector<Piece> lines = cut({source_.text, 0}, '\n', static_cast<std::size_t>(-1));
    for (const Piece& line : lines) {
      if (line.text.starts_with('#')) read_note(line);
    }
    for (Piece line : lines) {
      if (line.text.ends_with('\r')) line.text.remove_suffix(1);
      if (line.text.starts_with('T')) read_span(line);
      if (line.text.starts_with('R')) relations.push_back(line);
    }
    for (const Piece& line : relations) read_relation(line);
  }

 private:
  [[noreturn]] void fail(const Piece& at, const std::string& message) const {
    source_.fail(at.at, message);
  }

  void read_note(const Piece& line) {
    const std::vector<Piece> columns = cut(line, '\t', 3);
    if (columns.size() < 3) return;
    const std::size_t space = columns[1].text.find(' ');
    if (space == std::string_view::npos) return;
    const auto p = parse_number(columns[2].text.substr(0, columns[2].text.find('\r')));
    if (p && *p >= 0 && *p <= 1) notes_[std::string(columns[1].text.substr(space + 1))] = *p;
  }

  double probability(const Piece& id) const {
    const auto note = notes_.find(std::string(id.text));
    return note == notes_.end() ? probability_ : note->second;
  }

  void read_span(const Piece& line) {
    const std::vector<Piece> columns = cut(line, '\t', 3);
    if (columns.size() < 2) fail(line, "expected an id, a tab, a type and offsets");
    const std::vector<Piece> words = cut(columns[1], ' ', 2);
    const int type = schema_.find_type(words[0].text);
    if (type < 0) fail(words[0], "the schema has no entity type " + quoted(words[0].text));
    if (words.size() < 2) fail(columns[1], "expected offsets after the type");
    // "0 5" or in pieces "0 5;10 15": from the first to the last.
    const Piece numbers = words[1];
    const std::size_t first = numbers.text.find_first_of(" ;");
    const std::size_t last = numbers.text.find_last_of(" ;");
    const auto start = parse_integer(numbers.text.substr(0, first));
    const auto end =
        last == numbers.text.npos ? std::nullopt : parse_integer(numbers.text.substr(last + 1));
    if (!start || !end || *start < 0 || *end > 1'000'000'000)
      fail(numbers, "expected two offsets, found " + quoted(numbers.text));
    // The text of a span in pieces leaves out what stands between them.
    const bool in_pieces = numbers.text.find(';') != numbers.text.npos;
    const std::string_view text = columns.size() > 2 && !in_pieces ? columns[2].text : "";
    const int span = reader_.add_span(static_cast<int>(*start), static_cast<int>(*end),
                                      columns[0].text, text, source_.place(numbers.at));
    ids_.emplace(columns[0].text, span);
    reader_.add_type(span, type, probability(columns[0]));
  }

  int end_of(const Piece& word) const {
    const std::size_t colon = word.text.find(':');
    if (colon == word.text.npos)
      fail(word, "expected an argument such as Arg1:T1, found " + quoted(word.text));
    const std::string_view id = word.text.substr(colon + 1);
    const auto known = ids_.find(id);
    if (known == ids_.end()) fail(word, "no line defines " + quoted(id));
    return known->second;
  }

  void read_relation(const Piece& line) {
    const std::vector<Piece> columns = cut(line, '\t', 3);
    if (columns.size() < 2) fail(line, "expected an id, a tab, a relation and its arguments");
    std::vector<Piece> words = cut(columns[1], ' ', 4);
    const int relation = schema_.find_relation(words[0].text);
    if (relation < 0) fail(words[0], "the schema has no relation " + quoted(words[0].text));
    if (words.size() < 3) fail(columns[1], "expected two arguments such as Arg1:T1 Arg2:T2");
    const int head = end_of(words[1]), tail = end_of(words[2]);
    reader_.add_pair(head, tail, relation, probability(columns[0]));
  }

  Source source_;
  const Schema& schema_;
  double probability_;
  CandidateReader& reader_;
  std::map<std::string, double> notes_;
  std::map<std::string_view, int> ids_;
};

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

}  // namespace

void read_brat(std::string_view ann, const std::optional<std::string>& text, std::string_view file,
               const Schema& schema, double probability, CandidateReader& reader) {
  Sentence s;
  s.file = file;
  s.line = 1;
  std::string_view name = file.substr(file.find_last_of('/') + 1);
  s.id = name.substr(0, name.find_last_of('.'));
  s.has_text = text.has_value();
  if (text) s.text = *text;
  reader.add_sentence(std::move(s));
  BratReader(ann, file, schema, probability, reader).run();
}

std::string write_brat(const Schema& schema, const Candidates& c, const Extraction& e) {
  std::string out, notes;
  int note = 0;
  auto add_note = [&](const std::string& about, double confidence) {
    notes += "#" + std::to_string(++note) + "\tAnnotatorNotes " + about + "\t";
    append_number(notes, rounded(confidence));
    notes += "\n";
  };
  int t = 0, r = 0;
  for (int i : e.chosen.types) {
    const Span& span = c.spans[c.types[i].span];
    const std::string id = "T" + std::to_string(++t);
    out += id + "\t" + schema.types[c.types[i].type].name + " " + std::to_string(span.start) + " " +
           std::to_string(span.end) + "\t" + one_line(span.text) + "\n";
    add_note(id, c.types[i].confidence);
  }
  const ChosenEntities entities(schema, c, e.chosen);
  for (int p : e.chosen.pairs) {
    const Pair& pair = c.pairs[p];
    const std::string id = "R" + std::to_string(++r);
    out += id + "\t" + schema.relations[pair.relation].name + " Arg1:T" +
           std::to_string(entities.end_of(pair, true) + 1) + " Arg2:T" +
           std::to_string(entities.end_of(pair, false) + 1) + "\n";
    add_note(id, pair.confidence);
  }
  return out + notes;
}

}  // namespace entente::schema
