// A short, repeatable run of what fuzz/ does at length: seeds with random changes, read and judged.
#include <gtest/gtest.h>

#include "fuzz/mutate.h"
#include "fuzz/schema_judge.h"

namespace entente {
namespace {

TEST(SchemaFuzz, Schemas) {
  fuzz::run_mutated(fuzz::seeds("schema"), 1, 4000,
                    [](const std::string& t) { return fuzz::schema_judge(t); });
}
TEST(SchemaFuzz, Candidates) {
  fuzz::run_mutated(fuzz::seeds("candidates"), 2, 4000,
                    [](const std::string& t) { return fuzz::candidates_judge(t); });
}

}  // namespace
}  // namespace entente
