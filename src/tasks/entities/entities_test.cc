#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/random.h"
#include "model/test_kit.h"
#include "oracle/viterbi.h"
#include "tasks/entities/evaluation.h"
#include "tasks/entities/model.h"
#include "tasks/entities/states.h"
#include "tasks/entities/task.h"
#include "tasks/entities/trainer.h"

namespace entente::entities {
namespace {

std::string type_name(int type) { return type == 0 ? "Loc" : "Peop"; }

// "Ada Moor lives in Lund ." with names drawn from lists that training and test share in part.
std::vector<Sentence> made_up(int count, std::uint64_t seed) {
  Random random(seed);
  const char* given[] = {"Ada", "Tom", "Lena", "Karl", "Ines", "Hugo"};
  const char* family[] = {"Moor", "Birk", "Ohm", "Wied", "Roca", "Falk"};
  const char* places[] = {"Lund", "Brest", "Gera", "Oulu", "Tula", "Vigo"};
  std::vector<Sentence> out;
  for (int i = 0; i < count; ++i) {
    Sentence& s = out.emplace_back();
    const auto add = [&](const char* form, const char* tag) {
      s.words.push_back({.form = form, .upos = tag, .xpos = tag});
      s.tokens.push_back({.first = s.size() - 1, .last = s.size() - 1});
    };
    const int begin = s.size();
    if (random.chance(0.5)) {
      add(given[random.below(6)], "NNP");
      add(family[random.below(6)], "NNP");
      s.entities.push_back({{begin, begin + 2}, type_name(1)});
      add(random.chance(0.5) ? "lives" : "works", "VBZ");
      add("in", "IN");
    } else {
      add("the", "DT");
      add("harbour", "NN");
      add("of", "IN");
    }
    const int place = s.size();
    add(places[random.below(6)], "NNP");
    s.entities.push_back({{place, place + 1}, type_name(0)});
    add(".", ".");
  }
  return out;
}

TEST(EntityStates, PathsAndSpansAreTheSameThing) {
  Random random(5);
  const States states(3);
  for (int round = 0; round < 300; ++round) {
    const int n = random.between(1, 12);
    std::vector<TypedSpan> spans;
    for (int i = 0; i < n;) {
      const int length = std::min(random.between(1, 4), n - i);
      if (random.chance(0.5)) spans.push_back({{i, i + length}, random.below(3)});
      i += length;
    }
    std::vector<std::int32_t> path(static_cast<std::size_t>(n));
    states.write_path(spans, path);
    EXPECT_TRUE(States::may_begin(path.front()));
    EXPECT_TRUE(States::may_end(path.back()));
    for (int i = 1; i < n; ++i) EXPECT_TRUE(States::allows(path[i - 1], path[i]));
    EXPECT_EQ(states.spans(path), spans);
  }
}

// The number of allowed paths is that of the sets of typed spans that do not overlap.
TEST(EntityStates, NoPathIsSuperfluous) {
  const States states(2);
  for (int n = 1; n <= 5; ++n) {
    std::vector<double> sets(static_cast<std::size_t>(n) + 1, 1);  // of the first i words
    for (int i = 1; i <= n; ++i) {
      sets[i] = sets[i - 1];
      for (int length = 1; length <= i; ++length) sets[i] += 2 * sets[i - length];
    }
    ChainScores scores{n, states.count(), {}, {}};
    scores.unary.assign(static_cast<std::size_t>(n) * states.count(), 0);
    scores.steps.assign(static_cast<std::size_t>(states.count()) * states.count(), 0);
    forbid_steps(states, scores.steps);
    forbid_ends(states, scores);
    std::vector<double> marginals(scores.unary.size());
    ChainWorkspace work;
    EXPECT_NEAR(std::exp(chain_marginals(scores.chain(), marginals, {}, work)), sets[n], 1e-6);
  }
}

TEST(EntityTrainer, StepsFollowTheGradient) {
  const std::vector<Sentence> data = made_up(6, 1);
  const names::Gazetteer lists;
  Monitor monitor;
  Trainer trainer(data, collect_types(data), lists, {.epochs = 2}, monitor);
  ASSERT_TRUE(trainer.run({}));
  FeatureMaker maker(lists);
  maker.read(data[0]);
  std::vector<std::uint64_t> features;
  maker.word(0, features);
  int compared = 0;
  for (std::uint64_t f : features) {
    const float* row = trainer.rows().row(f);
    if (!row) continue;
    for (int label : {0, 2, 5}) {
      // A slot may be shared with other features; its derivative is then theirs together.
      const double before = trainer.derivative(0, f, label);
      auto* slot = const_cast<float*>(row) + rows::slot(f, static_cast<std::uint32_t>(label));
      const float kept = *slot;
      constexpr float kStep = 1e-2f;
      *slot = kept + kStep;
      const double up = trainer.log_likelihood(0);
      *slot = kept - kStep;
      const double down = trainer.log_likelihood(0);
      *slot = kept;
      const double slope = (up - down) / (2 * kStep);
      if (std::abs(slope - before) < 2e-3) ++compared;
    }
  }
  EXPECT_GT(compared, static_cast<int>(features.size()));  // most slots are not shared
}

std::string trained(const std::vector<Sentence>& data, const std::string& checkpoint,
                    Monitor& monitor, bool* finished = nullptr) {
  const names::Gazetteer lists;
  Trainer trainer(data, collect_types(data), lists, {.epochs = 5}, monitor);
  const bool done = trainer.run(checkpoint);
  if (finished) *finished = done;
  ModelWriter writer("test", 1);
  trainer.write(writer);
  return writer.bytes();
}

TEST(EntityTrainer, LearnsToFindNames) {
  Monitor monitor;
  const ModelFile file = ModelFile::from_bytes(trained(made_up(200, 1), {}, monitor), "m");
  const EntityModel model(file);
  Finder finder(model);
  int right = 0, gold = 0;
  for (const Sentence& s : made_up(60, 2)) {
    Sentence found = s;
    finder.find(found);
    for (const Entity& e : s.entities) {
      ++gold;
      for (const Entity& f : found.entities) right += f.words == e.words && f.type == e.type;
    }
    for (const Entity& e : found.entities) {
      EXPECT_GT(e.confidence, 0);
      EXPECT_LT(e.confidence, 1);
    }
  }
  EXPECT_GT(right, gold * 95 / 100);
  Sentence empty;
  finder.find(empty);
  EXPECT_TRUE(empty.entities.empty());
}

TEST(EntityTrainer, StoppedAndGoneOnWithGivesTheSameModel) {
  const std::vector<Sentence> data = made_up(60, 3);
  Monitor monitor;
  const std::string whole = trained(data, {}, monitor);
  const std::string path = ::testing::TempDir() + "/entities_test.checkpoint";
  std::filesystem::remove(path);
  for (int stops : {2, 1}) {
    StopAfter stopping(stops);
    bool finished = true;
    trained(data, path, stopping, &finished);
    EXPECT_FALSE(finished);
  }
  EXPECT_EQ(trained(data, path, monitor), whole);
  EXPECT_THROW(trained(made_up(60, 4), path, monitor), Error);  // another corpus
  std::filesystem::remove(path);
}

TEST(EntityModel, DamagedFilesAreRefused) {
  Monitor monitor;
  const std::string good = trained(made_up(10, 1), {}, monitor);
  const ModelFile file = ModelFile::from_bytes(good, "m");
  for (const char* without : {"entities/types", "entities/steps", "entities/weights"}) {
    ModelWriter writer("test", 1);
    for (const std::string& name : file.section_names()) {
      if (!name.starts_with(without)) writer.add_bytes(name, file.bytes(name));
    }
    EXPECT_THROW(EntityModel(ModelFile::from_bytes(writer.bytes(), "x")), Error) << without;
  }
}

TEST(EntityFinder, TheStopThatEndsASentenceBelongsToNoEntity) {
  Sentence s;
  for (const char* form : {"Lund", ",", "Sweden", "."}) s.words.push_back({.form = form});
  s.entities = {{{0, 1}, "Loc"}, {{2, 4}, "Loc"}};
  cut_final_stop(s);
  EXPECT_EQ(s.entities[0].words, (Span{0, 1}));
  EXPECT_EQ(s.entities[1].words, (Span{2, 3}));
  s.words.back().form = "Inc.";  // an abbreviation has its stop in its token
  s.entities = {{{2, 4}, "Org"}};
  cut_final_stop(s);
  EXPECT_EQ(s.entities[0].words, (Span{2, 4}));
  s = {};
  cut_final_stop(s);  // nothing to do
}

TEST(EntityEvaluation, CountsExactPlacesAndTypes) {
  Tally tally;
  const std::vector<TextEntity> gold = {{0, 3, "Loc"}, {5, 9, "Peop"}, {12, 14, "Other"}};
  const std::vector<TextEntity> found = {{0, 3, "Loc"}, {5, 8, "Peop"}, {12, 14, "Loc"}};
  tally.add(gold, found);
  EXPECT_EQ(tally.typed().gold, 2);
  EXPECT_EQ(tally.typed().found, 3);
  EXPECT_EQ(tally.typed().right, 1);
  EXPECT_EQ(tally.types().at("Other").gold, 1);
}

}  // namespace
}  // namespace entente::entities
