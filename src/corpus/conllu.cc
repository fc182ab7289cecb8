#include "corpus/conllu.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "corpus/layers/view.h"
#include "corpus/utf8.h"

namespace entente {

namespace {

constexpr std::string_view kColumns[] = {"ID",    "FORM", "LEMMA",  "UPOS", "XPOS",
                                         "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};
constexpr int kMaxWords = 1'000'000;

// A number as the format writes it: digits only, none too many. -1 if it is not one.
int parse_id(std::string_view text) {
  if (text.empty() || text.size() > 7 || (text.size() > 1 && text[0] == '0')) return -1;
  int value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value <= kMaxWords ? value : -1;
}

// "# newdoc", "# newdoc id = x", "#newdoc": also what older treebanks write, "# newdoc_id = x".
bool is_mark(std::string_view comment, std::string_view mark) {
  comment.remove_prefix(std::min(comment.find_first_not_of("# "), comment.size()));
  if (!comment.starts_with(mark)) return false;
  comment.remove_prefix(mark.size());
  return comment.empty() || comment[0] == ' ' || comment[0] == '_';
}

}  // namespace

void ConlluReader::fail(int column, const std::string& message) const {
  throw Error(message, source_.place(column));
}

bool ConlluReader::next_line() {
  offset_ = next_offset_;
  if (!source_.read_line(line_)) return false;
  next_offset_ += static_cast<std::int64_t>(line_.size()) + 1;
  if (line_.ends_with('\r')) line_.pop_back();
  if (options_.lenient) {
    if (!is_utf8(line_)) line_ = replace_invalid_utf8(line_);
  } else {
    check_utf8(line_, source_.place(1), offset_);
  }
  if (offset_ == 0 && line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);
  return true;
}

bool ConlluReader::read(Sentence& sentence) {
  sentence.comments.clear();
  sentence.words.clear();
  sentence.tokens.clear();
  sentence.empty_nodes.clear();
  sentence.begin = sentence.end = -1;
  sentence.new_document = sentence.new_paragraph = false;
  lines_.clear();
  range_end_ = empty_nodes_here_ = 0;
  bool started = false;
  while (next_line()) {
    if (line_.empty()) {
      if (started) break;
      continue;
    }
    started = true;
    if (line_[0] == '#') {
      read_comment(sentence);
    } else {
      read_row(sentence);
    }
  }
  if (started) finish(sentence);
  return started;
}

void ConlluReader::read_comment(Sentence& sentence) {
  if (!sentence.words.empty() || !sentence.tokens.empty() || !sentence.empty_nodes.empty())
    fail(1, "comments stand before the words of a sentence; is a blank line missing?");
  sentence.new_document |= is_mark(line_, "newdoc");
  sentence.new_paragraph |= is_mark(line_, "newpar");
  sentence.comments.push_back(line_);
}

void ConlluReader::split() {
  std::string_view rest = line_;
  int count = 0;
  for (bool more = true; more; ++count) {
    const std::size_t tab = rest.find('\t');
    more = tab != std::string_view::npos;
    if (count < 10) fields_[count] = rest.substr(0, tab);
    if (more) rest.remove_prefix(tab + 1);
  }
  if (count != 10) {
    fail(1, "expected 10 columns separated by tabs, found " + std::to_string(count));
  }
  for (int i = 0; i < 10; ++i) {
    if (!fields_[i].empty()) continue;
    const auto column = static_cast<int>(fields_[i].data() - line_.data()) + 1;
    fail(column, "column " + std::to_string(i + 1) + " (" + std::string(kColumns[i]) +
                     ") is empty; write _ where there is nothing");
  }
}

void ConlluReader::fail_id(const Sentence& sentence) const {
  fail(1, "expected word " + std::to_string(sentence.size() + 1) + ", found " + quoted(fields_[0]));
}

void ConlluReader::read_row(Sentence& sentence) {
  split();
  if (const std::size_t dash = fields_[0].find('-'); dash != std::string_view::npos) {
    read_range(sentence, dash);
  } else if (const std::size_t dot = fields_[0].find('.'); dot != std::string_view::npos) {
    read_empty_node(sentence, dot);
  } else {
    read_word(sentence, parse_id(fields_[0]));
  }
}

void ConlluReader::read_word(Sentence& sentence, int id) {
  if (id != sentence.size() + 1) fail_id(sentence);
  Word& word = sentence.words.emplace_back();
  std::string* const into[] = {nullptr,     &word.form, &word.lemma,  &word.upos, &word.xpos,
                               &word.feats, nullptr,    &word.deprel, &word.deps, &word.misc};
  for (int i = 0; i < 10; ++i) {
    if (into[i]) into[i]->assign(fields_[i]);
  }
  if (fields_[6] != "_") {
    word.head = parse_id(fields_[6]);
    if (word.head < 0 || word.head == id) {
      const auto column = static_cast<int>(fields_[6].data() - line_.data()) + 1;
      fail(column, word.head == id ? "word " + std::to_string(id) + " is its own head"
                                   : "expected the number of a word, 0 or _ as HEAD, found " +
                                         quoted(fields_[6]));
    }
  }
  lines_.push_back(source_.line_number());
  if (id > range_end_) sentence.tokens.push_back({.first = id - 1, .last = id - 1});
  empty_nodes_here_ = 0;
}

void ConlluReader::read_range(Sentence& sentence, std::size_t dash) {
  const int first = parse_id(fields_[0].substr(0, dash));
  const int last = parse_id(fields_[0].substr(dash + 1));
  if (first != sentence.size() + 1 || last < first) fail_id(sentence);
  if (first <= range_end_) fail(1, "multiword tokens overlap");
  range_end_ = last;
  Token& token = sentence.tokens.emplace_back();
  token.first = first - 1;
  token.last = last - 1;
  token.form = fields_[1];
  token.misc = fields_[9];
  const std::string_view others(
      fields_[2].data(), static_cast<std::size_t>(fields_[9].data() - fields_[2].data()) - 1);
  if (others != "_\t_\t_\t_\t_\t_\t_") token.other_columns = others;
}

void ConlluReader::read_empty_node(Sentence& sentence, std::size_t dot) {
  const int after = parse_id(fields_[0].substr(0, dot));
  const int number = parse_id(fields_[0].substr(dot + 1));
  // After the line of a multiword token its first word must come.
  const bool in_token = range_end_ > sentence.size() && !sentence.tokens.empty() &&
                        sentence.tokens.back().first == sentence.size();
  if (after != sentence.size() || number != empty_nodes_here_ + 1 || in_token) fail_id(sentence);
  ++empty_nodes_here_;
  sentence.empty_nodes.push_back({after, line_});
}

void ConlluReader::finish(Sentence& sentence) {
  if (sentence.words.empty()) fail(1, "expected a word after the comments of a sentence");
  if (range_end_ > sentence.size())
    fail(1, "the sentence ends within the multiword token " +
                std::to_string(sentence.tokens.back().first + 1) + "-" +
                std::to_string(range_end_));
  for (int i = 0; i < sentence.size(); ++i) {
    if (sentence.words[i].head <= sentence.size()) continue;
    Place place = source_.place(1);
    place.line = lines_[i];
    throw Error("the head of word " + std::to_string(i + 1) + " is " +
                    std::to_string(sentence.words[i].head) + ", but the sentence has " +
                    std::to_string(sentence.size()) + " words",
                place);
  }
}

namespace {

void append_field(std::string& out, std::string_view field) {
  if (field.empty()) field = "_";
  for (char c : field) out += c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
}

void append_token_line(std::string& out, const Token& token) {
  append_number(out, token.first + 1);
  out += '-';
  append_number(out, token.last + 1);
  out += '\t';
  append_field(out, token.form);
  out += '\t';
  out += token.other_columns.empty() ? "_\t_\t_\t_\t_\t_\t_" : token.other_columns;
  out += '\t';
  append_field(out, token.misc);
  out += '\n';
}

void append_word_line(std::string& out, const Word& word, int id) {
  append_number(out, id);
  for (const std::string* field : {&word.form, &word.lemma, &word.upos, &word.xpos, &word.feats}) {
    out += '\t';
    append_field(out, *field);
  }
  out += '\t';
  if (word.head < 0) {
    out += '_';
  } else {
    append_number(out, word.head);
  }
  for (const std::string* field : {&word.deprel, &word.deps, &word.misc}) {
    out += '\t';
    append_field(out, *field);
  }
  out += '\n';
}

}  // namespace

void append_conllu(std::string& out, const Sentence& sentence) {
  for (const std::string& comment : sentence.comments) {
    for (char c : comment) out += c == '\n' || c == '\r' ? ' ' : c;
    out += '\n';
  }
  for (const LayerView* view : all_views()) view->append_comments(out, sentence);
  std::size_t node = 0, token = 0;
  for (int i = 0; i <= sentence.size(); ++i) {
    for (; node < sentence.empty_nodes.size() && sentence.empty_nodes[node].after == i; ++node) {
      out += sentence.empty_nodes[node].line;
      out += '\n';
    }
    if (i == sentence.size()) break;
    for (; token < sentence.tokens.size() && sentence.tokens[token].first <= i; ++token) {
      if (sentence.tokens[token].is_multiword()) append_token_line(out, sentence.tokens[token]);
    }
    append_word_line(out, sentence.words[i], i + 1);
  }
  out += '\n';
}

std::string_view comment_value(const Sentence& sentence, std::string_view name) {
  for (std::string_view comment : sentence.comments) {
    comment.remove_prefix(std::min(comment.find_first_not_of("# "), comment.size()));
    if (!comment.starts_with(name)) continue;
    comment.remove_prefix(name.size());
    const std::size_t equals = comment.find_first_not_of(' ');
    if (equals == std::string_view::npos || comment[equals] != '=') continue;
    comment.remove_prefix(equals + 1);
    comment.remove_prefix(std::min(comment.find_first_not_of(' '), comment.size()));
    return comment;
  }
  return {};
}

std::string_view field_value(std::string_view field, std::string_view name) {
  while (!field.empty()) {
    const std::size_t bar = std::min(field.find('|'), field.size());
    const std::string_view item = field.substr(0, bar);
    if (item.size() > name.size() && item.starts_with(name) && item[name.size()] == '=')
      return item.substr(name.size() + 1);
    field.remove_prefix(std::min(bar + 1, field.size()));
  }
  return {};
}

}  // namespace entente
