#include "tasks/frames/frame_identification.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "entente/error.h"
#include "model/test_kit.h"
#include "tasks/frames/frame_trainer.h"
#include "tasks/frames/test_kit.h"

namespace entente::frames {
namespace {

using Choices = std::vector<FrameIdentifier::Choice>;

std::string trained(std::uint64_t seed, const framenet::Lexicon& lexicon) {
  LexicalUnitsBuilder builder(lexicon);
  FrameTrainer trainer(lexicon,
                       {.epochs = 6, .bits = 14, .rate = 0.1, .unknown_every = 3, .seed = seed});
  for (const Sentence& s : small_corpus()) {
    builder.add(s);
    trainer.add(s, 1);
  }
  const LexicalUnitsData units = builder.build();
  Monitor monitor;
  EXPECT_TRUE(trainer.train(units.view(), monitor));
  ModelWriter writer("frames", 1);
  units.write(writer);
  trainer.write(writer);
  return writer.bytes();
}

struct Model {
  framenet::Lexicon lexicon = small_lexicon();
  ModelFile file = ModelFile::from_bytes(trained(1, lexicon), "test");
  FrameIdentifier identifier{file, lexicon};
  FrameIdentifier::Workspace work;

  Choices choose(const Sentence& s, const std::vector<int>& target) {
    Choices out;
    identifier.choose(s, target, work, out);
    return out;
  }
};

TEST(FrameIdentifier, TellsSensesApartByTheirSurroundings) {
  Model m;
  for (const Sentence& s : small_corpus()) {
    for (const FrameInstance& f : s.frames) {
      const Choices c = m.choose(s, f.target);
      ASSERT_FALSE(c.empty());
      EXPECT_EQ(m.lexicon.frames[c[0].frame].name, f.frame);
      EXPECT_EQ(m.lexicon.lexical_units[c[0].lexical_unit].name, f.lexical_unit);
    }
  }
}

TEST(FrameIdentifier, ProbabilitiesSumToOneAndFall) {
  Model m;
  const Sentence s = small_corpus()[0];
  for (const std::vector<int>& target : {std::vector<int>{1}, {3}, {0}, {1, 3}, {0, 1, 2, 3}}) {
    const Choices c = m.choose(s, target);
    double sum = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      sum += c[i].probability;
      EXPECT_LE(c[i].probability, c[i == 0 ? 0 : i - 1].probability);
    }
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST(FrameIdentifier, AnUnknownWordGetsTheFramesOfItsNeighbours) {
  Model m;
  const Choices c = m.choose(parsed("boarder/boarder/NOUN/0/root"), {0});
  std::vector<std::string> names;
  for (const FrameIdentifier::Choice& choice : c) {
    names.push_back(m.lexicon.frames[choice.frame].name);
    EXPECT_EQ(choice.lexical_unit, -1);
  }
  EXPECT_NE(std::find(names.begin(), names.end(), "Boarding"), names.end());
}

TEST(FrameIdentifier, NoWordIsWithoutAFrame) {
  Model m;
  for (const char* text : {"xyzzy/xyzzy/NOUN/0/root", "?/?/PUNCT/0/root", "x/_/_/-1/_"}) {
    EXPECT_FALSE(m.choose(parsed(text), {0}).empty()) << text;
  }
}

TEST(FrameIdentifier, AModelOfAnotherLexiconIsAnError) {
  const framenet::Lexicon lexicon = small_lexicon();
  const ModelFile file = ModelFile::from_bytes(trained(1, lexicon), "test");
  framenet::Lexicon other;
  other.frames.emplace_back().name = "Other";
  EXPECT_THROW(FrameIdentifier(file, other), Error);
}

TEST(FrameTrainer, TheGradientIsThatOfTheLoss) {
  const std::vector<double> scores = {0.3, -1.2, 2.0, 0.1};
  std::vector<double> gradient, ignored;
  const double e = 1e-5;
  for (int right = 0; right < 4; ++right) {
    choice_loss(scores, right, gradient);
    for (int k = 0; k < 4; ++k) {
      std::vector<double> up = scores, down = scores;
      up[k] += e;
      down[k] -= e;
      const double slope =
          (choice_loss(up, right, ignored) - choice_loss(down, right, ignored)) / (2 * e);
      EXPECT_NEAR(gradient[k], slope, 1e-8);
    }
  }
}

TEST(FrameTrainer, SameSeedSameModel) {
  const framenet::Lexicon lexicon = small_lexicon();
  EXPECT_EQ(trained(3, lexicon), trained(3, lexicon));
  EXPECT_NE(trained(3, lexicon), trained(4, lexicon));
}

TEST(FrameTrainer, StopsWhenAsked) {
  const framenet::Lexicon lexicon = small_lexicon();
  LexicalUnitsBuilder builder(lexicon);
  FrameTrainer trainer(lexicon, {.bits = 10});
  for (const Sentence& s : small_corpus()) trainer.add(s, 1);
  const LexicalUnitsData units = builder.build();
  StopAfter monitor(0);
  EXPECT_FALSE(trainer.train(units.view(), monitor));
}

TEST(Softmax, LargeScoresDoNotOverflow) {
  std::vector<double> scores = {1000, 999, -1000};
  softmax(scores);
  EXPECT_NEAR(scores[0], 1 / (1 + std::exp(-1)), 1e-12);
  EXPECT_EQ(scores[2], 0);
}

}  // namespace
}  // namespace entente::frames
