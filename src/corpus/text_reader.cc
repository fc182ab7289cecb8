#include "corpus/text_reader.h"

#include "base/text.h"
#include "corpus/utf8.h"

namespace entente {

namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\f\v") == std::string_view::npos;
}

// Where to cut a text so that at most `longest` bytes stand before.
std::size_t cut_place(std::string_view text, std::size_t longest) {
  for (const char* wanted : {"\n", " \t"}) {
    const std::size_t at = text.find_last_of(wanted, longest - 1);
    if (at != std::string_view::npos && at > 0) return at + 1;
  }
  std::size_t at = longest;
  while (at > 1 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

bool TextReader::next_line() {
  bytes_ += line_bytes_;
  characters_ += line_characters_;
  if (!source_.read_line(line_)) {
    line_bytes_ = line_characters_ = 0;
    return false;
  }
  line_bytes_ = static_cast<std::int64_t>(line_.size()) + 1;
  const bool mark = first_ && line_.starts_with("\xEF\xBB\xBF");
  first_ = false;
  if (mark) line_.erase(0, 3);
  const bool carriage = line_.ends_with('\r');
  if (carriage) line_.pop_back();
  if (!is_utf8(line_)) {
    if (!options_.lenient) check_utf8(line_, source_.place(0), bytes_ + (mark ? 3 : 0));
    line_ = replace_invalid_utf8(line_);
  }
  line_characters_ = count_characters(line_) + 1 + (mark ? 1 : 0) + (carriage ? 1 : 0);
  if (mark) ++characters_, --line_characters_;  // the paragraph starts after it
  return true;
}

void TextReader::cut(Document& document) {
  const std::size_t at = cut_place(document.text, options_.longest);
  rest_ = document.text.substr(at);
  document.text.resize(at);
  rest_begin_ = document.characters_before + count_characters(document.text);
}

bool TextReader::read(Document& document) {
  document.text.clear();
  document.sentences.clear();
  if (!rest_.empty()) {
    document.characters_before = rest_begin_;
    document.text.swap(rest_);
    rest_.clear();
  }
  // Not more than what is sure to be cut: memory stays that of one paragraph.
  while (document.text.size() <= options_.longest && next_line()) {
    if (is_blank(line_)) {
      if (is_blank(document.text)) {
        document.text.clear();
        continue;
      }
      return true;
    }
    if (document.text.empty()) document.characters_before = characters_;
    document.text += line_;
    document.text += '\n';
  }
  if (document.text.size() > options_.longest) cut(document);
  return !document.text.empty();
}

}  // namespace entente
