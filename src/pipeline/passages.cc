#include "pipeline/passages.h"

namespace entente {

std::vector<relations::Passage> passages_of(const Document& document) {
  std::vector<relations::Passage> out;
  for (const Sentence& sentence : document.sentences) {
    relations::Passage& p = out.emplace_back();
    for (const Word& word : sentence.words) {
      p.words.push_back(word.form);
      p.tags.push_back(word.xpos);
    }
    p.word_begin.assign(p.words.size(), 0);
    p.word_end.assign(p.words.size(), 0);
    for (const Token& token : sentence.tokens) {
      for (int i = token.first; i <= token.last; ++i) {
        p.word_begin[i] = token.begin;
        p.word_end[i] = token.end;
      }
    }
  }
  return out;
}

}  // namespace entente
