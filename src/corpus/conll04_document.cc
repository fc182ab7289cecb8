#include "corpus/conll04_document.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "corpus/conllu.h"

namespace entente {

namespace {

constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"COMMA", ","}, {"-LRB-", "("}, {"-RRB-", ")"}, {"-LCB-", "{"}, {"-RCB-", "}"}};
constexpr std::pair<std::string_view, std::string_view> kTags[] = {
    {"PP", "PRP"}, {"PP$", "PRP$"}, {"NP", "NNP"}, {"NPS", "NNPS"}, {"(", "-LRB-"}, {")", "-RRB-"}};

template <typename Table>
std::string replaced(std::string_view text, const Table& table) {
  for (const auto& [from, to] : table) {
    if (text == from) return std::string(to);
  }
  return std::string(text);
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t slash = text.find('/');
    if (slash != 0 && !text.empty()) out.emplace_back(text.substr(0, slash));
    if (slash == std::string_view::npos) break;
    text.remove_prefix(slash + 1);
  }
  return out;
}

}  // namespace

void append_row(const Conll04Row& row, std::vector<std::string>& words_out,
                std::vector<std::string>& tags_out) {
  std::vector<std::string> words = split(row.words), tags = split(row.tags);
  if (words.empty()) words = {row.words};  // the word is a slash
  if (tags.empty()) tags = {row.tags};
  if (words.size() != tags.size() && tags.size() == 1 && row.label == "O") words = {row.words};
  for (std::size_t i = 0; i < words.size(); ++i) {
    words_out.push_back(replaced(words[i], kWords));
    tags_out.push_back(replaced(tags[std::min(i, tags.size() - 1)], kTags));
  }
}

void read_conll04_sentence(const Conll04Sentence& from, Sentence& to) {
  to = {};
  to.comments.push_back("# sent_id = " + from.id);
  std::vector<std::string> words, tags;
  std::vector<int> entity_of(from.rows.size(), -1);
  for (std::size_t i = 0; i < from.rows.size(); ++i) {
    const int begin = static_cast<int>(words.size());
    append_row(from.rows[i], words, tags);
    if (from.rows[i].label == "O") continue;
    entity_of[i] = static_cast<int>(to.entities.size());
    to.entities.push_back(
        {.words = {begin, static_cast<int>(words.size())}, .type = from.rows[i].label});
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const int at = static_cast<int>(i);
    to.words.push_back({.form = std::move(words[i]), .xpos = std::move(tags[i])});
    to.tokens.push_back({.first = at, .last = at});
  }
  for (const Conll04Relation& r : from.relations) {
    to.relations.all.push_back({entity_of[r.head], entity_of[r.tail], r.label});
  }
}

JoinedText join_words(const Sentence& sentence) {
  JoinedText out;
  for (const Word& word : sentence.words) {
    if (!out.text.empty()) out.text += ' ';
    out.begin.push_back(static_cast<std::int64_t>(out.text.size()));
    out.text += word.form;
    out.end.push_back(static_cast<std::int64_t>(out.text.size()));
  }
  return out;
}

Conll04Sentence conll04_of(const Sentence& from) {
  Conll04Sentence to;
  to.id = comment_value(from, "sent_id");
  if (to.id.empty()) to.id = "0";
  std::vector<int> row_of(from.entities.size(), -1);
  std::size_t next = 0;
  for (int i = 0; i < from.size();) {
    Conll04Row& row = to.rows.emplace_back();
    row.label = "O";
    int end = i + 1;
    if (next < from.entities.size() && from.entities[next].words.begin == i) {
      row.label = from.entities[next].type;
      end = from.entities[next].words.end;
      row_of[next++] = static_cast<int>(to.rows.size()) - 1;
    }
    for (; i < end; ++i) {
      std::string word = from.words[i].form;
      for (const auto& [written, read] : kWords) {
        if (word == read) word = written;
      }
      row.words += (row.words.empty() ? "" : "/") + word;
      row.tags += (row.tags.empty() ? "" : "/") + from.words[i].xpos;
    }
  }
  for (const Relation& r : from.relations.all) {
    to.relations.push_back({row_of[r.head], row_of[r.tail], r.type});
  }
  return to;
}

}  // namespace entente
