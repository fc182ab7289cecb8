#include "bench/frames.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "entente/error.h"
#include "tasks/frames/decode.h"

namespace entente::bench {
namespace {

std::string output_of(const FrameBenchOptions& options, int& code) {
  std::FILE* file = std::tmpfile();
  code = run_bench_frames(options, file);
  std::string out(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  out.resize(std::fread(out.data(), 1, out.size(), file));
  std::fclose(file);
  return out;
}

TEST(FrameProblems, AreTheSameEveryTimeAndAsLargeAsReal) {
  const FrameProblems a = make_frame_problems(300, 1), b = make_frame_problems(300, 1);
  ASSERT_EQ(a.predicates.size(), 300u);
  double roles = 0, spans = 0, gold = 0;
  int with_rules = 0;
  for (std::size_t i = 0; i < a.predicates.size(); ++i) {
    const frames::ScoredPredicate& p = a.predicates[i];
    ASSERT_EQ(p.problem.scores, b.predicates[i].problem.scores);
    ASSERT_EQ(p.gold, b.predicates[i].gold);
    ASSERT_EQ(p.problem.frame, static_cast<int>(i));
    ASSERT_EQ(p.problem.scores.size(), p.problem.roles.size() * p.problem.spans.size());
    roles += static_cast<double>(p.problem.roles.size()) / 300;
    spans += static_cast<double>(p.problem.spans.size()) / 300;
    gold += static_cast<double>(p.gold.size()) / 300;
    with_rules += a.frames[i].excludes.empty() && a.frames[i].requires_.empty() ? 0 : 1;
  }
  EXPECT_NEAR(roles, 9, 2);
  EXPECT_NEAR(spans, 25, 8);
  EXPECT_GT(gold, 1);
  EXPECT_NEAR(with_rules / 300.0, 0.3, 0.1);
  EXPECT_NE(make_frame_problems(1, 2).predicates[0].problem.scores, a.predicates[0].problem.scores);
}

TEST(FrameBench, PrintsATableAndFindsThatExactDecodersAgree) {
  FrameBenchOptions o;
  o.predicates = 80;
  o.runs = 1;
  o.decoders = {"local", "beam_2", "ad3_exact", "exact"};
  int code = 1;
  const std::string text = output_of(o, code);
  EXPECT_EQ(code, 0);
  EXPECT_NE(text.find("80 predicates"), std::string::npos) << text;
  for (const std::string& name : o.decoders)
    EXPECT_NE(text.find("\n" + name + " "), std::string::npos) << text;
  o.decoders = {"beem_2"};
  EXPECT_THROW(output_of(o, code), Error);
}

}  // namespace
}  // namespace entente::bench
