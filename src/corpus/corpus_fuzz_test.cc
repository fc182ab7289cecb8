// A short, repeatable run of what fuzz/ does at length: seeds with random changes, read and judged.
#include <gtest/gtest.h>

#include "fuzz/corpus_round_trip.h"
#include "fuzz/framenet_check.h"
#include "fuzz/mutate.h"

namespace entente {
namespace {

TEST(CorpusFuzz, Conllu) {
  fuzz::run_mutated(fuzz::seeds("conllu"), 1, 5000,
                    [](const std::string& t) { return fuzz::conllu_round_trip(t); });
}
TEST(CorpusFuzz, Text) {
  fuzz::run_mutated(fuzz::seeds("text"), 2, 5000,
                    [](const std::string& t) { return fuzz::text_round_trip(t); });
}
TEST(CorpusFuzz, Model) {
  fuzz::run_mutated(fuzz::seeds("model"), 3, 5000,
                    [](const std::string& t) { return fuzz::model_round_trip(t); });
}
TEST(CorpusFuzz, FrameNet) {
  fuzz::run_mutated(fuzz::seeds("framenet"), 4, 5000,
                    [](const std::string& t) { return fuzz::framenet_check(t); });
}

}  // namespace
}  // namespace entente
