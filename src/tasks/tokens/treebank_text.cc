#include "tasks/tokens/treebank_text.h"

#include <algorithm>
#include <string_view>

#include "base/random.h"
#include "corpus/corpus.h"

namespace entente::tokens {
namespace {

// Readers of columns without tokens give words only.
std::vector<Token> tokens_of(const Sentence& s) {
  if (!s.tokens.empty()) return s.tokens;
  std::vector<Token> tokens(s.words.size());
  for (int i = 0; i < s.size(); ++i) tokens[i].first = tokens[i].last = i;
  return tokens;
}

bool is_one_of(std::string_view form, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), form) != list.end();
}

// How people write it: no space between these two.
bool usually_attached(std::string_view left, std::string_view right) {
  return is_one_of(right,
                   {".", ",", ";", ":", "!", "?", ")", "]", "}", "%", "...", "…", "»", "”"}) ||
         is_one_of(left, {"(", "[", "{", "«", "“", "„"});
}

class Writer {
 public:
  Writer(bool has_spaces, std::uint64_t seed) : has_spaces_(has_spaces), random_(seed) {}

  void add(const Sentence& s) {
    if (out_.empty() || s.new_document || s.new_paragraph ||
        out_.back().tokens.size() > Paragraph::kLongest) {
      out_.emplace_back();
      space_ = false;
    }
    Paragraph& p = out_.back();
    const std::vector<Token> tokens = tokens_of(s);
    const bool attach = !has_spaces_ && random_.chance(0.5);
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      const Token& t = tokens[k];
      const std::string& form = s.token_form(t);
      if (form.empty()) continue;
      if (space_) p.text += ' ';
      const auto begin = static_cast<std::uint32_t>(p.text.size());
      p.text += form;
      p.tokens.push_back({begin, static_cast<std::uint32_t>(p.text.size()), &s, t.first, t.last,
                          k + 1 == tokens.size()});
      space_ = has_space_after(s, t);
      if (attach && k + 1 < tokens.size() && usually_attached(form, s.token_form(tokens[k + 1]))) {
        space_ = false;
      }
    }
  }

  std::vector<Paragraph> take() { return std::move(out_); }

 private:
  bool has_spaces_, space_ = false;
  Random random_;
  std::vector<Paragraph> out_;
};

}  // namespace

std::vector<Paragraph> paragraphs_of(std::span<const Sentence> sentences, std::uint64_t seed) {
  const bool has_spaces = std::any_of(sentences.begin(), sentences.end(), [](const Sentence& s) {
    return std::any_of(s.tokens.begin(), s.tokens.end(),
                       [&](const Token& t) { return !has_space_after(s, t); });
  });
  Writer writer(has_spaces, seed);
  for (const Sentence& s : sentences) writer.add(s);
  return writer.take();
}

}  // namespace entente::tokens
