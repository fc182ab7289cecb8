#include "tasks/frames/lexicon_io.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace entente::frames {

namespace {

// Everything but text is a list of whole numbers with the counts before what they count.
class Numbers {
 public:
  void add(std::int64_t value) { values_.push_back(static_cast<std::int32_t>(value)); }
  template <typename Pairs>
  void add_pairs(const Pairs& pairs) {
    add(static_cast<std::int64_t>(pairs.size()));
    for (const auto& [a, b] : pairs) {
      add(a);
      add(b);
    }
  }
  void add_list(const std::vector<int>& list) {
    add(static_cast<std::int64_t>(list.size()));
    for (int x : list) add(x);
  }
  std::span<const std::int32_t> values() const { return values_; }

 private:
  std::vector<std::int32_t> values_;
};

// Reads them again; a damaged file is an Error, never a read outside.
class NumberReader {
 public:
  NumberReader(const ModelFile& file, const std::string& section)
      : file_(file), values_(file.array<std::int32_t>(section)) {}

  int next() {
    if (at_ == values_.size()) fail();
    return values_[at_++];
  }
  // Below `limit`, from `least`.
  int next(std::size_t limit, int least = 0) {
    const int value = next();
    if (value < least || value >= static_cast<std::int64_t>(limit)) fail();
    return value;
  }
  int count() { return next(values_.size() + 1); }
  std::vector<std::pair<int, int>> pairs(std::size_t limit_a, std::size_t limit_b) {
    std::vector<std::pair<int, int>> out(static_cast<std::size_t>(count()));
    for (auto& [a, b] : out) {
      a = next(limit_a);
      b = next(limit_b);
    }
    return out;
  }
  std::vector<int> list(std::size_t limit) {
    std::vector<int> out(static_cast<std::size_t>(count()));
    for (int& x : out) x = next(limit);
    return out;
  }
  [[noreturn]] void fail() const { file_.fail("the lexicon of frames is damaged"); }

 private:
  const ModelFile& file_;
  std::span<const std::int32_t> values_;
  std::size_t at_ = 0;
};

class StringReader {
 public:
  StringReader(const ModelFile& file, const std::string& section)
      : file_(file), strings_(file.strings(section)) {}
  std::string next() {
    if (at_ == strings_.size()) file_.fail("the lexicon of frames is damaged");
    return std::move(strings_[at_++]);
  }

 private:
  const ModelFile& file_;
  std::vector<std::string> strings_;
  std::size_t at_ = 0;
};

void write_frame(const framenet::Frame& frame, Numbers& numbers, std::vector<std::string>& text) {
  text.push_back(frame.name);
  numbers.add(static_cast<std::int64_t>(frame.roles.size()));
  for (const framenet::Role& role : frame.roles) {
    text.push_back(role.name);
    text.push_back(role.semantic_type);
    numbers.add(static_cast<int>(role.core));
  }
  numbers.add_pairs(frame.excludes);
  numbers.add_pairs(frame.requires_);
  numbers.add_pairs(frame.requires_one_way);
  numbers.add(static_cast<std::int64_t>(frame.core_sets.size()));
  for (const auto& set : frame.core_sets) numbers.add_list(set);
  numbers.add_list(frame.lexical_units);
}

framenet::Frame read_frame(NumberReader& numbers, StringReader& text, std::size_t units) {
  framenet::Frame frame;
  frame.name = text.next();
  const int roles = numbers.count();
  for (int r = 0; r < roles; ++r) {
    framenet::Role& role = frame.roles.emplace_back();
    role.name = text.next();
    role.semantic_type = text.next();
    role.core = static_cast<framenet::Core>(numbers.next(4));
  }
  const std::size_t n = frame.roles.size();
  frame.excludes = numbers.pairs(n, n);
  frame.requires_ = numbers.pairs(n, n);
  frame.requires_one_way = numbers.pairs(n, n);
  const int sets = numbers.count();
  for (int s = 0; s < sets; ++s) frame.core_sets.push_back(numbers.list(n));
  frame.lexical_units = numbers.list(units);
  return frame;
}

}  // namespace

void write_lexicon(const framenet::Lexicon& lexicon, ModelWriter& writer) {
  Numbers numbers;
  std::vector<std::string> text;
  numbers.add(static_cast<std::int64_t>(lexicon.lexical_units.size()));
  numbers.add(static_cast<std::int64_t>(lexicon.frames.size()));
  for (const framenet::Frame& frame : lexicon.frames) write_frame(frame, numbers, text);
  for (const framenet::LexicalUnit& unit : lexicon.lexical_units) {
    text.push_back(unit.name);
    text.push_back(unit.pos);
    numbers.add(unit.frame);
    numbers.add(unit.incorporated);
    numbers.add(unit.head);
    numbers.add(static_cast<std::int64_t>(unit.lexemes.size()));
    text.insert(text.end(), unit.lexemes.begin(), unit.lexemes.end());
  }
  numbers.add(static_cast<std::int64_t>(lexicon.relations.size()));
  for (const framenet::FrameRelation& relation : lexicon.relations) {
    text.push_back(relation.type);
    numbers.add(relation.child);
    numbers.add(relation.parent);
    numbers.add_pairs(relation.roles);
  }
  writer.add<std::int32_t>("frames/lexicon/numbers", numbers.values());
  writer.add_strings("frames/lexicon/text", text);
}

framenet::Lexicon read_lexicon(const ModelFile& file) {
  NumberReader numbers(file, "frames/lexicon/numbers");
  StringReader text(file, "frames/lexicon/text");
  framenet::Lexicon lexicon;
  const int units = numbers.count(), frames = numbers.count();
  for (int f = 0; f < frames; ++f) {
    lexicon.frames.push_back(read_frame(numbers, text, static_cast<std::size_t>(units)));
  }
  for (int u = 0; u < units; ++u) {
    framenet::LexicalUnit& unit = lexicon.lexical_units.emplace_back();
    unit.name = text.next();
    unit.pos = text.next();
    unit.frame = numbers.next(lexicon.frames.size());
    unit.incorporated = numbers.next(lexicon.frames[unit.frame].roles.size(), -1);
    unit.head = numbers.next();
    unit.lexemes.resize(static_cast<std::size_t>(numbers.count()));
    for (std::string& lexeme : unit.lexemes) lexeme = text.next();
  }
  const int relations = numbers.count();
  for (int r = 0; r < relations; ++r) {
    framenet::FrameRelation& relation = lexicon.relations.emplace_back();
    relation.type = text.next();
    relation.child = numbers.next(lexicon.frames.size());
    relation.parent = numbers.next(lexicon.frames.size());
    relation.roles = numbers.pairs(lexicon.frames[relation.child].roles.size(),
                                   lexicon.frames[relation.parent].roles.size());
  }
  return lexicon;
}

}  // namespace entente::frames
