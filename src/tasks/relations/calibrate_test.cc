#include "tasks/relations/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "learn/log_linear.h"

namespace entente::relations {
namespace {

TEST(Calibrate, FindsTheTemperatureThatScoresWereMadeWith) {
  Random r(31);
  ScoredExamples examples(3);
  for (int i = 0; i < 20000; ++i) {
    double scores[3], p[3];
    for (int c = 0; c < 3; ++c) p[c] = scores[c] = r.normal(0, 2);
    log_softmax(p);
    const double u = r.uniform();
    const int label = u < std::exp(p[0]) ? 0 : u < std::exp(p[0]) + std::exp(p[1]) ? 1 : 2;
    for (double& s : scores) s *= 2.5;  // too sure of itself
    examples.add(scores, label);
  }
  EXPECT_NEAR(fit_temperature(examples), 2.5, 0.1);
  EXPECT_LT(mean_loss(examples, 2.5), mean_loss(examples, 1));
  EXPECT_EQ(fit_temperature(ScoredExamples(3)), 1);
}

}  // namespace
}  // namespace entente::relations
