// Certificates against a checker that shares nothing with the engine: tools/check_certificate.py
// goes through thousands of them, and believes nothing false of changed ones.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/one_line.h"
#include "bench/families.h"
#include "entente/formats.h"
#include "entente/solve.h"
#include "entente/verify.h"
#include "kit/cases.h"
#include "kit/random_forest.h"
#include "kit/random_graph.h"
#include "kit/random_tables.h"
#include "lp/lp.h"
#include "oracle/hypergraph/best.h"

namespace entente {
namespace {

// Problems and their certificates, one a line.
class Pairs {
 public:
  explicit Pairs(const std::string& name)
      : stem_(std::string(ENTENTE_BINARY_DIR) + "/" + name),
        problems_(stem_ + ".problems.jsonl"),
        certificates_(stem_ + ".certificates.jsonl") {}

  void add(const Graph& g, const Options& o, const std::string& what) {
    const Solution s = solve(g, o, ws_);
    const Verdict v = verify(g, s.certificate);
    ASSERT_TRUE(v.optimal) << what << ": " << v.reason;
    if (s.certificate.proof.bytes() > kMostBytes) return;
    problems_ << one_line(write_graph(g, Format::json)) << '\n';
    certificates_ << one_line(write_certificate(g, s.certificate)) << '\n';
    ++count_;
  }
  void add(const ForestProblem& p, const ForestCertificate& c, const std::string& what) {
    const Verdict v = verify(p, c);
    ASSERT_TRUE(v.accepted) << what << ": " << v.reason;
    problems_ << write_forests(p, what);
    certificates_ << write_forest_certificate(p, c);
    ++count_;
  }
  // Exit code of a Python program that is given both files.
  int run(const std::string& program) {
    problems_.flush();
    certificates_.flush();
    const std::string command = "python3 " ENTENTE_SOURCE_DIR "/" + program + " " + stem_ +
                                ".problems.jsonl " + stem_ + ".certificates.jsonl";
    return std::system(command.c_str());
  }
  int count() const { return count_; }

 private:
  static constexpr std::size_t kMostBytes = 1'000'000;  // Python takes its time
  std::string stem_;
  std::ofstream problems_, certificates_;
  Workspace ws_;
  int count_ = 0;
};

Options proving(Method method = Method::exact) {
  Options o;
  o.method = method;
  o.certificate = true;
  return o;
}

void add_random(Pairs& pairs, int first, int cases, const Options& o) {
  for (const kit::Family& family : kit::families()) {
    for (int i = first; i < first + cases; ++i) {
      Random r(9000 + i);
      pairs.add(kit::random_graph(r, family.options), o,
                std::string(family.name) + ", case " + std::to_string(i));
    }
  }
}

// Problems whose bounds go down to the next multiple of a step.
void add_bins(Pairs& pairs, int first, int cases, int items, int bins) {
  for (int i = first; i < first + cases; ++i) {
    Random r(i);
    pairs.add(kit::random_bins(r, items, bins, i % 2 == 0 ? 1.0 : 0.05), proving(),
              "bins, case " + std::to_string(i));
  }
}

TEST(Certificates, TheSecondCheckerAcceptsThemOnGraphsOfEveryKind) {
  Pairs pairs("random");
  add_random(pairs, 0, random_cases(250), proving());
  add_random(pairs, 1000, random_cases(50), proving(Method::branch_and_bound));
  add_bins(pairs, 0, random_cases(100), 6, 3);
  EXPECT_GE(pairs.count(), covered(3000));
  EXPECT_EQ(pairs.run("tools/check_certificate.py"), 0);
}

TEST(Certificates, TheSecondCheckerAcceptsThemOnEveryFamilyOfTheBench) {
  Pairs pairs("families");
  for (std::string_view name : bench::family_names()) {
    const bench::Family family = bench::make_family(name, 5, 0.01);
    Graph g;
    const int before = pairs.count();
    for (std::size_t i = 0; i < family.problems.size() && pairs.count() < before + 6; ++i) {
      bench::build(family.problems[i], g);
      if (g.variable_count() > 2500 || (name == "potts" && i > 0)) continue;
      // Without the simplex method some take minutes.
      if (name == "bins" && i > 0 && !lp::find_backend("cbc")) continue;
      pairs.add(g, proving(), std::string(name) + " " + std::to_string(i));
    }
    // The smallest grid of potts may need a search whose proof is too long for Python, and so may
    // implications without the simplex method.
    if (name != "potts" && (name != "sparse" || lp::find_backend("cbc"))) {
      EXPECT_GT(pairs.count(), before) << name;
    }
  }
  EXPECT_EQ(pairs.run("tools/check_certificate.py"), 0);
}

// States that elimination makes impossible (documents 31) and pairs without any answer (classic 101)
// once left logs that arrived at more than the search did.
TEST(Certificates, AreCompleteWhereNothingIsTrusted) {
  if (!lp::find_backend("cbc")) GTEST_SKIP() << "minutes without the simplex method";
  for (const auto& [name, seed] : {std::pair("documents", 31), std::pair("classic", 101)}) {
    const bench::Family family = bench::make_family(name, seed, 0.01);
    Graph g;
    Workspace ws;
    int complete = 0;
    for (std::size_t i = 0; i < family.problems.size(); ++i) {
      bench::build(family.problems[i], g);
      if (g.variable_count() > 2500) continue;
      const Solution s = solve(g, proving(), ws);
      if (!s.trusted.empty()) continue;
      EXPECT_TRUE(s.certificate.proof.complete) << name << " " << i;
      EXPECT_TRUE(verify(g, s.certificate).optimal) << name << " " << i;
      ++complete;
    }
    EXPECT_GE(complete, 8) << name;
  }
}

// Ways to make a log prove too little, several of which once worked; changed_certificates.py has the
// same file for the second checker.
TEST(Certificates, NoFalseProofIsBelieved) {
  std::ifstream file(ENTENTE_SOURCE_DIR "/tests/data/false_proofs.jsonl");
  std::string problem, certificate;
  Graph g;
  int count = 0;
  while (std::getline(file, problem) && std::getline(file, certificate)) {
    read_graph(problem, Format::json, "problem", g);
    const Verdict v = verify(g, read_certificate(g, certificate, "certificate"));
    EXPECT_FALSE(v.accepted) << problem;
    ++count;
  }
  EXPECT_GE(count, 40);
}

TEST(Certificates, TheSecondCheckerReadsNodesOfWideTables) {
  Pairs pairs("tables");
  for (int i = 0; i < 20;
       ++i) {  // changes are counted: under a sanitizer, too, there must be enough
    Random r(1700 + i);
    const kit::TableOptions o{.groups = r.between(3, 4),
                              .states = 3,
                              .tables = r.between(1, 2),
                              .most_axes = 3,
                              .forbidden = 0.4 * r.uniform(),
                              .whole = r.chance(0.5)};
    pairs.add(kit::random_tables(r, o), proving(), "tables, case " + std::to_string(i));
  }
  EXPECT_EQ(pairs.run("tools/check_certificate.py"), 0);
  EXPECT_EQ(pairs.run("tests/changed_certificates.py"), 0);
}

TEST(Certificates, TheSecondCheckerBelievesNothingFalse) {
  Pairs pairs("changed");
  add_random(pairs, 2000, 12, proving());
  add_bins(pairs, 2000, 30, 4, 3);
  EXPECT_EQ(pairs.run("tests/changed_certificates.py"), 0);
}

// The best of one forest, and of pairs that agree: that of a pair is found by the splits of its proof.
TEST(Certificates, TheSecondCheckerReadsForests) {
  Pairs pairs("forests");
  for (int i = 0; i < random_cases(200); ++i) {
    Random r(7000 + i);
    ForestProblem one;
    one.forests.push_back(kit::random_forest(r, 1 + r.below(6), 0));
    BestPass pass;
    Derivation best;
    const Hypergraph& h = one.forests[0].graph;
    pass.run(h, h.score);
    pass.derivation(h, best);
    pairs.add(one, prove_best(one, best), "one");
    ForestProblem two = kit::random_pair(r, 2);
    two.floor =
        kit::split_all(two, r, {}).bound;  // so that nothing is better, and nothing is claimed
    pairs.add(two, kit::split_all(two, r, {}), "two");
    const ForestProblem mixed = kit::random_with_graph(r, 2);
    kit::Agreed a;
    if (kit::find_agreed(mixed, a)) pairs.add(mixed, kit::prove_at(mixed, a), "mixed");
  }
  EXPECT_EQ(pairs.run("tools/check_certificate.py"), 0);
  EXPECT_EQ(pairs.run("tests/changed_certificates.py"), 0);
}

// What agreements leave, two forests or a forest and a graph, most of them with splits.
TEST(Certificates, TheSecondCheckerReadsAgreements) {
  Pairs pairs("agreements");
  int split = 0;
  // Changes are counted: under a sanitizer, too, there are enough to see some accepted.
  const int cases = std::max(random_cases(400), 80);
  for (int i = 0; i < cases; ++i) {
    Random r(60000 + i);
    const int indicators = 2 + r.below(4);
    kit::AgreedPair pair;
    if (!kit::agree(
            i % 2 == 0 ? kit::random_pair(r, indicators) : kit::random_with_graph(r, indicators),
            1 + r.below(6), 1000, pair)) {
      continue;
    }
    split += pair.result.leaves.size() > 1;
    pairs.add(pair.problem, pair.certificate, "agreed");
  }
  EXPECT_GT(split, covered(100));
  EXPECT_EQ(pairs.run("tools/check_certificate.py"), 0);
  EXPECT_EQ(pairs.run("tests/changed_certificates.py"), 0);
}

}  // namespace
}  // namespace entente
