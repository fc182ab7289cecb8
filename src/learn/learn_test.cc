#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/files.h"
#include "base/random.h"
#include "entente/error.h"
#include "kit/cases.h"
#include "learn/hash.h"
#include "learn/model_file.h"
#include "learn/weights.h"

namespace entente {
namespace {

TEST(ModelFile, GivesBackWhatWasWritten) {
  ModelWriter writer("dependency", 77);
  const std::vector<std::int32_t> numbers = {1, -2, 3};
  const std::vector<std::string> strings = {"nsubj", "", "a\nb"};
  writer.add<std::int32_t>("numbers", numbers);
  writer.add_strings("strings", strings);
  writer.add_number("x", 0.25);
  const std::string path = ::testing::TempDir() + "/model_file_test.model";
  writer.write(path);
  const ModelFile file(path);
  file.expect("dependency", 77);
  const auto read = file.array<std::int32_t>("numbers");
  EXPECT_EQ(std::vector<std::int32_t>(read.begin(), read.end()), numbers);
  EXPECT_EQ(file.strings("strings"), strings);
  EXPECT_EQ(file.number("x"), 0.25);
  EXPECT_FALSE(file.has("y"));
  EXPECT_THROW(file.bytes("y"), Error);
  EXPECT_THROW(file.array<double>("numbers"), Error);
  EXPECT_THROW(file.expect("frames", 77), Error);
  EXPECT_THROW(file.expect("dependency", 78), Error);
  std::filesystem::remove(path);
}

// The same file as it was written before there were checksums.
std::string unsealed(std::string bytes) {
  bytes[8] = 1;
  return bytes.substr(0, bytes.size() - 8);
}

std::string small_model() {
  ModelWriter writer("t", 1);
  writer.add_strings("strings", std::vector<std::string>{"one", "two"});
  writer.add_number("x", 1);
  return writer.bytes();
}

TEST(ModelFile, RefusesWhatIsCutOrChanged) {
  const std::string good = small_model();
  EXPECT_TRUE(ModelFile::from_bytes(good, "m").sealed());
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW(ModelFile::from_bytes(good.substr(0, size), "m"), Error) << size;
  }
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    EXPECT_THROW(ModelFile::from_bytes(bad, "m"), Error) << bit;
  }
}

TEST(ModelFile, WithoutAChecksumDamageNeverCrashes) {
  const std::string good = unsealed(small_model());
  EXPECT_FALSE(ModelFile::from_bytes(good, "m").sealed());
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW(ModelFile::from_bytes(good.substr(0, size), "m"), Error) << size;
  }
  Random random(5);
  for (int trial = 0; trial < random_cases(5000); ++trial) {
    std::string bad = good;
    for (int k = 0; k < 3; ++k) {
      bad[random.below(static_cast<int>(bad.size()))] = static_cast<char>(random.below(256));
    }
    try {  // either an Error, or a file whose sections can be read
      const ModelFile file = ModelFile::from_bytes(bad, "m");
      if (file.has("x")) file.number("x");
      if (file.has("strings")) file.strings("strings");
    } catch (const Error&) {
    }
  }
}

TEST(ModelFile, SealingAddsTheChecksumAndNothingElse) {
  const std::string path = ::testing::TempDir() + "/seal_test.model";
  write_whole_file(path, unsealed(small_model()));
  EXPECT_TRUE(seal_model_file(path));
  EXPECT_EQ(read_whole_file(path), small_model());
  EXPECT_FALSE(seal_model_file(path));
  std::filesystem::remove(path);
}

TEST(Weights, AverageIsThatOfAllMoments) {
  Random random(3);
  TrainingWeights weights(6);
  std::vector<double> sum(64), now(64);
  const int examples = 200;
  for (int t = 0; t < examples; ++t) {
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t feature = spread(static_cast<std::uint64_t>(random.below(1000)));
      const float step = static_cast<float>(random.below(5)) - 2;
      weights.add(feature, step);
      now[feature >> 58] += step;
      EXPECT_FLOAT_EQ(weights.raw(feature), static_cast<float>(now[feature >> 58]));
    }
    for (int i = 0; i < 64; ++i) sum[i] += now[i];
    weights.next_example();
  }
  const std::vector<float> average = weights.averaged();
  // w_t counts from the example it was made at to the end: examples + 1 moments, the first all 0.
  for (int i = 0; i < 64; ++i) EXPECT_NEAR(average[i], sum[i] / (examples + 1), 1e-3);
}

TEST(Weights, PackedAndSavedSurviveTheFile) {
  Random random(4);
  TrainingWeights weights(8);
  std::vector<std::uint64_t> features;
  for (int t = 0; t < 300; ++t) {
    features.push_back(spread(static_cast<std::uint64_t>(t)));
    weights.add(features.back(), static_cast<float>(random.below(200) - 100) / 50);
    weights.next_example();
  }
  ModelWriter writer("t", 1);
  const PackedWeights packed = weights.packed();
  packed.write(writer, "w");
  weights.save(writer, "state");
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "m");
  const WeightView view(file, "w"), direct(packed);
  EXPECT_EQ(view.score(features), direct.score(features));
  const std::vector<float> average = weights.averaged();
  for (std::uint64_t f : features) {
    EXPECT_NEAR(view.scale() * static_cast<float>(view.raw(f)), average[f >> 56],
                view.scale() * 0.51);
  }
  TrainingWeights again(8);
  again.load(file, "state");
  again.add(features[0], 1);
  weights.add(features[0], 1);
  EXPECT_EQ(again.averaged(), weights.averaged());
  TrainingWeights other(9);
  EXPECT_THROW(other.load(file, "state"), Error);
}

}  // namespace
}  // namespace entente
