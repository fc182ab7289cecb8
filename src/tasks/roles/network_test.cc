#include "tasks/roles/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "learn/hash.h"

namespace entente::roles {
namespace {

constexpr int kBits = 4, kHidden = 8, kLabels = 3;
constexpr RoleNetwork::Step kWhole{.rate = 0.05f, .drop_rows = 0, .drop_hidden = 0};

double log_probability(const RoleNetwork& network, const std::vector<std::uint32_t>& rows,
                       int right) {
  std::vector<float> scores(kLabels);
  network.scores(rows, scores);
  double sum = 0;
  for (float s : scores) sum += std::exp(static_cast<double>(s));
  return static_cast<double>(scores[right]) - std::log(sum);
}

// A first step of AdaGrad is rate * g / sqrt(g^2 + damping): its size tells the gradient, which
// finite differences of the log-probability must equal.
TEST(RoleNetwork, steps_follow_the_gradient) {
  Random random(3);
  int moved = 0;
  for (int round = 0; round < 20; ++round) {
    RoleNetwork network(kBits, kHidden, kLabels, static_cast<std::uint64_t>(round));
    const std::vector<std::uint32_t> rows = {static_cast<std::uint32_t>(random.below(5)),
                                             static_cast<std::uint32_t>(5 + random.below(5)),
                                             static_cast<std::uint32_t>(10 + random.below(6))};
    const int right = random.below(kLabels);
    RoleNetwork learned = network;
    learned.learn(rows, right, kWhole, random);
    for (int unit = 0; unit < kHidden; ++unit) {
      const std::size_t at = rows[1] * kHidden + static_cast<std::size_t>(unit);
      const float step = learned.table()[at] - network.table()[at];
      constexpr float kSmall = 1e-3f;
      RoleNetwork up = network, down = network;
      up.table()[at] += kSmall;
      down.table()[at] -= kSmall;
      const double g = (log_probability(up, rows, right) - log_probability(down, rows, right)) /
                       (2 * static_cast<double>(kSmall));
      const double wanted = 0.05 * g / std::sqrt(g * g + 1e-3);
      EXPECT_NEAR(static_cast<double>(step), wanted, 2e-3) << round << " " << unit;
      moved += std::abs(step) > 1e-3f;
    }
  }
  EXPECT_GT(moved, 40);
}

// Two properties mean something only together: no linear model of them can learn this.
TEST(RoleNetwork, learns_exclusive_or) {
  RoleNetwork network(kBits, 16, 2, 1);
  Random random(1);
  for (int i = 0; i < 4000; ++i) {
    const unsigned a = i & 1, b = i >> 1 & 1;
    network.learn(std::vector<std::uint32_t>{a, 2 + b}, static_cast<int>(a ^ b), kWhole, random);
  }
  std::vector<float> scores(2);
  for (unsigned a = 0; a < 2; ++a) {
    for (unsigned b = 0; b < 2; ++b) {
      network.scores(std::vector<std::uint32_t>{a, 2 + b}, scores);
      EXPECT_EQ(scores[1] > scores[0], (a ^ b) == 1) << a << b;
    }
  }
}

TEST(RoleNetwork, what_is_read_scores_as_what_was_written) {
  Random random(5);
  RoleNetwork network(kBits, kHidden, kLabels, 9);
  for (int i = 0; i < 200; ++i) {
    const std::vector<std::uint32_t> rows = {static_cast<std::uint32_t>(random.below(16))};
    network.learn(rows, static_cast<int>(rows[0] % kLabels), {}, random);
  }
  ModelWriter writer("roles", 1);
  network.write(writer, "net");
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "<test>");
  const NetworkView view(file, "net", kLabels);
  NetworkView::Work work;
  for (int i = 0; i < 100; ++i) {
    const std::vector<std::uint64_t> properties = {random.next(), random.next()};
    std::vector<std::uint32_t> rows;
    for (std::uint64_t p : properties) rows.push_back(network_row(p, kBits));
    std::vector<float> wanted(kLabels), got(kLabels, 1.0f);
    network.scores(rows, wanted);
    view.add_scores(properties, 0.5f, work, got);
    for (int l = 0; l < kLabels; ++l) {
      // a row's numbers are rounded to the 127th part of the largest; few are cut off
      EXPECT_NEAR(got[l], 1 + 0.5f * (wanted[l] - wanted[0]), 0.25f);
    }
  }
}

TEST(RoleNetwork, refuses_a_section_of_another_size) {
  RoleNetwork network(kBits, kHidden, kLabels, 9);
  ModelWriter writer("roles", 1);
  network.write(writer, "net");
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "<test>");
  EXPECT_THROW(NetworkView(file, "net", kLabels + 1), std::exception);
}

}  // namespace
}  // namespace entente::roles
