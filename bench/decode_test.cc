#include "bench/decode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "bench/decode_runs.h"
#include "entente/error.h"
#include "entente/solve.h"

namespace entente::bench {
namespace {

std::string run(const DecodeBenchOptions& options, int& code) {
  std::FILE* file = std::tmpfile();
  code = run_bench_decode(options, file);
  std::string text(static_cast<std::size_t>(std::ftell(file)), ' ');
  std::rewind(file);
  const std::size_t got = std::fread(text.data(), 1, text.size(), file);
  text.resize(got);
  std::fclose(file);
  return text;
}

DecodeBenchOptions small(std::vector<std::string> families) {
  DecodeBenchOptions o;
  o.families = std::move(families);
  o.scale = 0.01;
  o.budget = 0.1;
  o.time_limit = 0.2;
  return o;
}

TEST(BenchDecode, EveryMethodOfThisMachineHasARowAndExactOnesAgree) {
  int code = -1;
  const std::string text = run(small({"arguments"}), code);
  EXPECT_EQ(code, 0) << text;
  for (const MethodSpec& m : all_methods()) {
    EXPECT_NE(text.find("\n" + m.name + " "), std::string::npos) << m.name << "\n" << text;
  }
  EXPECT_NE(text.find("required: exact methods disagree on arguments: 0  ok"), std::string::npos)
      << text;
  EXPECT_NE(text.find("required: exact <= 10 x local on arguments: "), std::string::npos) << text;
}

TEST(BenchDecode, JsonIsOneObjectALine) {
  int code = -1;
  DecodeBenchOptions o = small({"arguments", "potts"});
  o.methods = {"local", "beam_2"};
  o.json = true;
  const std::string text = run(o, code);
  EXPECT_EQ(code, 0) << text;
  const auto lines = std::count(text.begin(), text.end(), '\n');
  EXPECT_EQ(lines, 2 * 3 + 4);  // three methods (exact always runs) on each, and the checks
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_EQ(text[at], '{');
    EXPECT_EQ(text[end - 1], '}');
    at = end + 1;
  }
}

TEST(BenchDecode, RunsStopAtTheirBudgetAndKnowWhichRulesBroke) {
  const Family family = make_family("relations", 1, 0.05);
  const auto methods = all_methods();
  const auto& local = methods.front();
  ASSERT_EQ(local.name, "local");
  const MethodRun all = run_method(local, family, {.budget = 0, .time_limit = 0});
  EXPECT_EQ(all.problems(), 100);
  EXPECT_EQ(all.broken.size(), 2u);  // first_argument and second_argument
  const MethodRun one = run_method(local, family, {.budget = 1e-9, .time_limit = 0});
  EXPECT_EQ(one.problems(), 1);
  EXPECT_GT(time_prefix(all, family, 10), 0);
}

TEST(BenchDecode, AllMethodsHavePublishedNames) {
  const auto names = decode_method_names();
  for (const MethodSpec& m : all_methods()) {
    EXPECT_NE(std::find(names.begin(), names.end(), m.name), names.end()) << m.name;
  }
}

TEST(BenchDecode, UnknownNamesAreRefused) {
  DecodeBenchOptions o;
  o.families = {"nonesuch"};
  EXPECT_THROW(run_bench_decode(o, stdout), Error);
  o.families = {"arguments"};
  o.methods = {"nonesuch"};
  EXPECT_THROW(run_bench_decode(o, stdout), Error);
}

}  // namespace
}  // namespace entente::bench
