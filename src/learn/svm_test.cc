#include "learn/svm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#ifdef ENTENTE_HAVE_LIBSVM
#include <libsvm/svm.h>
#endif

namespace entente {
namespace {

class Matrix : public KernelRows {
 public:
  // A linear kernel of random points, and a little noise of their own.
  Matrix(Random& random, int n, int dimensions, std::vector<int>& labels) : n_(n) {
    std::vector<std::vector<double>> points(n);
    labels.clear();
    for (int i = 0; i < n; ++i) {
      labels.push_back(i % 3 == 0 ? 1 : -1);
      for (int d = 0; d < dimensions; ++d) points[i].push_back(random.normal(0.4 * labels[i], 1));
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double sum = i == j ? 0.05 : 0;
        for (int d = 0; d < dimensions; ++d) sum += points[i][d] * points[j][d];
        values_.push_back(static_cast<float>(sum));
      }
    }
  }
  int size() const override { return n_; }
  double diagonal(int i) const override { return at(i, i); }
  void together(int i, std::vector<int>& rows) override {
    rows.clear();
    for (int r = i / 4 * 4; r < std::min(n_, i / 4 * 4 + 4); ++r) rows.push_back(r);
  }
  void compute(std::span<const int> rows, std::span<float* const> out) override {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (int j = 0; j < n_; ++j) out[r][j] = values_[static_cast<std::size_t>(rows[r]) * n_ + j];
    }
  }
  float at(int i, int j) const { return values_[static_cast<std::size_t>(i) * n_ + j]; }

 private:
  int n_;
  std::vector<float> values_;
};

double objective(const Matrix& m, std::span<const int> y, std::span<const double> a) {
  double sum = 0;
  for (int i = 0; i < m.size(); ++i) {
    sum -= a[i];
    for (int j = 0; j < m.size(); ++j) sum += a[i] * a[j] * y[i] * y[j] * m.at(i, j) / 2;
  }
  return sum;
}

// The nearest point with 0 <= a <= c and y'a = 0, by bisection on the multiplier of the equation.
void project(std::vector<double>& a, std::span<const int> y, double c) {
  double lo = -1e4, hi = 1e4;
  std::vector<double> at(a.size());
  for (int round = 0; round < 100; ++round) {
    const double mid = (lo + hi) / 2;
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      at[i] = std::clamp(a[i] - mid * y[i], 0.0, c);
      sum += y[i] * at[i];
    }
    (sum > 0 ? lo : hi) = mid;
  }
  a = at;
}

// Any quadratic program over that set: accelerated projected gradients.
double by_gradients(const Matrix& m, std::span<const int> y, double c) {
  const int n = m.size();
  double trace = 0;
  for (int i = 0; i < n; ++i) trace += m.at(i, i);
  std::vector<double> a(n, 0.0), before = a, at(n), gradient(n);
  for (int round = 1; round < 2000; ++round) {
    const double momentum = (round - 1.0) / (round + 2.0);
    for (int i = 0; i < n; ++i) at[i] = a[i] + momentum * (a[i] - before[i]);
    before = a;
    for (int i = 0; i < n; ++i) {
      gradient[i] = -1;
      for (int j = 0; j < n; ++j) gradient[i] += at[j] * y[i] * y[j] * m.at(i, j);
    }
    for (int i = 0; i < n; ++i) a[i] = at[i] - gradient[i] / trace;
    project(a, y, c);
  }
  return objective(m, y, a);
}

std::vector<double> alphas(const Svm& svm) {
  std::vector<double> out;
  for (double w : svm.weights) out.push_back(std::abs(w));
  return out;
}

TEST(Svm, reaches_the_optimum_of_the_quadratic_program) {
  Random random(2);
  Monitor monitor;
  for (int round = 0; round < 8; ++round) {
    std::vector<int> y;
    Matrix m(random, 20, 3, y);
    const double c = round % 2 ? 0.3 : 4;
    const Svm svm = train_svm(m, y, {.c = c, .tolerance = 1e-6}, monitor);
    EXPECT_TRUE(svm.converged);
    EXPECT_NEAR(svm.objective, objective(m, y, alphas(svm)), 1e-5);
    EXPECT_NEAR(svm.objective, by_gradients(m, y, c), 2e-4 * std::abs(svm.objective));
    double balance = 0;
    for (double w : svm.weights) {
      balance += w;
      EXPECT_LE(std::abs(w), c);
    }
    EXPECT_NEAR(balance, 0, 1e-9);
  }
}

TEST(Svm, the_same_with_a_small_cache_and_without_shrinking) {
  Random random(4);
  Monitor monitor;
  std::vector<int> y;
  Matrix m(random, 300, 4, y);
  const Svm plain = train_svm(m, y, {.c = 2, .tolerance = 1e-6, .shrinking = false}, monitor);
  const Svm small = train_svm(m, y, {.c = 2, .tolerance = 1e-6, .cache_bytes = 1}, monitor);
  const Svm large = train_svm(m, y, {.c = 2, .tolerance = 1e-6}, monitor);
  EXPECT_EQ(small.weights, large.weights);
  EXPECT_GT(small.rows, large.rows);
  EXPECT_LE(large.rows, 300);
  EXPECT_NEAR(plain.objective, large.objective, 1e-5 * std::abs(plain.objective));
  EXPECT_NEAR(plain.bias, large.bias, 1e-3);
}

#ifdef ENTENTE_HAVE_LIBSVM
TEST(Svm, objective_and_scores_equal_libsvms_on_precomputed_kernels) {
  Random random(6);
  Monitor monitor;
  svm_set_print_string_function([](const char*) {});
  for (int round = 0; round < 5; ++round) {
    std::vector<int> y;
    Matrix m(random, 120, 5, y);
    const double c = round == 0 ? 50 : 0.5 * round;
    std::vector<std::vector<svm_node>> nodes(120);
    std::vector<svm_node*> rows;
    std::vector<double> labels(y.begin(), y.end());
    for (int i = 0; i < 120; ++i) {
      nodes[i].push_back({0, i + 1.0});
      for (int j = 0; j < 120; ++j) nodes[i].push_back({j + 1, m.at(i, j)});
      nodes[i].push_back({-1, 0});
      rows.push_back(nodes[i].data());
    }
    svm_problem problem{120, labels.data(), rows.data()};
    svm_parameter parameter{};
    parameter.svm_type = C_SVC;
    parameter.kernel_type = PRECOMPUTED;
    parameter.cache_size = 10;
    parameter.eps = 1e-6;
    parameter.C = c;
    parameter.shrinking = 1;
    svm_model* model = svm_train(&problem, &parameter);
    const Svm ours = train_svm(m, y, {.c = c, .tolerance = 1e-6}, monitor);
    std::vector<double> theirs(120, 0.0);
    for (int s = 0; s < model->l; ++s) {
      theirs[static_cast<int>(model->SV[s][0].value) - 1] = std::abs(model->sv_coef[0][s]);
    }
    EXPECT_NEAR(ours.objective, objective(m, y, theirs), 1e-5 * std::abs(ours.objective));
    for (int i = 0; i < 120; i += 7) {
      double score = ours.bias, value;
      for (int j = 0; j < 120; ++j) score += ours.weights[j] * m.at(i, j);
      svm_predict_values(model, rows[i], &value);
      // Which label comes first is +1 for libsvm: the first example's.
      EXPECT_NEAR(score, value, 1e-3);
    }
    svm_free_and_destroy_model(&model);
  }
}
#endif

TEST(Sigmoid, is_at_a_maximum_of_the_likelihood_and_grows_with_the_score) {
  Random random(8);
  std::vector<double> scores;
  std::vector<int> labels;
  for (int i = 0; i < 2000; ++i) {
    scores.push_back(random.normal(0, 2));
    labels.push_back(random.uniform() < 1 / (1 + std::exp(-1.5 * scores.back() + 0.7)) ? 1 : -1);
  }
  const Sigmoid s = fit_sigmoid(scores, labels);
  EXPECT_NEAR(s.a, -1.5, 0.2);
  EXPECT_NEAR(s.b, 0.7, 0.2);
  EXPECT_GT(s.probability(1), s.probability(-1));
  EXPECT_NEAR(s.probability(1e6), 1, 1e-12);
  EXPECT_NEAR(s.probability(-1e6), 0, 1e-12);
}

}  // namespace
}  // namespace entente
