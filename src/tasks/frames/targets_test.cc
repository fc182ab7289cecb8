#include "tasks/frames/targets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "tasks/frames/target_trainer.h"
#include "tasks/frames/test_kit.h"

namespace entente::frames {
namespace {

float best_by_enumeration(const std::vector<WordGroup>& groups, const std::vector<float>& scores) {
  float best = 0;
  for (unsigned choice = 0; choice < 1u << groups.size(); ++choice) {
    std::uint64_t taken = 0;
    float value = 0;
    bool disjoint = true;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (!(choice >> g & 1)) continue;
      const std::uint64_t words = std::uint64_t{groups[g].mask} << groups[g].first;
      disjoint = disjoint && (taken & words) == 0;
      taken |= words;
      value += scores[g];
    }
    if (disjoint) best = std::max(best, value);
  }
  return best;
}

TEST(DisjointGroups, AreWorthWhatEnumerationFinds) {
  Random random(7);
  DisjointGroups solver;
  for (int round = 0; round < 300; ++round) {
    std::vector<WordGroup> groups(random.between(0, 11));
    std::vector<float> scores;
    for (WordGroup& g : groups) {
      g.first = random.below(20);
      g.mask = 1u | static_cast<std::uint32_t>(random.below(1 << random.between(1, 8)));
      scores.push_back(static_cast<float>(random.uniform(-1, 3)));
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const WordGroup& a, const WordGroup& b) { return a.first < b.first; });
    std::vector<int> chosen;
    solver.choose(groups, scores, chosen);
    float value = 0;
    std::uint64_t taken = 0;
    for (const int g : chosen) {
      const std::uint64_t words = std::uint64_t{groups[g].mask} << groups[g].first;
      EXPECT_EQ(taken & words, 0u);
      taken |= words;
      value += scores[g];
    }
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
    EXPECT_NEAR(value, best_by_enumeration(groups, scores), 1e-4);
  }
}

TEST(TargetTrainer, TheGradientIsThatOfTheLoss) {
  const double e = 1e-5;
  for (const double score : {-3.0, -0.2, 0.0, 1.7}) {
    for (const bool yes : {false, true}) {
      const auto loss = [&](double s) { return std::log1p(std::exp(yes ? -s : s)); };
      EXPECT_NEAR(yes_or_no_gradient(score, yes), (loss(score + e) - loss(score - e)) / (2 * e),
                  1e-8);
    }
  }
}

std::string trained(std::uint64_t seed, const framenet::Lexicon& lexicon) {
  LexicalUnitsBuilder builder(lexicon);
  TargetTrainer trainer({.epochs = 8, .bits = 14, .rate = 0.1, .bias = 0, .seed = seed});
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

TEST(TargetFinder, FindsWhatIsAnnotatedAndPassesOverWhatIsNot) {
  const framenet::Lexicon lexicon = small_lexicon();
  const ModelFile file = ModelFile::from_bytes(trained(1, lexicon), "test");
  const TargetFinder finder(file, lexicon);
  TargetFinder::Workspace work;
  std::vector<std::vector<int>> targets;
  for (const Sentence& s : small_corpus()) {
    finder.find(s, work, targets);
    std::vector<std::vector<int>> gold;
    for (const FrameInstance& f : s.frames) gold.push_back(f.target);
    EXPECT_EQ(targets, gold) << s.words[1].form;  // "took ... off" among them, "board" not
  }
}

TEST(TargetFinder, TakesASentenceWithoutWords) {
  const framenet::Lexicon lexicon = small_lexicon();
  const ModelFile file = ModelFile::from_bytes(trained(1, lexicon), "test");
  const TargetFinder finder(file, lexicon);
  TargetFinder::Workspace work;
  std::vector<std::vector<int>> targets{{1}};
  finder.find(Sentence{}, work, targets);
  EXPECT_TRUE(targets.empty());
}

TEST(TargetTrainer, SameSeedSameModel) {
  const framenet::Lexicon lexicon = small_lexicon();
  EXPECT_EQ(trained(3, lexicon), trained(3, lexicon));
  EXPECT_NE(trained(3, lexicon), trained(4, lexicon));
}

}  // namespace
}  // namespace entente::frames
