#include "corpus/corpus.h"

#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/gzip.h"
#include "corpus/utf8.h"

namespace entente {

const std::string& token_misc(const Sentence& sentence, const Token& token) {
  return token.is_multiword() ? token.misc : sentence.words[token.first].misc;
}

bool has_space_after(const Sentence& sentence, const Token& token) {
  return field_value(token_misc(sentence, token), "SpaceAfter") != "No";
}

namespace {

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const Utf8Char c = decode_utf8(text, at);
    if (!unicode::is_space(c.code) || c.length == 0) break;
    at += static_cast<std::size_t>(c.length);
  }
  return at;
}

// Where `form` ends if it stands at `at`, spaces within it counting as equal; npos if it does not.
std::size_t match_form(std::string_view text, std::size_t at, std::string_view form) {
  for (std::size_t i = 0; i < form.size();) {
    if (const std::size_t next = skip_spaces(form, i); next > i) {
      const std::size_t after = skip_spaces(text, at);
      if (after == at && next < form.size()) return std::string_view::npos;
      i = next;
      at = after;
    } else if (at >= text.size() || text[at] != form[i]) {
      return std::string_view::npos;
    } else {
      ++at;
      ++i;
    }
  }
  return at;
}

// Places of the sentence's tokens in its text; false if the text is not that of the tokens.
bool place_tokens(std::string_view text, Sentence& sentence, std::int64_t before) {
  std::size_t at = 0;
  for (Token& token : sentence.tokens) {
    at = skip_spaces(text, at);
    const std::size_t end = match_form(text, at, sentence.token_form(token));
    if (end == std::string_view::npos) return false;
    token.begin = before + static_cast<std::int64_t>(at);
    token.end = before + static_cast<std::int64_t>(end);
    at = end;
  }
  return skip_spaces(text, at) == text.size();
}

// Appends the forms and says where they are.
void append_forms(std::string& text, Sentence& sentence) {
  for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
    Token& token = sentence.tokens[i];
    token.begin = static_cast<std::int64_t>(text.size());
    text += sentence.token_form(token);
    token.end = static_cast<std::int64_t>(text.size());
    if (i + 1 < sentence.tokens.size() && has_space_after(sentence, token)) text += ' ';
  }
}

std::string_view text_comment(const Sentence& sentence) {
  std::string_view text = comment_value(sentence, "text");
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Appends the sentence's own text.
void append_text(std::string& text, Sentence& sentence) {
  const std::string_view comment = text_comment(sentence);
  const auto begin = static_cast<std::int64_t>(text.size());
  if (!comment.empty() && place_tokens(comment, sentence, begin)) {
    text += comment;
  } else {
    append_forms(text, sentence);
  }
  sentence.begin = begin;
  sentence.end = static_cast<std::int64_t>(text.size());
}

}  // namespace

void build_text(Document& document) {
  std::string& text = document.text;
  text.clear();
  bool space = false;  // before the next sentence
  for (Sentence& sentence : document.sentences) {
    if (!text.empty() && (sentence.new_document || sentence.new_paragraph)) {
      text += "\n\n";
    } else if (space) {
      text += ' ';
    }
    append_text(text, sentence);
    space = sentence.tokens.empty() || has_space_after(sentence, sentence.tokens.back());
  }
  if (!text.empty()) text += '\n';
}

std::string sentence_text(const Sentence& sentence) {
  Sentence copy = sentence;
  std::string text;
  append_text(text, copy);
  return text;
}

void write_text_comment(const Document& document, Sentence& sentence) {
  constexpr std::string_view kText = "# text = ";
  std::erase_if(sentence.comments, [&](const std::string& c) { return c.starts_with(kText); });
  std::string text(kText);
  for (std::int64_t i = sentence.begin; i < sentence.end; ++i) {
    const char c = document.text[static_cast<std::size_t>(i)];
    text += c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
  }
  sentence.comments.push_back(std::move(text));
}

Sentence join_sentences(std::vector<Sentence>&& parts) {
  Sentence all = std::move(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const int offset = all.size();
    for (Token& t : parts[i].tokens) {
      t.first += offset;
      t.last += offset;
      all.tokens.push_back(std::move(t));
    }
    std::move(parts[i].words.begin(), parts[i].words.end(), std::back_inserter(all.words));
    all.end = parts[i].end;
  }
  return all;
}

Document read_corpus(LineSource& source, const ConlluOptions& options) {
  Document document;
  ConlluReader reader(source, options);
  for (Sentence sentence; reader.read(sentence);) {
    document.sentences.push_back(std::move(sentence));
    sentence = Sentence();
  }
  build_text(document);
  return document;
}

Document read_corpus(const std::string& path, const ConlluOptions& options) {
  CorpusFile file(path);
  return read_corpus(file, options);
}

}  // namespace entente
