#include "bench/session.h"

#include <gtest/gtest.h>

#include <string>

namespace entente::bench {
namespace {

TEST(BenchSession, SessionsAgreeWithFreshSolves) {
  std::FILE* file = std::tmpfile();
  SessionBenchOptions o;
  o.changes = 60;
  o.each = 30;
  o.seed = 5;
  EXPECT_EQ(run_bench_session(o, file), 0);
  std::string text(static_cast<std::size_t>(std::ftell(file)), ' ');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  for (const char* part : {"arguments-hard: 60 changes", "relations: 60 changes", "\nclamp ",
                           "\nundo ", "\nscore ", "differ from fresh solves: 0  ok"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

}  // namespace
}  // namespace entente::bench
