#include "corpus/layers/ccg/derivation.h"

#include <algorithm>
#include <utility>

#include "corpus/gzip.h"
#include "entente/error.h"

namespace entente::ccg {

namespace {

// One line: (<T category head children> child... ) and (<L category tag tag word category>).
class Reader {
 public:
  // table nullptr: categories are not looked at.
  Reader(std::string_view line, CategoryTable* table, Derivation& out)
      : line_(line), table_(table), out_(out) {}

  void read() {
    node(0);
    skip_spaces();
    if (at_ < line_.size()) fail("the end of the line");
  }

 private:
  static constexpr int kDepth = 4000;

  [[noreturn]] void fail(const std::string& expected) const {
    throw Error("expected " + expected,
                {.file = {}, .line = 0, .column = static_cast<int>(at_) + 1});
  }
  void skip_spaces() {
    while (at_ < line_.size() && line_[at_] == ' ') ++at_;
  }
  void expect(std::string_view text) {
    if (line_.substr(at_, text.size()) != text) fail("\"" + std::string(text) + "\"");
    at_ += text.size();
  }
  // Up to the next space.
  std::string_view field(const char* what) {
    const std::size_t end = std::min(line_.find(' ', at_), line_.size());
    if (end == at_ || end == line_.size()) fail(what);
    const std::string_view out = line_.substr(at_, end - at_);
    at_ = end + 1;
    return out;
  }
  CategoryId category(std::string_view text, std::size_t column) {
    if (table_ == nullptr) return kNoCategory;
    try {
      return table_->parse(text);
    } catch (const Error& e) {
      throw e.at({.file = {}, .line = 0, .column = e.place().column + static_cast<int>(column)});
    }
  }

  std::int32_t node(int depth) {
    if (depth > kDepth) fail("a derivation that is less deep");
    skip_spaces();
    expect("(<");
    if (line_.substr(at_, 2) == "L ") return leaf();
    expect("T ");
    DerivationNode n;
    const std::size_t column = at_;
    n.category = category(field("a category"), column);
    const std::string_view head = field("0 or 1, the head");
    n.head_is_left = head != "1";
    const std::size_t close = std::min(line_.find('>', at_), line_.size());
    const std::string_view count = line_.substr(at_, close - at_);
    if (count != "1" && count != "2") fail("1 or 2 children");
    at_ = close + 1;
    n.left = node(depth + 1);
    if (count == "2") n.right = node(depth + 1);
    skip_spaces();
    if (at_ >= line_.size() || line_[at_] != ')')
      fail("')' after " + std::string(count) + " children");
    ++at_;
    n.begin = out_.nodes[n.left].begin;
    n.end = out_.nodes[n.right < 0 ? n.left : n.right].end;
    out_.nodes.push_back(n);
    return static_cast<std::int32_t>(out_.nodes.size()) - 1;
  }

  std::int32_t leaf() {
    at_ += 2;
    DerivationNode n;
    const std::size_t column = at_;
    n.category = category(field("a category"), column);
    out_.tags.emplace_back(field("a tag"));
    field("a tag");
    out_.words.emplace_back(field("a word"));
    // The category again, with its own indices in some treebanks: not read.
    const std::size_t close = line_.find(">)", at_);
    if (close == std::string_view::npos) fail("\">)\" after the word's category");
    at_ = close + 2;
    n.word = n.begin = static_cast<std::int32_t>(out_.words.size()) - 1;
    n.end = n.begin + 1;
    out_.nodes.push_back(n);
    return static_cast<std::int32_t>(out_.nodes.size()) - 1;
  }

  std::string_view line_;
  CategoryTable* table_;
  Derivation& out_;
  std::size_t at_ = 0;
};

void write_node(const Derivation& d, const CategoryTable& table, std::int32_t at, bool plain,
                std::string& out) {
  const DerivationNode& n = d.nodes[at];
  const std::string& category = table.text(plain ? table.base(n.category) : n.category);
  if (n.left < 0) {
    const std::string& tag = d.tags[n.word];
    out +=
        "(<L " + category + " " + tag + " " + tag + " " + d.words[n.word] + " " + category + ">)";
    return;
  }
  out += "(<T " + category + (n.head_is_left ? " 0 " : " 1 ") + (n.right < 0 ? "1> " : "2> ");
  write_node(d, table, n.left, plain, out);
  if (n.right >= 0) {
    out += " ";
    write_node(d, table, n.right, plain, out);
  }
  out += " )";
}

}  // namespace

void Derivation::clear() {
  id.clear();
  words.clear();
  tags.clear();
  nodes.clear();
}

std::vector<CategoryId> Derivation::supertags() const {
  std::vector<CategoryId> out(words.size(), kNoCategory);
  for (const DerivationNode& n : nodes) {
    if (n.word >= 0) out[n.word] = n.category;
  }
  return out;
}

void read_derivation(std::string_view line, CategoryTable& table, Derivation& out) {
  out.clear();
  Reader(line, &table, out).read();
}

void read_tree(std::string_view line, Derivation& out) {
  out.clear();
  Reader(line, nullptr, out).read();
}

Derivations read_derivations(const std::string& path, CategoryTable& table, bool lenient) {
  CorpusFile file(path);
  Derivations out;
  Derivation derivation;
  std::string id;
  int number = 0;
  for (std::string line; file.read_line(line);) {
    ++number;
    if (line.empty()) continue;
    if (line.starts_with("ID=")) {
      id = line.substr(3, line.find(' ') - 3);
      continue;
    }
    try {
      read_derivation(line, table, derivation);
    } catch (const Error& e) {
      const Error placed = e.at({.file = path, .line = number, .column = e.place().column});
      if (!lenient) throw placed;
      if (out.refused++ == 0) out.first_refused = placed.what();
      out.refused_ids.push_back(std::exchange(id, {}));
      continue;
    }
    derivation.id = std::exchange(id, {});
    out.all.push_back(std::move(derivation));
  }
  return out;
}

std::string write_derivation(const Derivation& derivation, const CategoryTable& table,
                             bool plain_conjuncts) {
  std::string out;
  write_node(derivation, table, static_cast<std::int32_t>(derivation.nodes.size()) - 1,
             plain_conjuncts, out);
  return out;
}

}  // namespace entente::ccg
