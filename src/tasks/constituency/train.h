// Learns a constituency parser from trees.
//
//   ConstituencyModel model = train_parser(trees, {.epochs = 8, .loss = Loss::kBrackets}, monitor);
//
// The grammars and the lexicon are counted, the tagger is a conditional random field, and the
// log-linear model climbs the likelihood of the gold tree among those that pruning leaves, by
// AdaGrad one sentence at a time, its weights averaged. Training tags come from taggers that did
// not see the sentence (`folds`), and so does the filter of spans. With a loss the model is trained by softmax-margin: trees with
// many wrong brackets look better than they are while learning, so that the gold one learns to beat
// them by more. Deterministic: same trees, same options, same bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/monitor.h"
#include "corpus/layers/constituency/phrase_tree.h"
#include "tasks/constituency/parser.h"

namespace entente::constituency {

enum class Loss {
  kNone,      // likelihood
  kBrackets,  // wrong brackets and missing ones, each tau
  kF1,        // tau (1 - F1 of the sentence), exactly
};

struct ParserTraining {
  int epochs = 5, tagger_epochs = 3, folds = 2;
  int bits = 23;
  double rate = 0.1;
  Loss loss = Loss::kBrackets;
  double tau = 4;
  double threshold = 1e-3;  // of pruning
  int average_from = 1;     // the first epoch whose weights count
  std::uint64_t seed = 1;
  int horizontal = 1, vertical = 2;  // of the coarse decoder's grammar
  bool contexts = true;              // labels above and siblings in the log-linear model
  double span_loss = 0.002;  // share of held-out gold spans that the filter may close; 0: none
  std::vector<WordClass> classes;  // of words, from raw text; may be empty
  // Heads of the trees' words (from 1, 0: the root), for the lexicalised grammar; may be empty.
  std::vector<std::vector<int>> heads;
  double arc_weight = 5;  // of dependency scores in agreements
  // Of minimum risk: what scores are multiplied by before probabilities are taken, since a margin
  // makes them too sure; what a bracket costs.
  double temperature = 0.25, bracket_cost = 0.42;
};

// Stopped by the monitor: what there is after the epoch in hand.
ConstituencyModel train_parser(std::span<const PhraseTree> trees, const ParserTraining& options,
                               Monitor& monitor);

}  // namespace entente::constituency
