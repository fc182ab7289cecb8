// The three models of the tokenizer in training (see task.h).
//
//   Trainer trainer(sentences, options, settings);
//   if (trainer.run(monitor)) trainer.write(writer);       // false: stopped
//
// The lexicon that a paragraph's features are taken from is made of the other paragraphs only
// (kParts parts in turn): what a word does in the paragraph must not be known before.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/monitor.h"
#include "corpus/document.h"
#include "learn/model_file.h"
#include "model/task.h"
#include "tasks/tokens/lexicon.h"
#include "tasks/tokens/multiword.h"
#include "tasks/tokens/segments.h"
#include "tasks/tokens/sentence_source.h"
#include "tasks/tokens/token_source.h"
#include "tasks/tokens/treebank_text.h"

namespace entente::tokens {

struct TrainerSettings {
  double sentence_price = 0.4;  // share of a right sentence that a wrong one costs
  int token_bits = 18, sentence_bits = 20;
  double rate = 0.1;
  double copies = 0.25;  // share of the paragraphs that are also learned in another layout
};

class Trainer {
 public:
  Trainer(std::span<const Sentence> sentences, const TrainingOptions& options,
          const TrainerSettings& settings);

  bool run(Monitor& monitor);  // goes on from options.checkpoint if that file is there
  void write(ModelWriter& writer) const;

 private:
  static constexpr int kParts = 8;

  // A copy is in the part of what it is a copy of.
  int part_of(int paragraph) const {
    const int of = paragraphs_[paragraph].copy_of;
    return (of < 0 ? paragraph : of) / 16 % kParts;
  }
  std::span<const Paragraph> originals() const;
  void learn(int paragraph);
  void learn_tokens(TokenSource& source);
  void learn_sentences(const Paragraph& p, SentenceSource& source);
  void learn_words(const Paragraph& p, const LexiconView& lexicon);
  std::uint64_t fingerprint() const;

  TrainingOptions options_;
  TrainerSettings settings_;
  std::vector<Paragraph> paragraphs_;
  std::vector<std::uint8_t> gaps_;
  std::vector<LexiconEntry> lexicon_;              // of everything
  std::vector<std::vector<LexiconEntry>> others_;  // of all but one part
  MultiwordRules rules_;
  Learner token_learner_, sentence_learner_, word_learner_;
  SegmentLattice token_lattice_, sentence_lattice_;
  Characters characters_;
  std::vector<int> token_ends_, ends_, candidates_;
  Features features_;
};

}  // namespace entente::tokens
