#include "corpus/word_offsets.h"

#include <algorithm>

namespace entente {

namespace {

// True if the words of the token, one after the other, are its text.
bool words_make_up(const Sentence& sentence, const Token& token, std::string_view text) {
  for (int i = token.first; i <= token.last; ++i) {
    const std::string& form = sentence.words[i].form;
    if (form.empty() || !text.starts_with(form)) return false;
    text.remove_prefix(form.size());
  }
  return text.empty();
}

}  // namespace

std::vector<WordPlace> word_offsets(const Sentence& sentence, std::string_view text) {
  std::vector<WordPlace> out(sentence.words.size());
  for (const Token& token : sentence.tokens) {
    if (token.begin < 0 || token.end < token.begin) continue;
    const auto begin = static_cast<std::size_t>(token.begin),
               end = static_cast<std::size_t>(token.end);
    const bool split = token.last > token.first && end <= text.size() &&
                       words_make_up(sentence, token, text.substr(begin, end - begin));
    std::int64_t at = token.begin;
    for (int i = token.first; i <= token.last; ++i) {
      if (split) {
        const auto next = at + static_cast<std::int64_t>(sentence.words[i].form.size());
        out[i] = {at, next};
        at = next;
      } else {
        out[i] = {token.begin, token.end};
      }
    }
  }
  return out;
}

WordPlace place_of_words(const std::vector<WordPlace>& places, int first, int last) {
  WordPlace out;
  for (int i = first; i <= last; ++i) {
    if (!places[i].known()) continue;
    out.begin = out.known() ? std::min(out.begin, places[i].begin) : places[i].begin;
    out.end = std::max(out.end, places[i].end);
  }
  return out;
}

}  // namespace entente
