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
        {.epochs = std::max(options.iterations / 6, 1), .least_count = least_count});
  }
  return train_log_linear(examples, classes,
                          {.l2 = l2, .least_count = least_count, .iterations = options.iterations});
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

void add_relation_examples(const Corpus& corpus, int i, std::vector<Example>& out) {
  const Labelling gold = gold_labelling(corpus.passage(i));
  for (std::size_t k = 0; k < gold.relations.size(); ++k) {
    out.push_back({corpus.features(i).pairs[k], gold.relations[k]});
  }
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
               std::span<const Example> extra_examples, const ClassifierOptions& options)
      : entity_scores(corpus.labels().entity_count()),
        relation_scores(corpus.labels().relation_count()),
        corpus_(corpus),
        train_(train),
        extra_(extra_examples),
        options_(options) {
    predicted.entities.resize(train.size());
  }

  void run_part(int part) {
    std::vector<Example> entity(extra_.begin(), extra_.end()), relation;
    for (std::size_t k = 0; k < train_.size(); ++k) {
      if (part_of(k) == part) continue;
      add_entity_examples(corpus_, train_[k], entity);
      add_relation_examples(corpus_, train_[k], relation);
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
    for (std::size_t i = 0; i < gold.relations.size(); ++i) {
      c.relation.scores(features.pairs[i], scores);
      relation_scores.add(scores, gold.relations[i]);
    }
  }

  const Corpus& corpus_;
  std::span<const int> train_;
  std::span<const Example> extra_;
  const ClassifierOptions& options_;
};

// Log-probabilities instead of scores.
ScoredExamples calibrated(const ScoredExamples& raw, double temperature) {
  ScoredExamples out(raw.classes);
  std::vector<double> scores;
  for (std::size_t i = 0; i < raw.labels.size(); ++i) {
    const auto of = raw.of(i);
    scores.assign(of.begin(), of.end());
    for (double& s : scores) s /= temperature;
    log_softmax(scores);
    out.add(scores, raw.labels[i]);
  }
  return out;
}

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

void Classifiers::score(const PassageFeatures& features, const LabelSet& labels, LocalScores& out,
                        double bias) const {
  const int n = static_cast<int>(features.mentions.size());
  out.reset(n, labels);
  for (int m = 0; m < n; ++m) entity.log_probabilities(features.mentions[m], out.entity(m));
  for (int i = 0; i < pair_count(n); ++i) {
    const std::span<double> scores = out.pair_at(i);
    relation.log_probabilities(features.pairs[i], scores);
    for (double& s : scores.subspan(1)) s += bias;
  }
}

Classifiers train_classifiers(const TrainingSet& train, const ClassifierOptions& options,
                              Jackknifed* jackknifed) {
  const Corpus& corpus = train.corpus;
  std::vector<Example> entity = extra_examples(train), relation;
  JackknifeRun held_out(corpus, train.passages, entity, options);
  for (int part = 0; part < options.jackknife; ++part) held_out.run_part(part);
  for (int i : train.passages) {
    add_entity_examples(corpus, i, entity);
    add_relation_examples(corpus, i, relation);
  }
  Classifiers out;
  out.entity = train_entity(entity, corpus.labels(), options);
  out.relation = train_relation(relation, corpus.labels(), options);
  out.entity.set_temperature(fit_temperature(held_out.entity_scores));
  const double temperature = fit_temperature(held_out.relation_scores);
  out.relation.set_temperature(temperature);
  out.relation_bias = fit_bias(calibrated(held_out.relation_scores, temperature));
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
    const int n = train.corpus.passage(train.passages[k]).mention_count();
    const std::size_t first = examples.size();
    add_relation_examples(train.corpus, train.passages[k], examples);
    for (int h = 0; h < n; ++h) {
      for (int t = 0; t < n; ++t) {
        if (h == t) continue;
        tell_entities(entities[k][h], entities[k][t],
                      examples[first + pair_index(h, t, n)].features);
      }
    }
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
