#include "schema/lazy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "entente/verify.h"
#include "schema/extract.h"
#include "schema/test_kit.h"

namespace entente::schema {
namespace {

constexpr int kSpans = 8;

// Spans that are surely chosen, and all arcs between them.
Candidates complete(const Schema& schema, Random& r, double weight[kSpans][kSpans]) {
  CandidateReader reader(schema, std::nullopt);
  reader.add_sentence({});
  for (int s = 0; s < kSpans; ++s) {
    reader.add_span(2 * s, 2 * s + 1, "", "", {});
    reader.add_type(s, 0, 0.999);
  }
  Candidates c;
  for (int a = 0; a < kSpans; ++a) {
    for (int b = 0; b < kSpans; ++b) {
      if (a != b) reader.add_pair(a, b, 0, r.uniform(0.3, 0.8));
    }
  }
  reader.finish(c);
  for (const Pair& p : c.pairs) weight[p.head][p.tail] = p.weight;
  return c;
}

// The heaviest set of arcs without a cycle: the best order of the spans, by sets.
double heaviest_order(const double weight[kSpans][kSpans]) {
  std::vector<double> best(1 << kSpans, 0.0);
  for (int set = 1; set < (1 << kSpans); ++set) {
    best[set] = -1;
    for (int last = 0; last < kSpans; ++last) {
      if (!(set >> last & 1)) continue;
      double into = 0;
      for (int s = 0; s < kSpans; ++s) {
        if (s != last && (set >> s & 1)) into += std::max(0.0, weight[s][last]);
      }
      best[set] = std::max(best[set], best[set & ~(1 << last)] + into);
    }
  }
  return best.back();
}

TEST(Lazy, CyclesAreAddedUntilNoneIsLeft) {
  const Schema schema = read_schema(
      R"({"scale": "probability", "entities": ["a"], "relations": {"r": {"acyclic": true}}})", "s");
  Extractor extractor(schema);
  int rounds = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random r(seed);
    double weight[kSpans][kSpans] = {};
    Candidates c = complete(schema, r, weight);
    Extraction e;
    extractor.run(c, {}, e);
    ASSERT_EQ(e.status, Status::optimal);
    const double spans = kSpans * weight_of(0.999, 0.5);
    EXPECT_NEAR(e.value, spans + heaviest_order(weight), 1e-6) << seed;
    rounds += e.rounds;
  }
  EXPECT_GT(rounds, 80);  // it was worth looking again
}

TEST(Lazy, ALimitGivesAnAnswerWithoutCyclesAndATrueBound) {
  const Schema schema = read_schema(
      R"({"scale": "probability", "entities": ["a"], "relations": {"r": {"acyclic": true}}})", "s");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random r(seed);
    double weight[kSpans][kSpans] = {};
    Candidates c = complete(schema, r, weight);
    ExtractOptions options;
    options.engine.time_limit = 1e-9;
    Extraction e;
    Extractor(schema).run(c, options, e);
    const double best = kSpans * weight_of(0.999, 0.5) + heaviest_order(weight);
    EXPECT_GE(e.bound, best - 1e-6);
    if (e.status == Status::unknown) continue;
    EXPECT_LE(e.value, best + 1e-6);
    EXPECT_NEAR(kit::Judge(schema, c).value(e.chosen), e.value, 1e-6);
  }
}

TEST(Lazy, TransitivityOverManySpansIsAddedWhereBroken) {
  const Schema schema =
      read_schema(R"x({"scale": "log_odds", "entities": ["a"], "relations": {"r": {}},
    "rules": {"transitive": "forall x, y, z: r(x, y) and r(y, z) and x != z implies r(x, z)"}})x",
                  "s");
  Random r(3);
  constexpr int kMany = 60;
  CandidateReader reader(schema, std::nullopt);
  reader.add_sentence({});
  for (int s = 0; s < kMany; ++s) {
    reader.add_span(2 * s, 2 * s + 1, "", "", {});
    reader.add_type(s, 0, 0.99);
  }
  for (int a = 0; a < kMany; ++a) {
    for (int b = 0; b < kMany; ++b) {
      if (a != b) reader.add_pair(a, b, 0, r.chance(0.02) ? 0.8 : 0.05);
    }
  }
  Candidates c;
  reader.finish(c);
  Extraction e;
  ExtractOptions options;
  options.engine.time_limit = 20;
  Extractor(schema).run(c, options, e);
  ASSERT_TRUE(e.status == Status::optimal || e.status == Status::feasible);
  EXPECT_GT(e.cuts, 0);
  EXPECT_NEAR(kit::Judge(schema, c).value(e.chosen), e.value, 1e-6);
}

// A document with counts over all of it, and rules of which only broken instances are written.
TEST(Lazy, ALimitHoldsForALargeDocumentAndItsProof) {
  const Schema schema = read_schema(R"x({"scale": "log_odds", "overlap": "disallow",
    "entities": ["a", "b", "c"],
    "relations": {"r": {"head": ["a", "b"], "tail": ["c"], "max_per_head": 2, "acyclic": true,
                        "min_per_head": 1},
                  "q": {"head": "a", "tail": ["b", "c"], "max_per_tail": 2}},
    "constraints": [{"type": "ExclusiveRelations", "relations": ["r", "q"]},
                    {"type": "Count", "of": "r", "at_most": 100}],
    "rules": ["forall x, y, z: r(x, y) and r(y, z) implies q(x, z)"]})x",
                                    "s");
  Random r(7);
  CandidateReader reader(schema, std::nullopt);
  reader.add_sentence({});
  constexpr int kMany = 1000;
  for (int s = 0; s < kMany; ++s) {
    reader.add_span(2 * s, 2 * s + 1, "", "", {});
    for (int t = 0; t < 3; ++t) reader.add_type(s, t, r.uniform(0.05, 0.95));
  }
  for (int p = 0; p < 10 * kMany; ++p)
    reader.add_pair(r.below(kMany), r.below(kMany), r.below(2), r.uniform(0.05, 0.95));
  Candidates c;
  reader.finish(c);
  Extraction e;
  Certificate proof;
  ExtractOptions options;
  options.engine.time_limit = 0.3;
  options.proof = true;
  Extractor extractor(schema);
  const auto start = std::chrono::steady_clock::now();
  extractor.run(c, options, e);
  const Graph& problem = extractor.prove(options, proof);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  EXPECT_LT(spent.count(), 3);  // under a sanitizer, and on a busy machine
  ASSERT_EQ(e.status, Status::feasible);
  EXPECT_GE(proof.value, e.value - 1e-6);
  const Verdict verdict = verify(problem, proof);
  EXPECT_TRUE(verdict.accepted) << verdict.reason;
}

}  // namespace
}  // namespace entente::schema
