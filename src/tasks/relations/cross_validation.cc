#include "tasks/relations/cross_validation.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/parallel.h"
#include "model/folds.h"

namespace entente::relations {

namespace {

std::string words_of(const Passage& passage) {
  std::string out;
  for (const std::string& word : passage.words) out += word + ' ';
  return out;
}

// One fold: training, and the labels that every approach gives to its passages.
class Fold {
 public:
  Fold(const Corpus& corpus, const Corpus& extra, const std::vector<int>& folds, int fold,
       const CrossValidationOptions& options)
      : corpus_(corpus), options_(options), train_{corpus, {}, &extra, {}} {
    std::unordered_map<std::string, bool> seen;
    for (int i = 0; i < corpus.size(); ++i) {
      (folds[i] == fold ? test_ : train_.passages).push_back(i);
      seen[words_of(corpus.passage(i))] = true;
    }
    for (int i = 0; i < extra.size(); ++i) {
      if (!seen.contains(words_of(extra.passage(i)))) train_.extra_passages.push_back(i);
    }
  }

  void learn() {
    Jackknifed jackknifed;
    basic_ = train_classifiers(train_, Told::nothing, options_.classifiers, &jackknifed);
    pipeline_ = basic_;
    pipeline_.relation = train_told_relation(train_, jackknifed.entities, options_.classifiers);
    std::vector<std::vector<int>> truth;
    for (int i : train_.passages) truth.push_back(gold_labelling(corpus_.passage(i)).entities);
    omniscient_ = basic_;
    omniscient_.entity = train_told_entity(train_, options_.classifiers);
    omniscient_.relation = train_told_relation(train_, truth, options_.classifiers);
    // Probabilities of the same learner from as many examples: the basic ones' calibration serves.
    omniscient_.entity.set_temperature(basic_.entity.temperature());
    omniscient_.relation.set_temperature(basic_.relation.temperature());
    global_ = basic_;
    global_.relation = omniscient_.relation;  // in use it is told no truth, but all there could be
    pipeline_.relation.set_temperature(basic_.relation.temperature());
  }

  void judge(CrossValidation& out) const {
    const LabelSet& labels = corpus_.labels();
    Decoder decoder(labels);
    for (int i : test_) {
      const Passage& p = corpus_.passage(i);
      const Labelling gold = gold_labelling(p);
      LocalScores scores;
      basic_.score(corpus_.features(i), labels, scores);
      out.lp_scores[i] = independent(scores, labels);
      global_.joint_scores(corpus_.features(i), labels, out.scores[i]);
      std::array<Labelling, kApproaches> by;
      const auto of = [&](Approach a) -> Labelling& { return by[static_cast<int>(a)]; };
      const std::vector<int>& types = (of(Approach::basic) = choose_locally(scores)).entities;
      of(Approach::pipeline) = told(pipeline_, i, types, nullptr);
      of(Approach::pipeline_true) = told(global_, i, types, nullptr);
      of(Approach::lp) = decoder.decode(out.lp_scores[i], papers_rules());
      of(Approach::lp_rules) = decoder.decode(out.lp_scores[i], options_.rules);
      of(Approach::global) = decoder.decode(out.scores[i], options_.rules);
      of(Approach::omniscient) = told(omniscient_, i, gold.entities, &gold);
      for (int a = 0; a < kApproaches; ++a) {
        out.tallies[a].add(gold, by[a], labels, options_.rules);
      }
      for (ForcedDecision& f : out.forced) {
        force(f, gold, by, out.scores[i], out.lp_scores[i], decoder);
      }
    }
  }

 private:
  // The paper knows no rule on directions.
  RuleSet papers_rules() const {
    RuleSet rules = options_.rules;
    rules.one_way = false;
    return rules;
  }

  // Labels by classifiers that are told entities, and relations if `relations` is given.
  Labelling told(const Classifiers& classifiers, int i, const std::vector<int>& entities,
                 const Labelling* relations) const {
    PassageFeatures features = corpus_.features(i);
    const int n = corpus_.passage(i).mention_count();
    for (int h = 0; h < n; ++h) {
      if (relations) tell_relations(*relations, h, n, features.mentions[h]);
      for (int t = 0; t < n; ++t) {
        if (h == t) continue;
        tell_entities(entities[h], entities[t], features.pairs[pair_index(h, t, n)]);
      }
    }
    LocalScores scores;
    classifiers.score(features, corpus_.labels(), scores);
    return choose_locally(scores);
  }

  void force(ForcedDecision& f, const Labelling& gold, const std::array<Labelling, kApproaches>& by,
             const JointScores& scores, const JointScores& lp_scores, Decoder& decoder) const {
    const auto& truth = gold.relations;
    if (std::find(truth.begin(), truth.end(), f.relation) == truth.end()) return;
    RuleSet rules = options_.rules;
    rules.required.push_back(f.relation);
    const Labelling forced = decoder.decode(scores, rules);
    RuleSet once = papers_rules();
    once.once.push_back(f.relation);
    const Labelling forced_lp = decoder.decode(lp_scores, once);
    ++f.passages;
    for (std::size_t k = 0; k < truth.size(); ++k) {
      for (int a = 0; a < kApproaches; ++a) {
        f.unforced[a].add(truth[k], by[a].relations[k], f.relation);
      }
      f.forced.add(truth[k], forced.relations[k], f.relation);
      f.forced_lp.add(truth[k], forced_lp.relations[k], f.relation);
    }
  }

  const Corpus& corpus_;
  const CrossValidationOptions& options_;
  TrainingSet train_;
  std::vector<int> test_;
  Classifiers basic_, pipeline_, global_, omniscient_;
};

// fold_of: -1 where a passage is only learned from.
CrossValidation run_folds(std::span<const Passage> passages, std::span<const Passage> extra,
                          const LabelSet& labels, const Gazetteer& gazetteer,
                          const CrossValidationOptions& options, const std::vector<int>& fold_of,
                          int folds) {
  CrossValidation out;
  out.tallies.fill(Tally(labels));
  for (int r = 1; r < labels.relation_count(); ++r) {
    out.forced.emplace_back().relation = r;
  }
  out.scores.resize(passages.size());
  out.lp_scores.resize(passages.size());
  const Corpus corpus(passages, gazetteer, labels, options.threads);
  const Corpus extra_corpus(extra, gazetteer, labels, options.threads);
  std::mutex mutex;
  const auto run_fold = [&](int k, int) {
    Fold fold(corpus, extra_corpus, fold_of, k, options);
    fold.learn();
    const std::lock_guard<std::mutex> lock(mutex);
    fold.judge(out);  // sums of integers: the order of the folds does not matter
  };
  parallel_for(folds, options.threads, run_fold, 1);
  return out;
}

}  // namespace

CrossValidation cross_validate(std::span<const Passage> passages, std::span<const Passage> extra,
                               const LabelSet& labels, const Gazetteer& gazetteer,
                               const CrossValidationOptions& options) {
  std::vector<std::string> words;
  for (const Passage& p : passages) words.push_back(words_of(p));
  return run_folds(passages, extra, labels, gazetteer, options,
                   assign_folds(words, options.folds, options.together), options.folds);
}

CrossValidation hold_out(std::span<const Passage> train, std::span<const Passage> test,
                         std::span<const Passage> extra, const LabelSet& labels,
                         const Gazetteer& gazetteer, const CrossValidationOptions& options) {
  std::vector<Passage> all(train.begin(), train.end());
  all.insert(all.end(), test.begin(), test.end());
  std::vector<int> fold_of(train.size(), -1);
  fold_of.resize(all.size(), 0);
  CrossValidation out = run_folds(all, extra, labels, gazetteer, options, fold_of, 1);
  const auto learned = static_cast<std::ptrdiff_t>(train.size());
  out.scores.erase(out.scores.begin(), out.scores.begin() + learned);
  out.lp_scores.erase(out.lp_scores.begin(), out.lp_scores.begin() + learned);
  return out;
}

}  // namespace entente::relations
