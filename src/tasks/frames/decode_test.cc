#include "tasks/frames/decode.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/frames.h"
#include "entente/error.h"
#include "entente/verify.h"
#include "kit/allocations.h"
#include "kit/cases.h"
#include "tasks/frames/decode_test_kit.h"

namespace entente::frames {
namespace {

ArgumentDecision decode(const std::string& name, const framenet::Frame& f, const ArgumentProblem& p,
                        const RuleSet& rules = {}) {
  Decoder decoder(parse_decoder(name));
  ArgumentDecision out;
  decoder.decode(f, p, rules, out);
  return out;
}

bool available(const std::string& name) {
  return !parse_decoder(name).needs_cbc() || cbc_is_available();
}

TEST(DecoderSpec, NamesReadBack) {
  for (const DecoderSpec& spec : all_decoders()) {
    const DecoderSpec again = parse_decoder(spec.name());
    EXPECT_EQ(again.kind, spec.kind);
    EXPECT_EQ(again.name(), spec.name());
  }
  for (const DecoderSpec& spec : penalties()) {
    EXPECT_EQ(parse_decoder(spec.name()).name(), spec.name());
    EXPECT_EQ(parse_decoder(spec.name()).eta, spec.eta);
  }
  EXPECT_THROW(parse_decoder("ad3_eta_0"), Error);
  EXPECT_THROW(parse_decoder("ad3_eta_x"), Error);
  EXPECT_THROW(parse_decoder("exact_eta_1"), Error);
  EXPECT_EQ(parse_decoder("beam").width, 100);
  for (const char* bad : {"beam_", "beam_0", "beam_-1", "beam_x", "beam_99999999999", "exct", ""})
    EXPECT_THROW(parse_decoder(bad), Error) << bad;
  try {
    parse_decoder("exct");
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean \"exact\"?"), std::string::npos);
  }
}

// ---- the paper's examples

// "A blackberry resembles a loganberry": spans "A blackberry", "a loganberry".
TEST(PaperExamples, ResembleHasTwoEntitiesOrThemAllInOne) {
  const framenet::Frame f = kit::similarity();
  // Entities wants the first span a little more than Entity_1 does.
  const ArgumentProblem p =
      kit::problem_of(f, {{0, 2}, {3, 5}}, {{2.0f, -1}, {-1, 1.5f}, {2.2f, -2}, {-4, -4}});
  const ArgumentDecision local = decode("local", f, p);
  EXPECT_EQ(count_violations(f, p, local.span_of), (Violations{1, 0, 2}));
  for (const char* name : {"exact", "ad3_exact", "ilp"}) {
    if (!available(name)) continue;
    const ArgumentDecision d = decode(name, f, p);
    EXPECT_EQ(d.span_of, (std::vector<int>{0, 1, -1, -1})) << name;
    EXPECT_NEAR(d.value, 3.5, 1e-6);
    EXPECT_TRUE(d.proven);
  }
  // "Most berries resemble each other": one span, and nothing for Entity_2 to be.
  const ArgumentProblem q = kit::problem_of(f, {{0, 2}}, {{2.5f}, {-3}, {2.2f}, {-4}});
  EXPECT_EQ(decode("exact", f, q).span_of, (std::vector<int>{-1, -1, 0, -1}));
  EXPECT_EQ(decode("beam_2", f, q).span_of, (std::vector<int>{0, -1, -1, -1}));  // alone: wrong
}

// "Austria ... is elbowing its partners": Partner_1 is "its", Partner_2 is "partners"; by itself
// Partner_2 is less likely than not.
TEST(PaperExamples, PartnersRequireEachOtherAndBeamMissesOne) {
  framenet::Frame f = kit::frame_of("Collaboration", {"Partner_1", "Partner_2", "Undertaking"});
  f.requires_ = {{0, 1}};
  f.requires_one_way = {{0, 1}, {1, 0}};
  const ArgumentProblem p = kit::problem_of(f, {{0, 1}, {14, 15}, {15, 16}},
                                            {{-1, 2.5f, -2}, {-2, -1.5f, -0.4f}, {-3, -3, -3}});
  const ArgumentDecision beam = decode("beam_100", f, p);
  EXPECT_EQ(beam.span_of, (std::vector<int>{1, -1, -1}));
  EXPECT_EQ(count_violations(f, p, beam.span_of).requires_, 1);
  const ArgumentDecision exact = decode("exact", f, p);
  EXPECT_EQ(exact.span_of, (std::vector<int>{1, 2, -1}));
  EXPECT_TRUE(exact.proven);
  EXPECT_NEAR(exact.value, 2.1, 1e-6);
}

// ---- against enumeration

TEST(Exact, EqualsEnumerationOnRandomProblemsUnderEveryRule) {
  Decoder decoder;
  ArgumentDecision d;
  int infeasible = 0, broken_locally = 0;
  for (int seed = 0; seed < random_cases(6000); ++seed) {
    Random r(seed);
    const kit::RandomCase c = kit::random_case(r);
    decoder.decode(c.frame, c.problem, c.rules, d);
    const double best = kit::best_worth(c.frame, c.problem, c.rules);
    ASSERT_EQ(d.feasible, best != -kInfinity) << seed;
    ASSERT_EQ(d.proven, d.feasible) << seed;
    infeasible += d.feasible ? 0 : 1;
    const double expected = d.feasible ? best : kit::best_worth(c.frame, c.problem, c.rules, false);
    ASSERT_NEAR(d.value, expected, 1e-5) << seed;
    ASSERT_NEAR(kit::worth(c.frame, c.problem, c.rules, d.span_of, d.feasible), expected, 1e-5)
        << seed;
    const ArgumentDecision local = decode("local", c.frame, c.problem);
    broken_locally += kit::worth(c.frame, c.problem, c.rules, local.span_of) == -kInfinity ? 1 : 0;
  }
  EXPECT_GT(infeasible, covered(100));
  EXPECT_GT(broken_locally, covered(2000));
}

TEST(Decoders, ThatProveAgreeWithEnumerationAndEachOther) {
  for (const char* name : {"ad3_exact", "ilp", "ad3_positions_exact"}) {
    if (!available(name)) continue;
    Decoder decoder(parse_decoder(name));
    ArgumentDecision d;
    for (int seed = 0; seed < random_cases(400); ++seed) {
      Random r(seed);
      const kit::RandomCase c = kit::random_case(r);
      decoder.decode(c.frame, c.problem, c.rules, d);
      const double best = kit::best_worth(c.frame, c.problem, c.rules);
      ASSERT_EQ(d.feasible, best != -kInfinity) << name << seed;
      const double expected =
          d.feasible ? best : kit::best_worth(c.frame, c.problem, c.rules, false);
      ASSERT_NEAR(d.value, expected, 1e-5) << name << seed;
      ASSERT_EQ(d.proven, d.feasible) << name << seed;
    }
  }
}

// The brute-force twin of the beam: a beam of all choices without overlap is their best.
TEST(Beam, ThatKeepsEverythingIsTheBestWithoutOverlap) {
  for (int seed = 0; seed < random_cases(1000); ++seed) {
    Random r(seed);
    const kit::RandomCase c = kit::random_case(r);
    RuleSet only_overlap;
    only_overlap.excludes = only_overlap.requires_ = false;
    const double best = kit::best_worth(c.frame, c.problem, only_overlap);
    const ArgumentDecision wide = decode("beam_10000", c.frame, c.problem, only_overlap);
    ASSERT_NEAR(wide.value, best, 1e-5) << seed;
    ASSERT_NEAR(kit::worth(c.frame, c.problem, only_overlap, wide.span_of), best, 1e-5) << seed;
    const ArgumentDecision narrow = decode("beam_2", c.frame, c.problem, only_overlap);
    ASSERT_LE(narrow.value, best + 1e-5);
    ASSERT_NE(kit::worth(c.frame, c.problem, only_overlap, narrow.span_of), -kInfinity);
  }
}

// A beam of one takes the best span that is free, role by role.
TEST(Beam, OfWidthOneIsGreedy) {
  const framenet::Frame f = kit::frame_of("F", {"A", "B"});
  const ArgumentProblem p = kit::problem_of(f, {{0, 4}, {5, 7}}, {{1, -1}, {5, 0.5f}});
  EXPECT_EQ(decode("beam_1", f, p).span_of, (std::vector<int>{0, 1}));
  EXPECT_EQ(decode("beam_2", f, p).span_of, (std::vector<int>{-1, 0}));
}

TEST(Beam, SeesOverlapBeyondSixtyFourWords) {
  const framenet::Frame f = kit::frame_of("F", {"A", "B"});
  const ArgumentProblem p = kit::problem_of(f, {{60, 131}, {129, 141}}, {{2, -1}, {-1, 3}});
  EXPECT_EQ(decode("beam_2", f, p).span_of, (std::vector<int>{-1, 1}));
}

TEST(Decoders, LeaveEmptyProblemsEmpty) {
  const framenet::Frame f = kit::similarity();
  const ArgumentProblem no_spans = kit::problem_of(f, {}, {{}, {}, {}, {}});
  ArgumentProblem no_roles;
  no_roles.spans = {{0, 2}};
  for (const DecoderSpec& spec : all_decoders()) {
    if (spec.needs_cbc() && !cbc_is_available()) continue;
    EXPECT_EQ(decode(spec.name(), f, no_spans).span_of, std::vector<int>(4, -1)) << spec.name();
    EXPECT_TRUE(decode(spec.name(), f, no_roles).span_of.empty()) << spec.name();
  }
}

// ---- realistic problems

TEST(Exact, NeverBreaksARuleAndEqualsTheEngineOnRealisticProblems) {
  const bench::FrameProblems p = bench::make_frame_problems(1500, 5);
  Decoder decoder;
  ArgumentGraph builder;
  Graph g;
  Workspace ws;
  ArgumentDecision d;
  int broken = 0;
  for (std::size_t i = 0; i < p.predicates.size(); ++i) {
    const ArgumentProblem& problem = p.predicates[i].problem;
    decoder.decode(p.frames[i], problem, {}, d);
    ASSERT_EQ(count_violations(p.frames[i], problem, d.span_of), Violations{}) << i;
    builder.build(p.frames[i], problem, {}, Names::kNone, g);
    const Solution s = solve(g, {}, ws);
    ASSERT_EQ(s.status, Status::optimal);
    ASSERT_NEAR(d.value, s.value, 1e-6) << i;
    ASSERT_TRUE(d.proven);
    const ArgumentDecision local = decode("local", p.frames[i], problem);
    broken += count_violations(p.frames[i], problem, local.span_of).total() > 0 ? 1 : 0;
  }
  EXPECT_GT(broken, 100);
}

// Tangled problems, of which the early check leaves a part to the engine: what comes out is compared
// with methods that share nothing with it, on the whole problem.
TEST(Exact, AsksTheEngineWhereTheEarlyCheckLeavesSomethingOpen) {
  const bench::FrameProblems p = bench::make_frame_problems(40, 3, true);
  Decoder decoder;
  EarlyCheck check;
  ArgumentDecision d;
  int open = 0;
  for (std::size_t i = 0; i < p.predicates.size(); ++i) {
    const ArgumentProblem& problem = p.predicates[i].problem;
    open += check.settle(p.frames[i], problem, {}, true, d) == EarlyCheck::End::kOpen;
    decoder.decode(p.frames[i], problem, {}, d);
    ASSERT_TRUE(d.proven);
    ASSERT_EQ(count_violations(p.frames[i], problem, d.span_of), Violations{}) << i;
    double worth = 0;
    for (std::size_t r = 0; r < problem.roles.size(); ++r)
      worth += d.span_of[r] < 0 ? 0 : problem.score(r, d.span_of[r]);
    ASSERT_NEAR(d.value, worth, 1e-5) << i;
    // Without CBC the comparison takes seconds a problem: the release, which has it, compares all.
    if (!available("ilp") && i >= 4) continue;
    const ArgumentDecision other =
        decode(available("ilp") ? "ilp" : "ad3_exact", p.frames[i], problem);
    ASSERT_TRUE(other.proven) << i;
    ASSERT_NEAR(d.value, other.value, 1e-5) << i;
  }
  EXPECT_GT(open, 20);
}

void expect_no_allocation(const std::string& name) {
  const bench::FrameProblems p = bench::make_frame_problems(300, 9);
  Decoder decoder(parse_decoder(name));
  std::vector<ArgumentDecision> d(p.predicates.size());
  const RuleSet rules;
  auto pass = [&] {
    for (std::size_t i = 0; i < p.predicates.size(); ++i)
      decoder.decode(p.frames[i], p.predicates[i].problem, rules, d[i]);
  };
  // The engine exchanges buffers: each of them has to have held the largest problem.
  for (int warm = 0; warm < 4; ++warm) pass();
  EXPECT_EQ(entente::kit::count_allocations(pass), 0) << name;
}

TEST(Exact, AllocatesNothingOnceWarm) { expect_no_allocation("exact"); }
TEST(Beam, AllocatesNothingOnceWarm) {
  expect_no_allocation("beam_2");
  expect_no_allocation("beam_100");
}

TEST(Decoders, RelaxationsAreRoundedRoleByRoleAndSayWhetherTheyAreTight) {
  const bench::FrameProblems p = bench::make_frame_problems(200, 2);
  for (const char* name : {"lp", "ad3"}) {
    if (!available(name)) continue;
    Decoder decoder(parse_decoder(name)), exact;
    ArgumentDecision d, best;
    int tight = 0;
    for (std::size_t i = 0; i < p.predicates.size(); ++i) {
      decoder.decode(p.frames[i], p.predicates[i].problem, {}, d);
      exact.decode(p.frames[i], p.predicates[i].problem, {}, best);
      ASSERT_GE(d.bound, best.value - 1e-5) << name << i;
      if (!d.relaxation_tight) continue;
      ++tight;
      ASSERT_NEAR(d.value, best.value, 1e-5) << name << i;
    }
    EXPECT_GT(tight, 190) << name;
  }
}

}  // namespace
}  // namespace entente::frames
