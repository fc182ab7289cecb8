// The classifiers of the approaches, and how they are trained.
//
//   Corpus corpus(passages, gazetteer, labels, threads);          // features, made once
//   Classifiers c = train_classifiers({corpus, {0, 1, 2}}, Told::nothing, options);
//   c.score(corpus.features(i), labels, scores);                  // log-probabilities
//
// Two classifiers are trained apart from each other: entity (a label for a mention) and relation (a
// label for an ordered pair). What the relation classifier is told of its arguments' types makes
// the difference: nothing (the paper's basic classifiers, and what its LP decodes), predicted types
// (its pipeline), or the true ones: then it says how likely a relation is *given* two types, and
// joint_scores() has it for all types, to be decided together with them. Probabilities of both are
// combined, so they have to mean something: `jackknife` times each is trained on all but one part
// of the training passages and judges that part, and on those judgements a temperature is fitted.
// Deterministic; the memory of one training is about 16 numbers a weight.
#pragma once

#include <span>
#include <vector>

#include "learn/log_linear.h"
#include "tasks/relations/features.h"
#include "tasks/relations/scores.h"

namespace entente::relations {

enum class Learner { log_linear, winnow };

struct ClassifierOptions {
  Learner learner = Learner::log_linear;
  double entity_l2 = 1, relation_l2 = 2;
  int iterations = 60;  // of L-BFGS; epochs of Winnow are a sixth of it
  int jackknife = 4;    // 0: no calibration
  int most_features = 0;  // of each classifier; 0: all
};

struct PassageFeatures {
  std::vector<Features> mentions, pairs;  // as in LocalScores
};

// Passages with their features.
class Corpus {
 public:
  Corpus(std::span<const Passage> passages, const Gazetteer& gazetteer, const LabelSet& labels,
         int threads);

  int size() const { return static_cast<int>(passages_.size()); }
  const Passage& passage(int i) const { return passages_[i]; }
  const PassageFeatures& features(int i) const { return features_[i]; }
  const LabelSet& labels() const { return labels_; }

 private:
  std::span<const Passage> passages_;
  std::vector<PassageFeatures> features_;
  const LabelSet& labels_;
};

void make_features(const Passage& passage, FeatureMaker& maker, PassageFeatures& out);

struct Classifiers {
  LinearModel entity, relation;

  void score(const PassageFeatures& features, const LabelSet& labels, LocalScores& out) const;
  // With a relation classifier that was told the true types: log P(type) of each mention, and for
  // each pair and signature log P(relation | its types) - log P(none | its types). "none" is worth
  // nothing.
  void joint_scores(const PassageFeatures& features, const LabelSet& labels,
                    JointScores& out) const;
  // The same for one pair.
  void joint_pair(const Features& features, const LabelSet& labels, std::span<double> states) const;
};

// What a relation classifier learns to know of the types of its arguments.
enum class Told { nothing, truth };

// What training leaves behind that other trainings need.
struct Jackknifed {
  std::vector<std::vector<int>> entities;  // labels predicted for each training passage
};

// Which passages to learn from.
struct TrainingSet {
  const Corpus& corpus;
  std::vector<int> passages;
  const Corpus* extra = nullptr;  // another corpus, which teaches entities only
  std::vector<int> extra_passages = {};
};

Classifiers train_classifiers(const TrainingSet& train, Told told, const ClassifierOptions& options,
                              Jackknifed* jackknifed = nullptr);

// Features of what is known of the other kind's labels, added to a mention's or a pair's.
void tell_entities(int head_label, int tail_label, Features& out);
void tell_relations(const Labelling& labelling, int mention, int mentions, Features& out);

// The relation classifier that is told entity labels: one vector of labels a passage of `train`.
LinearModel train_told_relation(const TrainingSet& train,
                                std::span<const std::vector<int>> entities,
                                const ClassifierOptions& options);
// The entity classifier that is told the true relations.
LinearModel train_told_entity(const TrainingSet& train, const ClassifierOptions& options);

}  // namespace entente::relations
