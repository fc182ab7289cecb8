#include "schema/extract.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "kit/cases.h"
#include "schema/gliner2.h"
#include "schema/test_kit.h"
#include "schema/write.h"

namespace entente::schema {
namespace {

constexpr double kClose = 1e-6;

// A schema that contradicts itself on paper (such as an inverse with other types) is refused by the
// reader; random ones are drawn until one is not.
Schema random_schema(Random& r, std::string& text, bool facts = false,
                     std::optional<Mode> mode = std::nullopt) {
  while (true) {
    text = kit::RandomSchema(r).text(facts, mode.has_value());
    try {
      return read_schema(text, "schema.json", mode);
    } catch (const Error&) {
    }
  }
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

struct Case {
  std::string schema_text;
  std::vector<std::string> lines;
  Schema schema;
  Candidates candidates;
  std::vector<Choice> all;  // best first

  explicit Case(std::uint64_t seed, bool facts = false, std::optional<Mode> mode = std::nullopt) {
    Random r(seed);
    do {
      schema = random_schema(r, schema_text, facts, mode);
      lines = kit::random_lines(r, 4, 5, facts);
      candidates = kit::read_lines(schema, lines);
      if (schema.as_nodes()) {
        as_nodes(schema, candidates);
      } else {
        add_missing_pairs(schema, candidates);
      }
    } while (candidates.pairs.size() > 9 ||
             (schema.as_nodes() && candidates.types.size() + candidates.pairs.size() > 12));
    all = kit::Judge(schema, candidates).all();
  }
  std::string story() const { return schema_text + "\n" + joined(lines); }
};

void expect_best(const Case& c, const Extraction& e) {
  if (c.all.empty()) {
    EXPECT_EQ(e.status, Status::infeasible) << c.story();
    EXPECT_FALSE(e.conflict.empty()) << c.story();
    return;
  }
  ASSERT_EQ(e.status, Status::optimal) << c.story();
  EXPECT_NEAR(e.value, c.all[0].value, kClose) << c.story();
  EXPECT_NEAR(e.bound, c.all[0].value, kClose) << c.story();
  EXPECT_NEAR(kit::Judge(c.schema, c.candidates).value(e.chosen), c.all[0].value, kClose)
      << c.story();
}

TEST(Extract, FindsWhatEnumerationFindsUnderEveryKindOfRule) {
  std::map<RuleKind, int> hard, soft;
  int infeasible = 0, paid = 0;
  for (int seed = 0; seed < random_cases(2500); ++seed) {
    Case c(seed);
    for (const SchemaRule& rule : c.schema.rules) ++(rule.hard() ? hard : soft)[rule.kind];
    Extractor extractor(c.schema);
    Extraction e;
    extractor.run(c.candidates, {}, e);
    expect_best(c, e);
    infeasible += e.status == Status::infeasible;
    paid += !e.paid_rules.empty();
    if (HasFailure()) return;
  }
  // The cases are not all of one colour.
  for (int k = 0; k <= static_cast<int>(RuleKind::formula); ++k) {
    EXPECT_GT(hard[static_cast<RuleKind>(k)], covered(50)) << k;
    EXPECT_GT(soft[static_cast<RuleKind>(k)], covered(15)) << k;
  }
  EXPECT_GT(infeasible, covered(50));
  EXPECT_LT(infeasible, random_cases(1500));
  EXPECT_GT(paid, covered(100));
}

TEST(Extract, FactsAreAtomsThatHoldOrArePaidFor) {
  int with_facts = 0, given_up = 0;
  for (int seed = 20000; seed < 20000 + random_cases(1500); ++seed) {
    Case c(seed, true);
    with_facts += !c.candidates.facts.empty();
    Extractor extractor(c.schema);
    Extraction e;
    ExtractOptions options;
    if (seed % 3 == 0) options.model.most_instances = 0;
    extractor.run(c.candidates, options, e);
    expect_best(c, e);
    for (const std::string& name : e.paid_rules) given_up += name.starts_with("fact ");
    if (HasFailure()) return;
  }
  EXPECT_GT(with_facts, covered(500));
  EXPECT_GT(given_up,
            covered(5));  // compilers draw other cases: they differ in the order of arguments
}

TEST(Extract, GLiNER2sMeaningIsSolvedExactly) {
  int several = 0, companions = 0;
  for (int seed = 30000; seed < 30000 + random_cases(250); ++seed) {
    Case c(seed, seed % 4 == 0, seed % 2 == 0 ? Mode::gliner2 : Mode::gliner2_unchecked);
    Extractor extractor(c.schema);
    Extraction e;
    extractor.run(c.candidates, {}, e);
    expect_best(c, e);
    for (std::size_t k = 1; k < e.chosen.types.size(); ++k) {
      const auto origin = [&](std::size_t i) {
        return c.candidates.origin[c.candidates.types[e.chosen.types[i]].span];
      };
      several += origin(k) == origin(k - 1);
    }
    for (int p : e.chosen.pairs) companions += c.candidates.pairs[p].added;
    if (HasFailure()) return;
  }
  EXPECT_GT(several, covered(15));
  EXPECT_GT(companions, covered(5));
}

// Stopped before it begins: what it says keeps every rule, and where nothing chosen does there is an answer.
TEST(Extract, StoppedAtOnceItHasAnAnswerWhereNothingChosenIsOne) {
  const std::atomic<bool> stop = true;
  int answers = 0, empty = 0;
  for (int seed = 50000; seed < 50000 + random_cases(900); ++seed) {
    Case c(seed, seed % 4 == 0);
    Extractor extractor(c.schema);
    Extraction e;
    ExtractOptions options;
    options.engine.stop = &stop;
    options.model.most_instances = seed % 3 == 0 ? 20000 : 0;
    if (seed % 5 == 0) options.model.priced_from = options.model.priced_literals = 1;
    extractor.run(c.candidates, options, e);
    double best = -kInfinity;
    bool nothing = false;
    for (const Choice& choice : c.all) {
      best = std::max(best, choice.value);
      nothing |= choice.types.empty() && choice.pairs.empty();
    }
    const bool has_answer = e.status == Status::optimal || e.status == Status::feasible;
    if (nothing) {
      EXPECT_TRUE(has_answer) << c.story();
    }
    EXPECT_GE(e.bound, best - kClose) << c.story();
    if (has_answer) {
      EXPECT_NEAR(kit::Judge(c.schema, c.candidates).value(e.chosen), e.value, kClose) << c.story();
    }
    empty += nothing;
    answers += has_answer && !nothing;
    if (HasFailure()) return;
  }
  EXPECT_GT(empty, covered(100));
  EXPECT_GT(answers, covered(20));
}

TEST(Extract, WhatIsWorthMoreWithSomethingForcedWasNotTheBest) {
  Extraction e;
  e.status = Status::optimal;
  e.value = e.bound = 2;
  Solution other;
  other.status = Status::feasible;
  other.value = 1;
  EXPECT_TRUE(std::isnan(margin_of(other, 1e-7, e)));
  other.status = Status::infeasible;
  EXPECT_EQ(margin_of(other, 1e-7, e), kInfinity);
  other.status = Status::optimal;
  EXPECT_EQ(margin_of(other, 1e-7, e), 1);
  other.value = 2 + 1e-8;
  EXPECT_EQ(margin_of(other, 1e-7, e), 0);
  EXPECT_EQ(e.status, Status::optimal);
  other.value = 2.5;
  EXPECT_TRUE(std::isnan(margin_of(other, 1e-7, e)));
  EXPECT_EQ(e.status, Status::feasible);
  EXPECT_EQ(e.bound, 2.5);
}

// Every candidate's margin is the difference to the best answer that has it, or has it not; and what is said to stand
// in its way does.
TEST(Extract, ReasonsAreTheDifferenceToTheBestOtherAnswer) {
  int impossible = 0, lost = 0, by_rule = 0;
  for (int seed = 40000; seed < 40000 + random_cases(700); ++seed) {
    Case c(seed, seed % 5 == 0);
    if (c.all.empty()) continue;
    Extractor extractor(c.schema);
    Extraction e;
    ExtractOptions options;
    options.reasons = true;
    extractor.run(c.candidates, options, e);
    ASSERT_EQ(e.type_reasons.size(), c.candidates.types.size());
    ASSERT_EQ(e.pair_reasons.size(), c.candidates.pairs.size());
    auto check = [&](std::vector<int> Choice::*list, int i, const Reason& reason) {
      auto has = [&](const Choice& choice) {
        return std::binary_search((choice.*list).begin(), (choice.*list).end(), i);
      };
      double best = -kInfinity;
      for (const Choice& other : c.all) {
        if (has(other) != has(e.chosen)) best = std::max(best, other.value);
      }
      if (best == -kInfinity) {
        EXPECT_EQ(reason.margin, kInfinity) << c.story();
        ++impossible;
      } else {
        EXPECT_NEAR(reason.margin, e.value - best, kClose) << c.story();
        lost += !has(e.chosen);
      }
      // The answer with this alone changed: it is worth no more, and where a hard rule is named it is no answer.
      if (!has(e.chosen) && reason.because.empty()) {
        EXPECT_NEAR(reason.margin, 0, kClose) << c.story();
      }
      for (const std::string& name : reason.because) by_rule += name != "score";
    };
    for (int i = 0; i < static_cast<int>(e.type_reasons.size()); ++i)
      check(&Choice::types, i, e.type_reasons[i]);
    for (int p = 0; p < static_cast<int>(e.pair_reasons.size()); ++p)
      check(&Choice::pairs, p, e.pair_reasons[p]);
    if (HasFailure()) return;
  }
  EXPECT_GT(impossible, covered(100));
  EXPECT_GT(lost, covered(400));
  EXPECT_GT(by_rule, covered(400));
}

TEST(Extract, FindsTheSameWhenFormulasAreAddedOnlyWhereBroken) {
  int cuts = 0;
  for (int seed = 5000; seed < 5000 + random_cases(1000); ++seed) {
    Case c(seed);
    Extractor extractor(c.schema);
    Extraction e;
    ExtractOptions options;
    options.model.most_instances = 0;
    extractor.run(c.candidates, options, e);
    expect_best(c, e);
    cuts += e.cuts;
    if (HasFailure()) return;
  }
  EXPECT_GT(cuts, covered(100));
}

TEST(Extract, PricedCountsGiveTrueBoundsAndLegalAnswers) {
  int proved = 0, priced = 0;
  for (int seed = 7000; seed < 7000 + random_cases(1500); ++seed) {
    Case c(seed);
    ExtractOptions options;
    options.model.priced_from = 0;
    options.model.priced_literals = 1;
    Model model;
    model.build(c.schema, c.candidates, options.model);
    if (model.wide_rows().empty()) continue;
    ++priced;
    Extractor extractor(c.schema);
    Extraction e;
    extractor.run(c.candidates, options, e);
    proved += e.status == Status::optimal;
    if (c.all.empty()) {
      EXPECT_TRUE(e.status == Status::infeasible || e.status == Status::unknown) << c.story();
    } else {
      EXPECT_NE(e.status, Status::infeasible) << c.story();
      EXPECT_GE(e.bound, c.all[0].value - kClose) << c.story();
      if (e.status == Status::optimal) {
        EXPECT_NEAR(e.value, c.all[0].value, kClose) << c.story();
      }
      if (e.status != Status::unknown) {
        EXPECT_NEAR(kit::Judge(c.schema, c.candidates).value(e.chosen), e.value, kClose)
            << c.story();
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(priced, covered(200));
  EXPECT_GT(proved, covered(50));
}

TEST(Extract, TheKBestAreThoseOfEnumeration) {
  for (int seed = 9000; seed < 9000 + random_cases(300); ++seed) {
    Case c(seed);
    Extractor extractor(c.schema);
    Extraction e;
    ExtractOptions options;
    options.k_best = 4;
    extractor.run(c.candidates, options, e);
    ASSERT_EQ(e.k_best.size(), std::min<std::size_t>(4, c.all.size())) << c.story();
    for (std::size_t k = 0; k < e.k_best.size(); ++k) {
      EXPECT_NEAR(e.k_best[k].value, c.all[k].value, kClose) << k << "\n" << c.story();
      for (std::size_t j = 0; j < k; ++j) EXPECT_FALSE(e.k_best[j] == e.k_best[k]);
    }
    if (HasFailure()) return;
  }
}

TEST(Extract, AMarginIsWhatTheBestWithoutItLoses) {
  for (int seed = 11000; seed < 11000 + random_cases(200); ++seed) {
    Case c(seed);
    Extractor extractor(c.schema);
    Extraction e;
    ExtractOptions options;
    options.margins = true;
    extractor.run(c.candidates, options, e);
    if (e.status != Status::optimal) continue;
    ASSERT_EQ(e.type_margins.size(), e.chosen.types.size());
    for (std::size_t k = 0; k < e.chosen.types.size(); ++k) {
      double best = -kInfinity;
      for (const Choice& other : c.all) {
        if (std::binary_search(other.types.begin(), other.types.end(), e.chosen.types[k])) continue;
        best = std::max(best, other.value);
      }
      if (best == -kInfinity) {
        EXPECT_EQ(e.type_margins[k], kInfinity) << c.story();
      } else {
        EXPECT_NEAR(e.type_margins[k], e.value - best, kClose) << c.story();
      }
    }
    if (HasFailure()) return;
  }
}

TEST(Extract, AConflictIsMinimal) {
  int seen = 0;
  for (std::uint64_t seed = 0; seed < 600 && seen < 25; ++seed) {
    Case c(seed);
    if (!c.all.empty()) continue;
    ++seen;
    Extraction e;
    Extractor(c.schema).run(c.candidates, {}, e);
    ASSERT_FALSE(e.conflict.empty()) << c.story();
    // Those rules alone cannot hold; without any one of them (and all others) they can.
    for (std::size_t without = 0; without <= e.conflict.size(); ++without) {
      Schema part = c.schema;
      for (const std::string& name : c.schema.rule_names) {
        const auto at = std::find(e.conflict.begin(), e.conflict.end(), name);
        const auto index = static_cast<std::size_t>(at - e.conflict.begin());
        if (at == e.conflict.end() || index == without) part.drop_rule(name);
      }
      if (without < e.conflict.size() && e.conflict[without] == "endpoints") continue;
      const bool satisfiable = !kit::Judge(part, c.candidates).all().empty();
      if (without == e.conflict.size()) {
        EXPECT_FALSE(satisfiable) << c.story();
      }
    }
  }
  EXPECT_GE(seen, 25);
}

TEST(Extract, ChoosesWithoutRulesWhatScoresMost) {
  const Schema schema =
      read_schema(R"({"scale": "probability", "entities": {"a": {"threshold": 0.8}, "b": null},
    "relations": {"r": {}}})",
                  "s.json");
  Candidates c = kit::read_lines(schema, {R"({"spans": [
    {"start": 0, "end": 1, "scores": {"a": 0.7, "b": 0.4}},
    {"start": 1, "end": 2, "scores": {"a": 0.9, "b": 0.7}}],
    "pairs": [{"head": 0, "tail": 1, "scores": {"r": 0.9}}]})"});
  const Choice free = unconstrained_choice(schema, c);
  ASSERT_EQ(free.types.size(), 1u);
  EXPECT_EQ(c.types[free.types[0]].span, 1);
  EXPECT_EQ(schema.types[c.types[free.types[0]].type].name, "b");  // further above its threshold
  EXPECT_EQ(free.pairs.size(), 1u);
}

}  // namespace
}  // namespace entente::schema
