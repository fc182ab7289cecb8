// What `exact` does on every family of the bench, in the build that ships: it agrees with CBC, and
// its effort, which is the same on every machine, is what it was.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "bench/families.h"
#include "entente/solve.h"
#include "lp/lp.h"

namespace entente::bench {
namespace {

constexpr int kMostVariables = 3000;  // larger ones take CBC too long

// The first few problems of a family, none too large.
std::vector<Graph> sample(std::string_view name, std::uint64_t seed, int count) {
  std::vector<Graph> out;
  const Family family = make_family(name, seed, 0.05);
  for (const Raw& raw : family.problems) {
    Graph g;
    build(raw, g);
    if (g.variable_count() <= kMostVariables) out.push_back(std::move(g));
    if (static_cast<int>(out.size()) == count) break;
  }
  return out;
}

TEST(Effort, ExactAgreesWithCbcOnEveryFamily) {
  if (lp::find_backend("cbc") == nullptr) GTEST_SKIP() << "this build has no CBC";
  Options ilp;
  ilp.method = Method::ilp;
  ilp.time_limit = 3;
  Options exact;
  exact.time_limit = 20;
  Workspace ws;
  int compared = 0;
  for (std::string_view name : family_names()) {
    int done = 0;
    for (const Graph& g : sample(name, 17, 12)) {
      const Solution ours = solve(g, exact, ws), theirs = solve(g, ilp, ws);
      const double slack = 1e-6 * std::max(1.0, std::abs(ours.value));
      if (ours.status == Status::optimal || ours.status == Status::feasible) {
        ASSERT_NEAR(g.evaluate(ours.assignment), ours.value, 1e-9 * std::max(1.0, slack * 1e6));
      }
      if (theirs.status == Status::optimal) {
        ASSERT_LE(ours.value, theirs.value + slack) << name;
        if (ours.status == Status::optimal) {
          ASSERT_NEAR(ours.value, theirs.value, slack) << name;
        }
      } else if (theirs.status == Status::infeasible) {
        ASSERT_NE(ours.status, Status::optimal) << name;
        ASSERT_NE(ours.status, Status::feasible) << name;
      } else {
        continue;
      }
      done += ours.status == Status::optimal || ours.status == Status::infeasible;
    }
    compared += done > 0;
  }
  EXPECT_GE(compared, 8);
}

struct Effort {
  std::int64_t nodes = 0, rounds = 0, open = 0;
};

// tests/golden/effort.txt: family, nodes, rounds. Written anew by hand when a change is meant; what got
// better stays within it.
TEST(Effort, OfEveryFamilyIsNotManyTimesWhatItWas) {
  if (lp::find_backend("cbc") == nullptr) GTEST_SKIP() << "the figures are those with CBC";
  std::map<std::string, Effort, std::less<>> known;
  std::ifstream file(ENTENTE_SOURCE_DIR "/tests/golden/effort.txt");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string name;
    Effort e;
    if (words >> name >> e.nodes >> e.rounds && name[0] != '#') known[name] = e;
  }
  Options o;
  o.node_limit = 200'000;
  Workspace ws;
  for (std::string_view name : family_names()) {
    if (name == "potts") continue;  // a search of minutes
    Effort e;
    for (const Graph& g : sample(name, 23, 20)) {
      const Solution s = solve(g, o, ws);
      e.nodes += s.nodes;
      e.rounds += s.iterations;
      e.open += s.status != Status::optimal && s.status != Status::infeasible;
    }
    EXPECT_EQ(e.open, 0) << name;
    const auto at = known.find(name);
    const Effort before = at == known.end() ? Effort{} : at->second;
    constexpr std::int64_t kTimes = 4, kFew = 50;
    EXPECT_LE(e.nodes, kTimes * before.nodes + kFew) << name << ": " << e.nodes << " " << e.rounds;
    EXPECT_LE(e.rounds, kTimes * before.rounds + kFew)
        << name << ": " << e.nodes << " " << e.rounds;
  }
}

}  // namespace
}  // namespace entente::bench
