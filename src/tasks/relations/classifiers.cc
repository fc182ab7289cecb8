#include "tasks/relations/classifiers.h"

#include <algorithm>

#include "base/parallel.h"
#include "learn/winnow.h"
#include "tasks/relations/calibrate.h"

namespace entente::relations {

namespace {

LinearModel train_linear(std::span<const Example> examples, int classes, double l2, int least_count,
                         const ClassifierOptions& options) {
  if (options.learner == Learner::winnow) {
    return train_winnow(
        examples, classes,
        {.epochs = std::max(options.iterations / 6, 1),
         .least_count = least_count,
         .most_features = options.most_features});
  }
  return train_log_linear(examples, classes,
                          {.l2 = l2,
                           .least_count = least_count,
                           .most_features = options.most_features,
                           .iterations = options.iterations});
}

// Features of pairs are many and mostly seen once, which teaches nothing but takes memory.
LinearModel train_entity(std::span<const Example> examples, const LabelSet& labels,
                         const ClassifierOptions& options) {
  return train_linear(examples, labels.entity_count(), options.entity_l2, 1, options);
}
LinearModel train_relation(std::span<const Example> examples, const LabelSet& labels,
                           const ClassifierOptions& options) {
  return train_linear(examples, labels.relation_count(), options.relation_l2, 2, options);
}

void add_entity_examples(const Corpus& corpus, int i, std::vector<Example>& out) {
  const Passage& p = corpus.passage(i);
  for (int m = 0; m < p.mention_count(); ++m) {
    out.push_back({corpus.features(i).mentions[m], p.mentions[m].label});
  }
}

// A pair's features, and the types that it is told.
template <typename Body>
void for_told_pairs(const PassageFeatures& features, const std::vector<int>* types, Body body) {
  const int n = static_cast<int>(features.mentions.size());
  for (int h = 0; h < n; ++h) {
    for (int t = 0; t < n; ++t) {
      if (h == t) continue;
      const int at = pair_index(h, t, n);
      Features told = features.pairs[at];
      if (types) tell_entities((*types)[h], (*types)[t], told);
      body(at, std::move(told));
    }
  }
}

void add_relation_examples(const Corpus& corpus, int i, const std::vector<int>* types,
                           std::vector<Example>& out) {
  const Labelling gold = gold_labelling(corpus.passage(i));
  for_told_pairs(corpus.features(i), types, [&](int at, Features features) {
    out.push_back({std::move(features), gold.relations[at]});
  });
}

void add_relation_examples(const Corpus& corpus, int i, Told told, std::vector<Example>& out) {
  const std::vector<int> truth = gold_labelling(corpus.passage(i)).entities;
  add_relation_examples(corpus, i, told == Told::truth ? &truth : nullptr, out);
}

std::vector<Example> extra_examples(const TrainingSet& train) {
  std::vector<Example> out;
  for (int i : train.extra_passages) add_entity_examples(*train.extra, i, out);
  return out;
}

// Classifiers trained on some passages and what they say of the others, before calibration.
class JackknifeRun {
 public:
  JackknifeRun(const Corpus& corpus, std::span<const int> train,
               std::span<const Example> extra_examples, Told told, const ClassifierOptions& options)
      : entity_scores(corpus.labels().entity_count()),
        relation_scores(corpus.labels().relation_count()),
        corpus_(corpus),
        train_(train),
        extra_(extra_examples),
        told_(told),
        options_(options) {
    predicted.entities.resize(train.size());
  }

  void run_part(int part) {
    std::vector<Example> entity(extra_.begin(), extra_.end()), relation;
    for (std::size_t k = 0; k < train_.size(); ++k) {
      if (part_of(k) == part) continue;
      add_entity_examples(corpus_, train_[k], entity);
      add_relation_examples(corpus_, train_[k], told_, relation);
    }
    Classifiers c;
    c.entity = train_entity(entity, corpus_.labels(), options_);
    c.relation = train_relation(relation, corpus_.labels(), options_);
    std::vector<double> scores;
    for (std::size_t k = 0; k < train_.size(); ++k) {
      if (part_of(k) == part) judge(c, k, scores);
    }
  }

  ScoredExamples entity_scores, relation_scores;
  Jackknifed predicted;

 private:
  int part_of(std::size_t k) const { return static_cast<int>(k) % options_.jackknife; }

  void judge(const Classifiers& c, std::size_t k, std::vector<double>& scores) {
    const PassageFeatures& features = corpus_.features(train_[k]);
    const Labelling gold = gold_labelling(corpus_.passage(train_[k]));
    scores.resize(c.entity.classes());
    for (std::size_t m = 0; m < gold.entities.size(); ++m) {
      c.entity.scores(features.mentions[m], scores);
      entity_scores.add(scores, gold.entities[m]);
      predicted.entities[k].push_back(best_label(scores));
    }
    scores.resize(c.relation.classes());
    const std::vector<int>* types = told_ == Told::truth ? &gold.entities : nullptr;
    for_told_pairs(features, types, [&](int at, const Features& pair) {
      c.relation.scores(pair, scores);
      relation_scores.add(scores, gold.relations[at]);
    });
  }

  const Corpus& corpus_;
  std::span<const int> train_;
  std::span<const Example> extra_;
  Told told_;
  const ClassifierOptions& options_;
};

}  // namespace

void make_features(const Passage& passage, FeatureMaker& maker, PassageFeatures& out) {
  const int n = passage.mention_count();
  maker.read(passage);
  out.mentions.resize(n);
  out.pairs.resize(pair_count(n));
  for (int h = 0; h < n; ++h) {
    maker.mention(passage.mentions[h], out.mentions[h]);
    for (int t = 0; t < n; ++t) {
      if (h == t) continue;
      maker.pair(passage.mentions[h], passage.mentions[t], out.pairs[pair_index(h, t, n)]);
    }
  }
}

Corpus::Corpus(std::span<const Passage> passages, const Gazetteer& gazetteer,
               const LabelSet& labels, int threads)
    : passages_(passages), features_(passages.size()), labels_(labels) {
  std::vector<FeatureMaker> makers(threads, FeatureMaker(gazetteer));
  parallel_for(size(), threads, [&](int i, int thread) {
    make_features(passages_[i], makers[thread], features_[i]);
  });
}

void Classifiers::score(const PassageFeatures& features, const LabelSet& labels,
                        LocalScores& out) const {
  const int n = static_cast<int>(features.mentions.size());
  out.reset(n, labels);
  for (int m = 0; m < n; ++m) entity.log_probabilities(features.mentions[m], out.entity(m));
  for (int i = 0; i < pair_count(n); ++i) {
    relation.log_probabilities(features.pairs[i], out.pair_at(i));
  }
}

void Classifiers::joint_pair(const Features& features, const LabelSet& labels,
                             std::span<double> states) const {
  std::vector<double> untold(labels.relations.size()), told(labels.relations.size());
  relation.scores(features, untold);
  Features types;
  states[0] = 0;
  for (std::size_t s = 0; s < labels.signatures.size(); ++s) {
    const Signature& of = labels.signatures[s];
    types.clear();
    tell_entities(of.head, of.tail, types);
    relation.scores(types, told);  // scores are sums over features: these come on top
    states[s + 1] = untold[of.relation] + told[of.relation] - untold[kNone] - told[kNone];
  }
}

void Classifiers::joint_scores(const PassageFeatures& features, const LabelSet& labels,
                               JointScores& out) const {
  const int n = static_cast<int>(features.mentions.size());
  out.reset(n, labels);
  for (int m = 0; m < n; ++m) entity.log_probabilities(features.mentions[m], out.entity(m));
  for (int i = 0; i < pair_count(n); ++i) {
    joint_pair(features.pairs[i], labels, out.states(i));
  }
}

Classifiers train_classifiers(const TrainingSet& train, Told told, const ClassifierOptions& options,
                              Jackknifed* jackknifed) {
  const Corpus& corpus = train.corpus;
  std::vector<Example> entity = extra_examples(train), relation;
  JackknifeRun held_out(corpus, train.passages, entity, told, options);
  for (int part = 0; part < options.jackknife; ++part) held_out.run_part(part);
  for (int i : train.passages) {
    add_entity_examples(corpus, i, entity);
    add_relation_examples(corpus, i, told, relation);
  }
  Classifiers out;
  out.entity = train_entity(entity, corpus.labels(), options);
  out.relation = train_relation(relation, corpus.labels(), options);
  out.entity.set_temperature(fit_temperature(held_out.entity_scores));
  out.relation.set_temperature(fit_temperature(held_out.relation_scores));
  if (jackknifed) *jackknifed = std::move(held_out.predicted);
  return out;
}

void tell_entities(int head_label, int tail_label, Features& out) {
  out.push_back(FeatureMaker::told(1, head_label));
  out.push_back(FeatureMaker::told(2, tail_label));
  out.push_back(FeatureMaker::told(3, head_label, tail_label));
}

void tell_relations(const Labelling& labelling, int mention, int mentions, Features& out) {
  for (int other = 0; other < mentions; ++other) {
    if (other == mention) continue;
    const int as_head = labelling.relations[pair_index(mention, other, mentions)];
    const int as_tail = labelling.relations[pair_index(other, mention, mentions)];
    if (as_head != kNone) out.push_back(FeatureMaker::told(4, as_head));
    if (as_tail != kNone) out.push_back(FeatureMaker::told(5, as_tail));
  }
}

LinearModel train_told_relation(const TrainingSet& train,
                                std::span<const std::vector<int>> entities,
                                const ClassifierOptions& options) {
  std::vector<Example> examples;
  for (std::size_t k = 0; k < train.passages.size(); ++k) {
    add_relation_examples(train.corpus, train.passages[k], &entities[k], examples);
  }
  return train_relation(examples, train.corpus.labels(), options);
}

LinearModel train_told_entity(const TrainingSet& train, const ClassifierOptions& options) {
  std::vector<Example> examples = extra_examples(train);
  for (int i : train.passages) {
    const Passage& p = train.corpus.passage(i);
    const Labelling gold = gold_labelling(p);
    const std::size_t first = examples.size();
    add_entity_examples(train.corpus, i, examples);
    for (int m = 0; m < p.mention_count(); ++m) {
      tell_relations(gold, m, p.mention_count(), examples[first + m].features);
    }
  }
  return train_entity(examples, train.corpus.labels(), options);
}

}  // namespace entente::relations
