#include "tasks/frames/constraints.h"

#include <gtest/gtest.h>

#include "entente/error.h"
#include "entente/solve.h"
#include "kit/allocations.h"
#include "tasks/frames/decode_test_kit.h"

namespace entente::frames {
namespace {

std::string message_of(auto&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

framenet::Lexicon lexicon() {
  framenet::Lexicon out;
  out.frames.push_back(kit::frame_of("Collaboration", {"Partner_1", "Partner_2", "Partners"}));
  out.frames.push_back(kit::similarity());
  return out;
}

TEST(RuleSet, SwitchesRulesByName) {
  RuleSet rules;
  rules.switch_rule("overlap", false);
  rules.switch_rule("requires", false);
  rules.switch_rule("core_sets", true);
  EXPECT_FALSE(rules.overlap);
  EXPECT_FALSE(rules.requires_);
  EXPECT_TRUE(rules.excludes);
  EXPECT_TRUE(rules.core_sets);
}

TEST(RuleSet, SuggestsTheRuleThatWasMeant) {
  RuleSet rules;
  EXPECT_EQ(message_of([&] { rules.switch_rule("overlaps", false); }),
            "no rule \"overlaps\" (did you mean \"overlap\"?); there are overlap, excludes, "
            "requires and core_sets");
}

TEST(RoleRule, IsARoleOfOneFrameOrOfAll) {
  const framenet::Lexicon l = lexicon();
  const RoleRule one = parse_role_rule("Collaboration:Partner_2", l);
  EXPECT_EQ(one.frame, "Collaboration");
  EXPECT_EQ(one.role, "Partner_2");
  EXPECT_TRUE(one.applies(l.frames[0], l.frames[0].roles[1]));
  EXPECT_FALSE(one.applies(l.frames[0], l.frames[0].roles[0]));
  const RoleRule any = parse_role_rule("Entities", l);
  EXPECT_EQ(any.frame, "");
  EXPECT_TRUE(any.applies(l.frames[1], l.frames[1].roles[2]));
}

TEST(RoleRule, SuggestsTheNameThatWasMeant) {
  const framenet::Lexicon l = lexicon();
  EXPECT_EQ(message_of([&] { parse_role_rule("Colaboration:Partner_2", l); }),
            "no frame \"Colaboration\" in the lexicon (did you mean \"Collaboration\"?)");
  EXPECT_EQ(message_of([&] { parse_role_rule("Collaboration:Partner2", l); }),
            "the frame \"Collaboration\" has no role \"Partner2\" (did you mean \"Partner_2\"?)");
  EXPECT_EQ(message_of([&] { parse_role_rule("Entitys", l); }),
            "no frame has a role \"Entitys\" (did you mean \"Entity_1\"?)");
  for (const char* text : {"", ":", "Collaboration:", ":Partner_1"})
    EXPECT_NE(message_of([&] { parse_role_rule(text, l); }).find("expected a role such as"),
              std::string::npos)
        << text;
}

TEST(ArgumentGraph, NamesItsRulesAfterTheLexicon) {
  const framenet::Frame f = kit::similarity();
  const ArgumentProblem p = kit::problem_of(f, {{0, 2}, {3, 5}}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}});
  RuleSet rules;
  rules.core_sets = true;
  rules.require = {{"Similarity", "Dimension"}};
  rules.forbid = {{"", "Entities"}};
  ArgumentGraph builder;
  Graph g;
  builder.build(f, p, rules, Names::kAll, g);
  std::vector<std::string> names;
  for (int i = 0; i < g.rule_count(); ++i) names.emplace_back(g.rule_name(i));
  EXPECT_EQ(names, (std::vector<std::string>{
                       "no overlap", "Similarity: Entity_1 excludes Entities",
                       "Similarity: Entity_2 excludes Entities",
                       "Similarity: Entity_1 requires Entity_2", "Similarity: core set of Entity_1",
                       "Similarity: Entities is forbidden", "Similarity: Dimension is required"}));
  EXPECT_EQ(g.variable_name(Var{5}), "Entity_2=3-4");
  EXPECT_EQ(rules_in_words(f, rules),
            (std::vector<std::string>{"no overlap", "Entity_1 excludes Entities",
                                      "Entity_2 excludes Entities", "Entity_1 requires Entity_2",
                                      "one of Entity_1, Entities", "Entities is forbidden",
                                      "Dimension is required"}));
}

// Every choice of arguments is worth in the graph what the rules say it is.
TEST(ArgumentGraph, AgreesWithTheRulesOnEveryChoice) {
  int choices = 0;
  for (int seed = 0; seed < 400; ++seed) {
    Random r(seed);
    const kit::RandomCase c = kit::random_case(r);
    ArgumentGraph builder;
    Graph g;
    builder.build(c.frame, c.problem, c.rules, seed % 2 ? Names::kAll : Names::kNone, g);
    const int states = static_cast<int>(c.problem.spans.size()) + 1;
    std::vector<std::uint8_t> z(g.variable_count());
    for (int n = 0; n < 50; ++n) {
      std::vector<int> span_of(c.problem.roles.size());
      std::fill(z.begin(), z.end(), 0);
      // Groups after those of the roles are of required roles that the problem does not have.
      for (const Group& group : g.groups()) z[group.first] = 1;
      for (std::size_t i = 0; i < span_of.size(); ++i) {
        span_of[i] = r.between(-1, states - 2);
        z[i * states] = 0;
        z[i * states + 1 + span_of[i]] = 1;
      }
      const double expected = kit::worth(c.frame, c.problem, c.rules, span_of);
      if (expected == -kInfinity) {
        ASSERT_EQ(g.evaluate(z), -kInfinity) << seed;
      } else {
        ASSERT_NEAR(g.evaluate(z), expected, 1e-9) << seed;
        ++choices;
      }
    }
  }
  EXPECT_GT(choices, 1000);
}

TEST(ArgumentGraph, BuildingAllocatesNothingOnceWarm) {
  const framenet::Frame f = kit::similarity();
  const ArgumentProblem p = kit::problem_of(f, {{0, 2}, {3, 5}}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}});
  RuleSet rules;
  rules.core_sets = true;
  ArgumentGraph builder;
  Graph g;
  builder.build(f, p, rules, Names::kNone, g);
  EXPECT_EQ(entente::kit::count_allocations([&] { builder.build(f, p, rules, Names::kNone, g); }),
            0);
}

TEST(Violations, AreCountedByPairs) {
  const framenet::Frame f = kit::similarity();
  // Entity_1 and Entities share a word, exclude each other, and Entity_2 is missing.
  const std::vector<Filled> bad = {{0, {0, 3}}, {2, {2, 4}}, {3, {5, 6}}};
  EXPECT_EQ(count_violations(f, bad), (Violations{1, 1, 1}));
  const std::vector<Filled> same = {{0, {0, 3}}, {1, {0, 3}}, {3, {1, 2}}};
  EXPECT_EQ(count_violations(f, same), (Violations{3, 0, 0}));
  const std::vector<Filled> good = {{0, {0, 3}}, {1, {3, 4}}};
  EXPECT_EQ(count_violations(f, good), (Violations{}));
  EXPECT_EQ(count_violations(f, {}), (Violations{}));
}

}  // namespace
}  // namespace entente::frames
