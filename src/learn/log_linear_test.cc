#include "learn/log_linear.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "entente/error.h"
#include "learn/hash.h"
#include "learn/lbfgs.h"
#include "learn/winnow.h"

namespace entente {
namespace {

std::vector<Example> random_examples(Random& r, int count, int classes, int features) {
  std::vector<Example> out(count);
  for (Example& e : out) {
    for (int f = 0; f < features; ++f) {
      if (r.chance(0.4)) e.features.push_back(spread(f + 1));
    }
    e.label = r.below(classes);
    e.weight = static_cast<float>(r.between(1, 3));
  }
  return out;
}

TEST(LogLinear, GradientIsThatOfFiniteDifferences) {
  Random r(3);
  for (int classes : {2, 3, 4, 6}) {
    const IndexedExamples examples = index_examples(random_examples(r, 12, classes, 7), 1);
    std::vector<double> w(examples.keys.size() * classes), gradient(w.size()), unused(w.size());
    for (double& x : w) x = r.normal();
    log_linear_objective(examples, classes, 0.7, w, gradient);
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double step = 1e-5, at = w[i];
      w[i] = at + step;
      const double above = log_linear_objective(examples, classes, 0.7, w, unused);
      w[i] = at - step;
      const double below = log_linear_objective(examples, classes, 0.7, w, unused);
      w[i] = at;
      EXPECT_NEAR(gradient[i], (above - below) / (2 * step), 1e-6);
    }
  }
}

TEST(LogLinear, TrainingEndsWhereTheGradientIsZero) {
  Random r(5);
  const auto examples = random_examples(r, 60, 3, 9);
  const IndexedExamples indexed = index_examples(examples, 1);
  std::vector<double> w(indexed.keys.size() * 3), gradient(w.size());
  minimize_lbfgs(w,
                 [&](std::span<const double> at, std::span<double> g) {
                   return log_linear_objective(indexed, 3, 0.5, at, g);
                 },
                 {.iterations = 500, .tolerance = 1e-8});
  log_linear_objective(indexed, 3, 0.5, w, gradient);
  for (double g : gradient) EXPECT_NEAR(g, 0, 1e-5);
}

TEST(LogLinear, ProbabilitiesSumToOneAndSurviveAModelFile) {
  Random r(7);
  const auto examples = random_examples(r, 40, 4, 9);
  LinearModel model = train_log_linear(examples, 4, {});
  model.set_temperature(1.7);
  ModelWriter writer("test", 1);
  model.save(writer, "m");
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "m.model");
  const LinearModel same(file, "m", 4);
  for (const Example& e : examples) {
    double a[4], b[4], sum = 0;
    model.log_probabilities(e.features, a);
    same.log_probabilities(e.features, b);
    for (int c = 0; c < 4; ++c) {
      EXPECT_EQ(a[c], b[c]);
      sum += std::exp(a[c]);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_THROW(LinearModel(file, "m", 3), Error);  // weights of four classes are not those of three
}

TEST(LogLinear, TheFeaturesThatMatterMostAreKept) {
  const std::vector<std::uint64_t> keys = {spread(1), spread(2), spread(3), spread(4)};
  const std::vector<float> weights = {0.1F, 0.2F, 5, 5, -1, 1, 0.5F, -0.5F};  // the second says nothing
  const LinearModel model(2, keys, weights, 2);
  EXPECT_EQ(model.rows(), 2u);
  double scores[2];
  for (int i = 0; i < 4; ++i) {
    const bool kept = i >= 2;
    model.scores(std::span(keys).subspan(i, 1), scores);
    EXPECT_NEAR(scores[0], kept ? weights[2 * i] : 0, 5.0 / 32767);
    EXPECT_NEAR(scores[1], kept ? weights[2 * i + 1] : 0, 5.0 / 32767);
  }
  EXPECT_EQ(LinearModel(2, keys, weights).rows(), 4u);
}

TEST(LogLinear, RareFeaturesAreLeftOut) {
  const std::vector<Example> examples = {{{1ull << 60, 2ull << 60}, 0}, {{1ull << 60}, 1}};
  EXPECT_EQ(train_log_linear(examples, 2, {.least_count = 1}).rows(), 2u);
  EXPECT_EQ(train_log_linear(examples, 2, {.least_count = 2}).rows(), 1u);
}

// Labels that one feature of several tells.
std::vector<Example> separable(Random& r, int count) {
  std::vector<Example> out(count);
  for (Example& e : out) {
    e.label = r.below(3);
    e.features.push_back(spread(100 + e.label));
    for (int f = 0; f < 10; ++f) {
      if (r.chance(0.5)) e.features.push_back(spread(f + 1));
    }
  }
  return out;
}

TEST(Winnow, LearnsWhatOneFeatureTells) {
  Random r(9);
  const LinearModel model = train_winnow(separable(r, 300), 3, {});
  int right = 0;
  for (const Example& e : separable(r, 200)) {
    double p[3];
    model.scores(e.features, p);
    right += std::max_element(p, p + 3) - p == e.label;
  }
  EXPECT_GE(right, 195);
}

TEST(Winnow, IsTheSameForTheSameSeed) {
  Random r(11);
  const auto examples = separable(r, 50);
  ModelWriter first("test", 1), second("test", 1);
  train_winnow(examples, 3, {.seed = 4}).save(first, "m");
  train_winnow(examples, 3, {.seed = 4}).save(second, "m");
  EXPECT_EQ(first.bytes(), second.bytes());
}

}  // namespace
}  // namespace entente
