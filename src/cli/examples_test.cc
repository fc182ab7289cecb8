// The worked examples say what the papers say, and --fix understands its forms.
#include "cli/examples.h"

#include <gtest/gtest.h>

#include "cli/fixing.h"
#include "cli/render.h"
#include "entente/error.h"
#include "entente/solve.h"
#include "entente/verify.h"

namespace entente::cli {
namespace {

Solution run(const Graph& g, Method method, int beam_width = 2) {
  Options o;
  o.method = method;
  o.beam_width = beam_width;
  o.certificate = method == Method::exact;
  return solve(g, o);
}

std::vector<std::string> broken(const Graph& g, const Solution& s) {
  return rule_names(g, broken_factors(g, s.assignment, true));
}

TEST(Examples, CollaborationTellsTheDecodersApart) {
  const Graph g = collaboration_example().graph();
  const Solution local = run(g, Method::local);
  EXPECT_EQ(broken(g, local), (std::vector<std::string>{"overlap", "Partners excludes Partner_1",
                                                        "Partner_1 requires Partner_2"}));
  const Solution exact = run(g, Method::exact);
  ASSERT_EQ(exact.status, Status::optimal);
  EXPECT_EQ(assignment_json(g, exact.assignment),
            R"({"Partners": "none", "Partner_1": "Austria", "Partner_2": "partners", )"
            R"("Undertaking": "none", "Manner": "smoothly"})");
  EXPECT_TRUE(verify(g, exact.certificate).optimal);
  const Solution beam = run(g, Method::beam);
  EXPECT_EQ(beam.status, Status::feasible);
  EXPECT_LT(beam.value, exact.value - 0.5);
  Options o;
  o.method = Method::ad3;
  o.presolve = false;
  const Solution ad3 = solve(g, o);
  EXPECT_FALSE(ad3.relaxation_tight);
  EXPECT_GT(ad3.bound, exact.value + 0.1);
}

// Das, Martins and Smith (2012), examples 6 and 7: Entity_1 and Entity_2, or Entities, never both.
TEST(Examples, ResembleTakesBothEntities) {
  const Graph g = resemble_example().graph();
  EXPECT_FALSE(broken(g, run(g, Method::local)).empty());
  const Solution exact = run(g, Method::exact);
  ASSERT_EQ(exact.status, Status::optimal);
  EXPECT_EQ(assignment_json(g, exact.assignment),
            R"({"Entities": "none", "Entity_1": "A blackberry", "Entity_2": "a loganberry", )"
            R"("Dimension": "in colour"})");
}

// Roth and Yih (2004): the relation repairs the type of one of its arguments.
TEST(Examples, KillTakesTwoPersons) {
  const Graph g = kill_example();
  const Solution local = run(g, Method::local);
  EXPECT_EQ(assignment_json(g, local.assignment),
            R"({"KFJ": "location", "Oswald": "person", "relation": "kill"})");
  EXPECT_EQ(broken(g, local), std::vector<std::string>{"kill(person, person)"});
  const Solution exact = run(g, Method::exact);
  ASSERT_EQ(exact.status, Status::optimal);
  EXPECT_EQ(assignment_json(g, exact.assignment),
            R"({"KFJ": "person", "Oswald": "person", "relation": "kill"})");
}

Graph fixable() {
  Graph g;
  g.add_variable(1, "x");
  g.add_variable(1, "a=b");
  g.add_variable(1, "a=b=1");
  const std::vector<std::string> states = {"0", "1"};
  g.add_group(std::vector<double>{1, 2}, "g", states);
  g.add_group({0.0, 1.0});
  return g;
}

std::vector<int> fixed_by(std::vector<std::string> fixes) {
  Graph g = fixable();
  apply_fixes(g, fixes);
  return {g.fixed().begin(), g.fixed().end()};
}

TEST(Fixing, UnderstandsEveryForm) {
  using V = std::vector<int>;
  EXPECT_EQ(fixed_by({"x"}), (V{1, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(fixed_by({"x=0"}), (V{0, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(fixed_by({"!x"}), (V{0, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(fixed_by({"a=b=0"}), (V{-1, 0, -1, -1, -1, -1, -1}));
  EXPECT_EQ(fixed_by({"a=b=1"}),
            (V{-1, -1, 1, -1, -1, -1, -1}));  // there is a variable of this name
  EXPECT_EQ(fixed_by({"a=b=1=0"}), (V{-1, -1, 0, -1, -1, -1, -1}));
  EXPECT_EQ(fixed_by({"g=1"}), (V{-1, -1, -1, -1, 1, -1, -1}));  // state 1 of g
  EXPECT_EQ(fixed_by({"!g=1", "g=0=1"}), (V{-1, -1, -1, 1, 0, -1, -1}));
  EXPECT_EQ(fixed_by({"g1=0"}), (V{-1, -1, -1, -1, -1, 1, -1}));  // a group without a name
  EXPECT_EQ(fixed_by({}), V{});
}

TEST(Fixing, SaysWhatIsWrong) {
  auto message = [](std::vector<std::string> fixes) -> std::string {
    try {
      fixed_by(std::move(fixes));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({"a=c=1"}), "--fix: no variable is called \"a=c\"; did you mean \"a=b\"?");
  EXPECT_EQ(message({"nothing at all"}), "--fix: no variable is called \"nothing at all\"");
  EXPECT_EQ(message({"x", "!x"}), "--fix: \"x\" is fixed to 0 and to 1");
  EXPECT_NE(message({"x=2"}), "");
  EXPECT_EQ(message({"x", "x=1"}), "");
}

}  // namespace
}  // namespace entente::cli
