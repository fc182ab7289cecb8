#include "learn/label_rows.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "learn/hash.h"

namespace entente {
namespace {

TEST(LabelRows, learns_what_features_say_and_packs_it) {
  Random random(3);
  LabelRows rows(12, 5);
  const auto features = [&](int label) {
    return std::vector<std::uint64_t>{spread(hash_of("bias")), spread(hash_of("f") + label),
                                      spread(hash_of("noise") + random.below(30))};
  };
  for (int step = 0; step < 3000; ++step) {
    const int label = random.below(5);
    std::vector<std::uint32_t> places;
    for (std::uint64_t f : features(label)) places.push_back(rows.place(f));
    rows.learn(places, label, 1, 0.2f);
    if (step == 500) rows.restart_average();
  }
  const PackedWeights packed = PackedWeights::of(rows.averaged());
  const LabelRowView view(packed, 5);
  std::vector<std::int32_t> sums(5);
  std::vector<float> scores(5);
  for (int label = 0; label < 5; ++label) {
    view.scores(features(label), sums, scores);
    EXPECT_EQ(std::max_element(scores.begin(), scores.end()) - scores.begin(), label);
  }
}

TEST(LabelRows, no_row_runs_over_the_end) {
  for (std::uint64_t f : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
    EXPECT_LE(label_row_place(f, 4, 5) + 5, 16u);
  }
}

}  // namespace
}  // namespace entente
