// Raw text in, sentences with tokens and words out.
//
//   const ModelFile file("en.model");
//   const Segmenter segmenter(file);                       // the file must outlive it
//   const std::unique_ptr<Scratch> scratch = segmenter.make_scratch();    // one a thread
//   document.text = "Don't go. It's late.";
//   segmenter.segment(document, *scratch);                 // fills in document.sentences
//
// Three steps, each with its own linear model: characters into tokens (token_source.h), tokens into
// sentences (sentence_source.h), tokens into words (multiword.h). Any bytes are accepted; every
// byte that is not white space is in just one token, in order, and text.substr(begin, end - begin)
// is the token's form. A blank line always ends a sentence, and so does a line with a bullet after
// it. Linear in the text; immutable.
#pragma once

#include <memory>
#include <vector>

#include "corpus/document.h"
#include "learn/model_file.h"
#include "learn/weights.h"
#include "model/task.h"
#include "tasks/tokens/lexicon.h"
#include "tasks/tokens/multiword.h"
#include "tasks/tokens/sentence_source.h"
#include "tasks/tokens/token_source.h"

namespace entente {

class Segmenter {
 public:
  explicit Segmenter(const ModelFile& file);

  std::unique_ptr<Scratch> make_scratch() const;
  void segment(Document& document, Scratch& scratch) const;

  // Changed whenever features change: models of another are refused.
  static constexpr int kVersion = 2;

 private:
  struct Work;

  void find_tokens(Work& work) const;
  void find_sentences(Work& work) const;
  void write(Document& document, Work& work) const;
  // The rule that splits token i into words; -1: none.
  int split_rule(Work& work, int i) const;

  tokens::GapTable gaps_;
  tokens::LexiconView lexicon_;
  WeightView token_weights_, sentence_weights_, word_weights_;
  tokens::MultiwordRules rules_;
  float token_price_ = 0, sentence_price_ = 0;
};

}  // namespace entente
