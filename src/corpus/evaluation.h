// How well a system's analysis of a text agrees with the gold one: the metrics of the CoNLL 2018
// shared task (Zeman et al., CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to
// Universal Dependencies, section 4).
//
//   Evaluation e = evaluate(gold.sentences, system.sentences);
//   e.find("LAS")->f1();                                   // in percent
//
// Both must be of the same text, spaces aside; tokens, words and sentences may differ. Tokens and
// sentences agree if they are the same stretch of text. Words agree if they are the same stretch,
// and where one side has a multiword token, by a longest common subsequence of lowercased forms
// within the stretch that both sides cut in the same places. All else is counted over words that
// agree: right if the layer is the same, and for UAS and LAS if the heads agree too. Relations
// count without their subtypes, features only those that are universal, and a gold lemma "_" is
// agreed with by any. CLAS counts content words only. Metrics of layers that gold does not have
// are left out. Linear, but for the subsequences. Thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/document.h"

namespace entente {

struct Score {
  std::string name;
  std::int64_t gold = 0, system = 0, correct = 0;
  std::int64_t aligned = -1;  // words counted that agree; -1: not a metric of words

  double precision() const { return percent(correct, system); }
  double recall() const { return percent(correct, gold); }
  double f1() const { return percent(2 * correct, gold + system); }
  double aligned_accuracy() const { return percent(correct, aligned); }

  static double percent(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  }
};

struct Evaluation {
  std::vector<Score>
      scores;  // Tokens, Sentences, Words, UPOS, XPOS, UFeats, Lemmas, UAS, LAS, CLAS
  const Score* find(std::string_view name) const;  // null: not there
};

// Throws an Error that says where and how the texts differ, if they do; the names are for it.
Evaluation evaluate(std::span<const Sentence> gold, std::span<const Sentence> system,
                    const std::string& gold_name = "gold",
                    const std::string& system_name = "system");

}  // namespace entente
