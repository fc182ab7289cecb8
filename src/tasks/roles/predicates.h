// Which words are predicates, and in which sense (roleset).
//
//   const PredicateModel model(file, rolesets);
//   PredicateModel::Work work;                         // one a thread
//   int r = model.choose(input, word, work);           // a roleset, kNotOne, or kUnseen
//   int s = model.sense(input, word, work);            // the word is one: which roleset
//
// A log-linear choice among "no predicate" and the rolesets that the word's lemma had in training;
// words whose lemma had none have one unseen sense, X.01. Verbs, nouns and adjectives are asked.
// Cost: features * senses. Immutable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/monitor.h"
#include "learn/weights.h"
#include "tasks/roles/features.h"
#include "tasks/roles/frames.h"

namespace entente::roles {

inline constexpr int kNotOne = -1, kUnseen = -2;

class PredicateModel {
 public:
  struct Work {
    FeatureList features;
    std::vector<int> choices;
    std::vector<float> scores;
  };
  PredicateModel(const ModelFile& file, const Rolesets& rolesets)
      : rolesets_(rolesets), weights_(file, "roles/predicates") {}
  PredicateModel(const PackedWeights& packed, const Rolesets& rolesets)
      : rolesets_(rolesets), weights_(packed) {}

  int choose(const Input& input, int word, Work& work) const {
    return best(input, word, work, true);
  }
  int sense(const Input& input, int word, Work& work) const {
    return best(input, word, work, false);
  }

 private:
  int best(const Input& input, int word, Work& work, bool with_none) const;

  const Rolesets& rolesets_;
  WeightView weights_;
};

// Learned by AdaGrad on the log-likelihood; one thread, the same bytes every time.
PackedWeights train_predicates(std::span<const propbank::PropSentence> sentences,
                               const Rolesets& rolesets, int epochs, Monitor& monitor);

// Is the word of a kind that is asked at all?
bool may_be_predicate(const Input& input, int word);

// The words of a predicate with this roleset: itself, and a particle of its name ("bust_up")
// beside it. `apart` gets the particle if it stands elsewhere, else -1.
std::pair<int, int> words_of_predicate(const propbank::PropSentence& sentence, int word,
                                       const std::string& roleset, int& apart);

}  // namespace entente::roles
