#include "bench/trees.h"

#include <gtest/gtest.h>

namespace entente::bench {
namespace {

TEST(BenchTrees, MethodsAgreeAndEverythingIsProven) {
  std::FILE* out = std::tmpfile();
  for (bool projective : {false, true}) {
    const TreeBenchOptions o{
        .lengths = {3, 10}, .words = 60, .projective = projective, .engine = true};
    EXPECT_EQ(run_bench_trees(o, out), 0);
  }
  std::fclose(out);
}

}  // namespace
}  // namespace entente::bench
