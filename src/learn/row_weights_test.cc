#include "learn/row_weights.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "entente/error.h"
#include "learn/flat_table.h"
#include "learn/hash.h"
#include "learn/row_training.h"

namespace entente {
namespace {

using Labels = std::vector<std::uint32_t>;

TEST(RowWeightsTest, UnmarkedFeaturesSayNothingAndLearnNothing) {
  TrainingRows rows(6);
  rows.update(spread(1), 0, 1.0f, 1.0f);
  EXPECT_EQ(rows.row(spread(1)), nullptr);
  rows.mark(spread(1));
  std::vector<float> scores{0, 0};
  add_scores(rows, spread(1), std::span<const std::uint32_t>(Labels{0, 1}), scores.data());
  EXPECT_EQ(scores, (std::vector<float>{0, 0}));
}

TEST(RowWeightsTest, FewUnseenFeaturesPassTheFilter) {
  TrainingRows rows(10);
  for (std::uint64_t f = 0; f < 10 << 10; ++f) rows.mark(spread(f + 1));
  int passed = 0;
  for (std::uint64_t f = 0; f < 10000; ++f) passed += rows.row(spread(f + 1000000)) != nullptr;
  EXPECT_LT(passed, 1000);
  for (std::uint64_t f = 0; f < 10 << 10; ++f) ASSERT_NE(rows.row(spread(f + 1)), nullptr);
}

// Classes by feature: learned, packed and stored, the choice stays the same.
TEST(RowWeightsTest, WhatWasLearnedIsInThePackedRowsAndTheFile) {
  TrainingRows rows(8);
  const Labels candidates{0, 1, 2, 3};
  std::vector<float> scores;
  for (std::uint64_t f = 1; f <= 500; ++f) rows.mark(spread(f));
  for (int epoch = 0; epoch < 10; ++epoch) {
    for (std::uint64_t f = 1; f <= 500; ++f) {
      const std::uint64_t feature = spread(f);
      learn_choice<std::uint32_t>(rows, {&feature, 1}, candidates, static_cast<int>(f % 4), 0.3f,
                                  scores);
    }
    if (epoch > 4) rows.add_to_average();
  }
  ModelWriter writer("t", 1);
  rows.packed().write(writer, "w");
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "test");
  const RowView view(file, "w");
  std::vector<std::int32_t> sums;
  int right = 0;
  for (std::uint64_t f = 1; f <= 500; ++f) {
    const std::uint64_t feature = spread(f);
    right += choose<RowView, std::uint32_t>(view, {&feature, 1}, candidates, sums) ==
             static_cast<int>(f % 4);
  }
  EXPECT_GT(right, 450);  // some share places
}

TEST(RowWeightsTest, ACheckpointHoldsEverything) {
  TrainingRows a(4), b(4);
  for (TrainingRows* rows : {&a, &b}) rows->mark(spread(1));
  a.update(spread(1), 2, 0.5f, 0.1f);
  a.add_to_average();
  ModelWriter writer("t", 9);
  a.save(writer, "rows");
  b.load(ModelFile::from_bytes(writer.bytes(), "test"), "rows");
  for (TrainingRows* rows : {&a, &b}) {
    rows->update(spread(1), 2, 0.5f, 0.1f);
    rows->add_to_average();
  }
  EXPECT_EQ(a.packed().bytes, b.packed().bytes);
  EXPECT_EQ(a.packed().scale, b.packed().scale);
}

TEST(RowWeightsTest, SeenTwiceKnowsWhatWasSeenTwice) {
  SeenTwice seen;
  for (std::uint64_t f = 0; f < 1000; ++f) seen.see(spread(f));
  for (std::uint64_t f = 0; f < 500; ++f) seen.see(spread(f));
  int wrong = 0;
  for (std::uint64_t f = 0; f < 1000; ++f) wrong += seen(spread(f)) != (f < 500);
  EXPECT_LE(wrong, 2);
  EXPECT_NEAR(static_cast<double>(seen.count()), 500, 2);
  EXPECT_EQ(seen.line_bits(20), 6);
  EXPECT_EQ(seen.line_bits(5), 5);
}

struct Entry {
  std::uint32_t check = 0, value = 0;
};

TEST(FlatTableTest, FindsWhatIsInItAndNothingElse) {
  Random random(1);
  for (int size : {0, 1, 2, 3, 10, 1000, 4096}) {
    std::vector<std::pair<std::uint64_t, Entry>> entries;
    for (int i = 0; i < size; ++i) {
      entries.push_back({random.next(), {.value = static_cast<std::uint32_t>(i)}});
    }
    const std::vector<Entry> table = make_flat_table<Entry>(entries);
    const FlatTable<Entry> view(table);
    for (const auto& [key, entry] : entries) {
      ASSERT_NE(view.find(key), nullptr);
      EXPECT_EQ(view.find(key)->value, entry.value);
    }
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(view.find(random.next()), nullptr);
  }
}

}  // namespace
}  // namespace entente
