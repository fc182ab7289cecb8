#include <gtest/gtest.h>

#include <algorithm>

#include "entente/error.h"
#include "tasks/relations/cross_validation.h"
#include "tasks/relations/model.h"
#include "tasks/relations/task.h"
#include "tasks/relations/test_kit.h"

namespace entente::relations {
namespace {

struct Small {
  std::vector<Conll04Sentence> sentences = made_up_corpus(60, 3);
  LabelSet labels = collect_labels(sentences);
  std::vector<Passage> passages = make_passages(sentences, labels);
  Gazetteer names = Gazetteer({{"ada", Gazetteer::kGiven}, {"lund", Gazetteer::kPlace}});
};

CrossValidationOptions small_options(int threads) {
  CrossValidationOptions out;
  out.folds = 3;
  out.threads = threads;
  out.classifiers.iterations = 20;
  out.classifiers.jackknife = 2;
  return out;
}

TEST(CrossValidation, IsTheSameForAnyNumberOfThreads) {
  const Small s;
  const auto run = [&](int threads) {
    return cross_validate(s.passages, {}, s.labels, s.names, small_options(threads));
  };
  const CrossValidation one = run(1), three = run(3);
  for (int a = 0; a < kApproaches; ++a) {
    for (std::size_t r = 0; r < s.labels.relations.size(); ++r) {
      EXPECT_EQ(one.tallies[a].relations[r].correct, three.tallies[a].relations[r].correct);
      EXPECT_EQ(one.tallies[a].relations[r].predicted, three.tallies[a].relations[r].predicted);
    }
  }
  for (std::size_t i = 0; i < s.passages.size(); ++i) {
    for (int m = 0; m < one.scores[i].mentions(); ++m) {
      const auto a = one.scores[i].entity(m), b = three.scores[i].entity(m);
      EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
    }
  }
}

TEST(CrossValidation, LearnsTheMadeUpCorpusAndGlobalInferenceBreaksNoRule) {
  const Small s;
  const CrossValidation cv = cross_validate(s.passages, {}, s.labels, s.names, small_options(2));
  EXPECT_EQ(cv.of(Approach::global).passages, 60);
  EXPECT_EQ(cv.of(Approach::global).quality(), 100);
  EXPECT_EQ(cv.of(Approach::global).obedient_share(), 100);
  EXPECT_GT(cv.of(Approach::global).mean_relation_f1(), 80);
  EXPECT_GT(cv.of(Approach::omniscient).mean_relation_f1(), 80);
  std::int64_t forced = 0;
  for (const ForcedDecision& f : cv.forced) forced += f.passages;
  EXPECT_EQ(forced, 60);  // one relation a sentence
}

TEST(CrossValidation, OneSplitIsAFoldOfItsOwn) {
  const Small s;
  // Every third sentence is what the first of three folds holds out.
  std::vector<Passage> train, test;
  for (std::size_t i = 0; i < s.passages.size(); ++i) {
    (i % 3 == 0 ? test : train).push_back(s.passages[i]);
  }
  const CrossValidation split = hold_out(train, test, {}, s.labels, s.names, small_options(1));
  const CrossValidation cv = cross_validate(s.passages, {}, s.labels, s.names, small_options(1));
  EXPECT_EQ(split.scores.size(), test.size());
  for (int a = 0; a < kApproaches; ++a) EXPECT_EQ(split.tallies[a].passages, 20) << a;
  for (std::size_t i = 0; i < test.size(); ++i) {
    ASSERT_EQ(split.scores[i].mentions(), cv.scores[3 * i].mentions());
    for (int m = 0; m < split.scores[i].mentions(); ++m) {
      const auto a = split.scores[i].entity(m), b = cv.scores[3 * i].entity(m);
      EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
    }
  }
  for (const ForcedDecision& f : split.forced) {
    // One pair a sentence, neither more nor less.
    EXPECT_EQ(f.forced_lp.predicted, f.passages);
  }
}

TEST(CrossValidation, WinnowLearnsIt) {
  const Small s;
  CrossValidationOptions options = small_options(2);
  options.classifiers.learner = Learner::winnow;
  options.classifiers.iterations = 60;
  const CrossValidation cv = cross_validate(s.passages, {}, s.labels, s.names, options);
  EXPECT_GT(cv.of(Approach::global).mean_relation_f1(), 70);
}

TEST(Evaluate, CountsAsThePaperDoes) {
  const LabelSet labels = paper_labels();
  Tally tally(labels);
  // Two people; gold: the first killed the second. The relation is found, one entity is not.
  const Labelling gold{{3, 3}, {1, kNone}}, predicted{{3, 0}, {1, 2}};
  tally.add(gold, predicted, labels, {});
  EXPECT_EQ(tally.relations[1].f1(), 100);
  EXPECT_EQ(tally.relations[2].precision(), 0);
  EXPECT_EQ(tally.entities[3].recall(), 50);
  EXPECT_EQ(tally.entities[3].precision(), 100);
  EXPECT_EQ(tally.quality(), 0);
  EXPECT_EQ(tally.obedient_share(), 0);
}

TEST(RelationModel, SurvivesItsFileAndFindsMentionsInText) {
  const Small s;
  ClassifierOptions options;
  options.iterations = 30;
  const RelationModel model = train_model(s.passages, {}, s.labels, s.names, options, 2);
  ModelWriter writer("test", 1);
  model.save(writer);
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "er.model");
  const RelationModel same(file);
  Extractor first(model), second(same);
  int found = 0, total = 0;
  for (const Passage& p : s.passages) {
    const Extraction a = first.label(p, {}), b = second.label(p, {});
    ASSERT_EQ(a.links.size(), b.links.size());
    EXPECT_EQ(a.mention_confidence, b.mention_confidence);
    Passage plain = p;
    plain.mentions.clear();
    plain.links.clear();
    const Extraction c = first.find(plain, {});
    EXPECT_EQ(c.status, Status::optimal);
    for (std::size_t i = 1; i < c.mentions.size(); ++i) {
      EXPECT_LE(c.mentions[i - 1].end, c.mentions[i].begin);
    }
    for (const Link& l : c.links) {
      EXPECT_TRUE(s.labels.allows(l.label, c.mentions[l.head].label, c.mentions[l.tail].label));
    }
    total += p.mention_count();
    for (const Mention& m : p.mentions) {
      found += std::any_of(c.mentions.begin(), c.mentions.end(), [&](const Mention& x) {
        return x.begin == m.begin && x.end == m.end && x.label == m.label;
      });
    }
  }
  EXPECT_GT(found, total * 9 / 10);
}

TEST(RelationModel, ARequiredRelationThatCannotBeIsSaid) {
  const Small s;
  ClassifierOptions options;
  options.iterations = 5;
  options.jackknife = 0;
  const RelationModel model = train_model(s.passages, {}, s.labels, s.names, options, 1);
  Passage alone;
  alone.words = {"Ada", "slept"};
  alone.tags = {"NNP", "VBD"};
  alone.mentions = {{0, 1}};
  RuleSet rules;
  rules.required = {1};
  EXPECT_EQ(Extractor(model).label(alone, rules).status, Status::infeasible);
  EXPECT_EQ(Extractor(model).label(alone, {}).status, Status::optimal);
}

TEST(RelationModel, DamagedFilesAreErrors) {
  ModelWriter empty("test", 1);
  EXPECT_THROW(RelationModel(ModelFile::from_bytes(empty.bytes(), "e.model")), Error);
  ModelWriter other("pipeline", 1);
  EXPECT_THROW(RelationModel(ModelFile::from_bytes(other.bytes(), "o.model")), Error);
}

TEST(RelationSettings, AreCheckedByNameAndValue) {
  const auto read = [](const std::string& name, const std::string& value) {
    return classifier_options(
        entente::Settings("relations", RelationsTask().settings(), kTrain, {{name, value}}));
  };
  EXPECT_EQ(read("learner", "winnow").learner, Learner::winnow);
  EXPECT_EQ(read("entity_l2", "0.5").entity_l2, 0.5);
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"learner", "x"},
                                                        {"entity_l2", "0"},
                                                        {"iterations", "1.5"},
                                                        {"jackknife", "1"},
                                                        {"l2", "1"}}) {
    EXPECT_THROW(read(name, value), Error) << name;
  }
}

}  // namespace
}  // namespace entente::relations
