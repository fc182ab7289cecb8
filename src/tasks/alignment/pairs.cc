#include "tasks/alignment/pairs.h"

#include "base/text.h"
#include "corpus/utf8.h"
#include "entente/error.h"

namespace entente::alignment {

namespace {

bool is_word(char32_t c) { return unicode::is_letter(c) || unicode::is_digit(c) || c == '_'; }
bool is_apostrophe(char32_t c) { return c == '\'' || c == 0x2019; }

}  // namespace

void tokenize(std::string_view text, std::vector<std::string>& words) {
  words.clear();
  std::string word;
  bool digits = false;  // the word so far is a number
  int letters = 0;      // of the word so far
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
    digits = false;
    letters = 0;
  };
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char c = decode_utf8(text, at);
    const int length = std::max(c.length, 1);
    const std::size_t after = at + length;
    const char32_t next = after < text.size() ? decode_utf8(text, after).code : U' ';
    if (c.length == 0) {
      word += text[at];
    } else if (is_word(c.code)) {
      digits = unicode::is_digit(c.code) && (word.empty() || digits);
      append_utf8(word, unicode::to_lower(c.code));
      ++letters;
    } else if (digits && (c.code == '.' || c.code == ',') && unicode::is_digit(next)) {
      append_utf8(word, c.code);  // 1,000.5
    } else if (is_apostrophe(c.code) && !word.empty() && is_word(next)) {
      // After a short word it ends it (l'homme, qu'il), after a long one it begins the next
      // (house's).
      if (letters <= 2) {
        word += '\'';
        end_word();
      } else {
        end_word();
        word += '\'';
      }
    } else {
      end_word();
      if (!unicode::is_space(c.code) && c.code >= 0x20) {
        append_utf8(word, is_apostrophe(c.code) ? U'\'' : c.code);
        end_word();
      }
    }
    at = after;
  }
  end_word();
}

void split_line(std::string_view text, const PairOptions& options, const LineSource& file,
                std::vector<std::string>& words) {
  std::string mended;
  if (!is_utf8(text)) {
    if (!options.lenient) check_utf8(text, file.place(1));
    mended = replace_invalid_utf8(text);
    text = mended;
  }
  if (options.tokenize) {
    tokenize(text, words);
    return;
  }
  words.clear();
  constexpr std::string_view kSpaces = " \t\r\v\f";
  for (std::size_t at = text.find_first_not_of(kSpaces); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kSpaces, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(kSpaces, end);
  }
}

PairReader::PairReader(const std::vector<std::string>& paths, const PairOptions& options)
    : options_(options) {
  if (paths.empty() || paths.size() > 2) {
    throw Error("expected two files of lines, or one of `a ||| b` lines");
  }
  if (paths.size() == 2 && paths[0] == "-" && paths[1] == "-") {
    throw Error("only one of two files can be standard input");
  }
  for (const std::string& path : paths) files_.push_back(std::make_unique<CorpusFile>(path));
}

bool PairReader::read(WordPair& pair) {
  const bool more = files_[0]->read_line(lines_[0]);
  if (files_.size() == 2) {
    const bool other = files_[1]->read_line(lines_[1]);
    if (more != other) {
      const LineSource& longer = *files_[more ? 0 : 1];
      const LineSource& shorter = *files_[more ? 1 : 0];
      throw Error("line " + std::to_string(longer.line_number()) +
                      " has no partner: " + shorter.name() + " ends after " +
                      std::to_string(shorter.line_number()) + " lines",
                  longer.place(0));
    }
  }
  if (!more) return false;
  pair.line = files_[0]->line_number();
  if (files_.size() == 2) {
    for (int side = 0; side < 2; ++side)
      split_line(lines_[side], options_, *files_[side], pair.words[side]);
    return true;
  }
  const std::string_view line = lines_[0];
  const std::size_t bar = line.find("|||");
  if (bar == std::string_view::npos && line.find_first_not_of(" \t\r") == std::string_view::npos) {
    for (auto& words : pair.words) words.clear();
    return true;  // an empty line keeps its place
  }
  if (bar == std::string_view::npos) {
    throw Error("expected two sentences with ||| between them, or a second file",
                files_[0]->place(1));
  }
  if (const std::size_t more_bars = line.find("|||", bar + 3);
      more_bars != std::string_view::npos) {
    throw Error("expected one ||| a line, not two",
                files_[0]->place(static_cast<int>(more_bars) + 1));
  }
  split_line(line.substr(0, bar), options_, *files_[0], pair.words[0]);
  split_line(line.substr(bar + 3), options_, *files_[0], pair.words[1]);
  return true;
}

}  // namespace entente::alignment
