// Every kind of rule alone, on texts made for it: what is chosen without it, and with it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "schema/extract.h"
#include "schema/test_kit.h"

namespace entente::schema {
namespace {

// What was chosen, in words: "a:person b:place likes(a,b)".
std::string words(const Schema& schema, const Candidates& c, const Choice& choice) {
  std::string out;
  auto add = [&](const std::string& word) { out += (out.empty() ? "" : " ") + word; };
  for (int i : choice.types)
    add(c.spans[c.types[i].span].id + ":" + schema.types[c.types[i].type].name);
  for (int p : choice.pairs)
    add(schema.relations[c.pairs[p].relation].name + "(" + c.spans[c.pairs[p].head].id + "," +
        c.spans[c.pairs[p].tail].id + ")");
  return out;
}

constexpr const char* kTypes = R"("scale": "log_odds", "entities": {"person": {}, "place": {}})";

Extraction run(const std::string& schema_text, const std::string& line, std::string& chosen,
               ExtractOptions options = {}) {
  const Schema schema = read_schema(schema_text, "s.json");
  Candidates c = kit::read_lines(schema, {line});
  Extraction e;
  Extractor(schema).run(c, options, e);
  chosen = words(schema, c, e.chosen);
  return e;
}

// relations: the inside of "relations"; more: other members of the schema.
std::string chosen(const std::string& relations, const std::string& more, const std::string& line) {
  std::string out;
  run("{" + std::string(kTypes) + ", \"relations\": {" + relations + "}" +
          (more.empty() ? "" : ", " + more) + "}",
      line, out);
  return out;
}

// Spans a, b, c: persons with scores 1.02, 1.01 and 1, places with 0.5; pairs as given.
std::string text(const std::string& pairs, int spans = 3) {
  std::string out = "{\"spans\": [";
  for (int s = 0; s < spans; ++s) {
    out += (s ? ", " : "") + std::string("{\"id\": \"") + static_cast<char>('a' + s) +
           "\", \"start\": " + std::to_string(10 * s) + ", \"end\": " + std::to_string(10 * s + 5) +
           ", \"scores\": {\"person\": " + std::to_string(1.02 - 0.01 * s) + ", \"place\": 0.5}}";
  }
  return out + "], \"pairs\": [" + pairs + "]}";
}
std::string pair(const char* relation, char head, char tail, double score) {
  return std::string("{\"head\": \"") + head + "\", \"tail\": \"" + tail + "\", \"scores\": {\"" +
         relation + "\": " + std::to_string(score) + "}}";
}

TEST(Rules, ARelationNeedsItsEnds) {
  const std::string line =
      R"({"spans": [{"id": "a", "start": 0, "end": 1, "scores": {"person": -1}},
          {"id": "b", "start": 2, "end": 3, "scores": {"person": -1}}], "pairs": [)";
  EXPECT_EQ(chosen(R"("r": {})", "", line + pair("r", 'a', 'b', 1.5) + "]}"), "");
  EXPECT_EQ(chosen(R"("r": {})", "", line + pair("r", 'a', 'b', 2.5) + "]}"),
            "a:person b:person r(a,b)");
}

TEST(Rules, EndsHaveTheTypesTheRelationNames) {
  const std::string line = text(pair("r", 'a', 'b', 0.4), 2);
  EXPECT_EQ(chosen(R"("r": {"tail": "place"})", "", line), "a:person b:person");
  EXPECT_EQ(chosen(R"("r": {"tail": "place"})", "", text(pair("r", 'a', 'b', 0.6), 2)),
            "a:person b:place r(a,b)");
  EXPECT_EQ(chosen(R"("r": {})",
                   R"("constraints": [{"type": "TypedEndpoints", "head_types": ["place"]}])",
                   text(pair("r", 'a', 'b', 0.6), 2)),
            "a:place b:person r(a,b)");
}

TEST(Rules, ASpanIsNotRelatedToItselfUnlessAllowed) {
  EXPECT_EQ(chosen(R"("r": {})", "", text(pair("r", 'a', 'a', 2), 1)), "a:person");
  EXPECT_EQ(chosen(R"("r": {"allow_self": true})", "", text(pair("r", 'a', 'a', 2), 1)),
            "a:person r(a,a)");
}

TEST(Rules, AnUndirectedRelationHoldsOneWay) {
  const std::string line = text(pair("r", 'a', 'b', 1) + "," + pair("r", 'b', 'a', 2), 2);
  EXPECT_EQ(chosen(R"("r": {})", "", line), "a:person b:person r(a,b) r(b,a)");
  EXPECT_EQ(chosen(R"("r": {"directed": false})", "", line), "a:person b:person r(b,a)");
}

TEST(Rules, OverlapPoliciesAreTheStricterOfTheTwoTypes) {
  // a [0, 6) person, b [2, 4) place inside it, c [5, 9) place across its end.
  const std::string line = R"({"spans": [
    {"id": "a", "start": 0, "end": 6, "scores": {"person": 2}},
    {"id": "b", "start": 2, "end": 4, "scores": {"place": 1}},
    {"id": "c", "start": 5, "end": 9, "scores": {"place": 0.5}}]})";
  auto with = [&](const char* person, const char* place) {
    std::string out;
    run(std::string(R"({"scale": "log_odds", "entities": {"person": {"overlap": ")") + person +
            R"("}, "place": {"overlap": ")" + place + R"("}}})",
        line, out);
    return out;
  };
  EXPECT_EQ(with("disallow", "allow"), "a:person");
  EXPECT_EQ(with("nested", "allow"), "a:person b:place");
  EXPECT_EQ(with("allow", "nested"), "a:person b:place");
  EXPECT_EQ(with("allow", "allow"), "a:person b:place c:place");
  // As GLiNER2's schemas say it.
  std::string out;
  run(R"({"scale": "log_odds", "entities": {"person": {"allow_nested": true}, "place": {}}})", line,
      out);
  EXPECT_EQ(out, "a:person b:place");
}

TEST(Rules, LimitsAreKeptAtHeadAndTail) {
  const std::string line =
      text(pair("r", 'a', 'b', 1) + "," + pair("r", 'a', 'c', 2) + "," + pair("r", 'b', 'c', 3));
  EXPECT_EQ(chosen(R"("r": {"max_per_head": 1})", "", line),
            "a:person b:person c:person r(a,c) r(b,c)");
  EXPECT_EQ(chosen(R"("r": {"max_per_tail": 1})", "", line),
            "a:person b:person c:person r(a,b) r(b,c)");
  EXPECT_EQ(chosen(R"("r": {"unique_head": true, "unique_tail": true})", "", line),
            "a:person b:person c:person r(a,b) r(b,c)");
  EXPECT_EQ(chosen(R"("r": {"max_per_head": 0})", "", line), "a:person b:person c:person");
  EXPECT_EQ(chosen(R"("r": {}, "s": {})",
                   R"("constraints": [{"type": "MaxRelationsPerHead", "limit": 1}])",
                   text(pair("r", 'a', 'b', 1) + "," + pair("s", 'a', 'b', 2), 2)),
            "a:person b:person s(a,b)");
  EXPECT_EQ(
      chosen(R"("r": {})",
             R"("constraints": [{"type": "UniqueRelationSlot", "relation": "r", "slot": "tail"}])",
             line),
      "a:person b:person c:person r(a,b) r(b,c)");
}

TEST(Rules, WhoeverCanBeAHeadHasAtLeastAsManyTails) {
  const std::string line = text(pair("r", 'a', 'b', -0.3) + "," + pair("r", 'b', 'a', -2), 2);
  // a pays 0.3 to stay a person; for b being a place is cheaper than 2.
  EXPECT_EQ(chosen(R"("r": {"head": "person", "min_per_head": 1})", "", line),
            "a:person b:place r(a,b)");
  EXPECT_EQ(chosen(R"("r": {"head": "person", "min_per_head": 2})", "", line), "a:place b:place");
}

TEST(Rules, SymmetricAndInverseRelationsComeTogether) {
  const std::string line = text(pair("r", 'a', 'b', 2) + "," + pair("r", 'b', 'a', -1), 2);
  EXPECT_EQ(chosen(R"("r": {"symmetric": true})", "", line), "a:person b:person r(a,b) r(b,a)");
  EXPECT_EQ(chosen(R"("r": {"symmetric": true})", "",
                   text(pair("r", 'a', 'b', 2) + "," + pair("r", 'b', 'a', -3), 2)),
            "a:person b:person");
  // The other half need not be proposed, unless one says so.
  EXPECT_EQ(chosen(R"("r": {"inverse": "s"}, "s": {})", "", text(pair("r", 'a', 'b', 2), 2)),
            "a:person b:person r(a,b) s(b,a)");
  EXPECT_EQ(chosen(R"("r": {}, "s": {})",
                   R"("constraints": [{"type": "InverseRelation", "relation": "r", "inverse": "s",
                       "add_missing": false}])",
                   text(pair("r", 'a', 'b', 2), 2)),
            "a:person b:person");
}

TEST(Rules, AnImpliedRelationComesWithIt) {
  const std::string line = text(pair("r", 'a', 'b', 2) + "," + pair("s", 'a', 'b', -1), 2);
  EXPECT_EQ(chosen(R"("r": {"implies": "s"}, "s": {})", "", line),
            "a:person b:person r(a,b) s(a,b)");
  EXPECT_EQ(chosen(R"("r": {"implies": ["s"]}, "s": {"head": "place"})", "", line),
            "a:place b:person r(a,b) s(a,b)");
}

TEST(Rules, AnAcyclicRelationHasNoCycle) {
  const std::string line =
      text(pair("r", 'a', 'b', 1) + "," + pair("r", 'b', 'c', 2) + "," + pair("r", 'c', 'a', 3));
  EXPECT_EQ(chosen(R"("r": {"acyclic": true})", "", line),
            "a:person b:person c:person r(b,c) r(c,a)");
}

TEST(Rules, ExclusiveRelationsDoNotHoldOfTheSameTwo) {
  const std::string line =
      text(pair("r", 'a', 'b', 1) + "," + pair("s", 'a', 'b', 2) + "," + pair("r", 'b', 'a', 1), 2);
  EXPECT_EQ(chosen(R"("r": {"excludes": "s"}, "s": {})", "", line),
            "a:person b:person r(b,a) s(a,b)");
  EXPECT_EQ(chosen(R"("r": {}, "s": {})",
                   R"("constraints": [{"type": "ExclusiveRelations", "relations": ["r", "s"],
                       "directed": false}])",
                   text(pair("r", 'a', 'b', 1) + "," + pair("s", 'a', 'b', 2.5) + "," +
                            pair("r", 'b', 'a', 1),
                        2)),
            "a:person b:person s(a,b)");
}

TEST(Rules, CountsAreKept) {
  const std::string line = text("");
  auto with = [&](const std::string& count) {
    return chosen("", R"("constraints": [{"type": "Count", "of": "person", )" + count + "}]", line);
  };
  EXPECT_EQ(with(R"("at_most": 1)"), "a:person b:place c:place");
  EXPECT_EQ(with(R"("exactly": 2)"), "a:person b:person c:place");
  EXPECT_EQ(with(R"("at_least": 3)"), "a:person b:person c:person");
  std::string out;
  const Extraction e = run("{" + std::string(kTypes) +
                               R"(, "constraints": [{"type": "Count", "of": "person", "at_least": 4,
                                   "name": "a crowd"}]})",
                           line, out);
  EXPECT_EQ(e.status, Status::infeasible);
  EXPECT_EQ(e.conflict, std::vector<std::string>{"a crowd"});
}

TEST(Rules, CountsPerDocumentReachOverSentences) {
  for (const bool document : {false, true}) {
    const Schema schema = read_schema("{" + std::string(kTypes) +
                                          R"(, "constraints": [{"type": "Count", "of": "person",
         "at_most": 1, "per": ")" + (document ? "document" : "sentence") +
                                          "\"}]}",
                                      "s.json");
    Candidates c = kit::read_lines(schema, {text("", 1), text("", 1)});
    Extraction e;
    Extractor(schema).run(c, {}, e);
    EXPECT_EQ(words(schema, c, e.chosen), document ? "a:person a:place" : "a:person a:person");
  }
}

TEST(Rules, FormulasSayAnything) {
  const std::string line = text(pair("r", 'a', 'b', 1) + "," + pair("r", 'b', 'c', 1));
  auto with = [&](const char* rule) {
    return chosen(R"("r": {})", std::string(R"("rules": [")") + rule + "\"]", line);
  };
  EXPECT_EQ(with("forall x, y: r(x, y) implies place(x) and person(y)"),
            "a:person b:place c:person r(b,c)");
  EXPECT_EQ(with("for all x: person(x) implies exists y: r(x, y)"),
            "a:person b:person c:place r(a,b) r(b,c)");
  EXPECT_EQ(with("forall x, y: entity(x) and entity(y) -> x = y"), "a:person");
  EXPECT_EQ(with("exists x: place(x)"), "a:person b:person c:place r(a,b) r(b,c)");
  EXPECT_EQ(with("forall x, y: not (r(x, y) and before(x, y))"), "a:person b:person c:person");
}

TEST(Rules, ASoftRuleIsBrokenExactlyWhenItPays) {
  const char* const kConstraints[] = {
      R"("type": "MaxRelationsPerHead", "limit": 0)", R"("type": "Count", "of": "r", "at_most": 0)",
      R"("type": "SymmetricRelation", "relation": "r", "add_missing": false)",
      "\"type\": \"Rule\", \"rule\": \"forall x, y: not r(x, y)\""};
  for (const double score : {0.8, 1.2}) {
    const std::string line = text(pair("r", 'a', 'b', score), 2);
    for (const char* constraint : kConstraints) {
      std::string out;
      const Extraction e =
          run("{" + std::string(kTypes) + R"(, "relations": {"r": {}}, "constraints": [{)" +
                  constraint + R"(, "cost": 1, "name": "dear"}]})",
              line, out);
      const bool pays = score > 1;
      EXPECT_EQ(out, pays ? "a:person b:person r(a,b)" : "a:person b:person") << constraint;
      EXPECT_NEAR(e.value, 2.03 + (pays ? score - 1 : 0), 1e-9) << constraint;
      EXPECT_EQ(e.paid_rules, pays ? std::vector<std::string>{"dear"} : std::vector<std::string>{});
    }
  }
}

TEST(Rules, ASoftCycleIsPaidOnce) {
  const std::string line = text(pair("r", 'a', 'b', 1) + "," + pair("r", 'b', 'a', 1) + "," +
                                pair("r", 'b', 'c', 1) + "," + pair("r", 'c', 'b', 1));
  for (const double cost : {1.5, 2.5}) {
    std::string out;
    const Extraction e = run("{" + std::string(kTypes) +
                                 R"(, "relations": {"r": {}}, "constraints": [{"type":
          "AcyclicRelation", "relation": "r", "cost": )" +
                                 std::to_string(cost) + "}]}",
                             line, out);
    EXPECT_NEAR(e.value, 3.03 + std::max(4 - cost, 2.0), 1e-9);
  }
}

TEST(Rules, SeveralLabelsOnlyWhereTheSchemaAllowsThem) {
  std::string out;
  run(R"({"scale": "log_odds", "multi_label": true, "entities": {"person": {}, "place": {}}})",
      text("", 1), out);
  EXPECT_EQ(out, "a:person a:place");
  EXPECT_EQ(chosen("", "", text("", 1)), "a:person");
}

TEST(Rules, ActiveRulesAndTheChoiceWithoutThem) {
  std::string out;
  const Extraction e =
      run("{" + std::string(kTypes) + R"(, "relations": {"r": {"tail": "place"}}})",
          text(pair("r", 'a', 'b', 0.4), 2), out);
  EXPECT_EQ(e.active_rules, std::vector<std::string>{"r.tail"});
  EXPECT_EQ(e.unconstrained.pairs.size(), 1u);
  EXPECT_NEAR(e.unconstrained.value, 2.43, 1e-9);
}

TEST(Rules, ADroppedRuleDoesNotHold) {
  Schema schema = read_schema(
      "{" + std::string(kTypes) + R"(, "relations": {"r": {"tail": "place"}}})", "s.json");
  schema.drop_rule("r.tail");
  Candidates c = kit::read_lines(schema, {text(pair("r", 'a', 'b', 0.4), 2)});
  Extraction e;
  Extractor(schema).run(c, {}, e);
  EXPECT_EQ(words(schema, c, e.chosen), "a:person b:person r(a,b)");
  EXPECT_THROW(schema.drop_rule("r.tali"), Error);
}

// Roth and Yih 2004: the local choice makes KFJ a place, which cannot kill; together both are
// people and one killed the other.
TEST(Rules, OswaldAndKfj) {
  const std::string schema = R"({"scale": "probability",
    "entities": {"person": {}, "location": {}, "other": {}},
    "relations": {"kill": {"head": "person", "tail": "person"},
                  "born_in": {"head": "person", "tail": "location"}},
    "constraints": [{"type": "ExclusiveRelations", "relations": ["kill", "born_in"]}]})";
  const std::string line =
      R"({"text": "J. V. Oswald was murdered at JFK after his assassin, R. U. KFJ...",
    "spans": [{"id": "Oswald", "start": 0, "end": 12, "scores": {"person": 0.85, "location": 0.1, "none": 0.05}},
              {"id": "JFK", "start": 29, "end": 32, "scores": {"person": 0.3, "location": 0.65, "none": 0.05}},
              {"id": "KFJ", "start": 53, "end": 62, "scores": {"person": 0.4, "location": 0.55, "none": 0.05}}],
    "pairs": [{"head": "KFJ", "tail": "Oswald", "scores": {"kill": 0.6, "born_in": 0.1, "none": 0.3}},
              {"head": "Oswald", "tail": "JFK", "scores": {"kill": 0.1, "born_in": 0.35, "none": 0.55}}]})";
  std::string out;
  const Extraction e = run(schema, line, out);
  EXPECT_EQ(out, "Oswald:person JFK:location KFJ:person kill(KFJ,Oswald)");
  EXPECT_EQ(e.active_rules, std::vector<std::string>{"kill.head"});
}

TEST(Rules, ASchemaNothingCanSatisfyIsToldByItsRules) {
  const Schema schema = read_schema(R"({"entities": {"person": {"at_least": 2}, "place": {}},
    "relations": {"r": {}},
    "constraints": [{"type": "Count", "of": ["person", "place"], "at_most": 1, "name": "few"},
                    {"type": "Count", "of": "r", "at_most": 3, "name": "harmless"}]})",
                                    "s.json");
  EXPECT_EQ(never_satisfied(schema), (std::vector<std::string>{"person.count", "few"}));
  const Schema by_rules = read_schema(
      R"x({"entities": ["person", "place"], "relations": {"r": {"head": "person"}},
    "rules": {"some": "exists x, y: r(x, y)", "nobody": "forall x: not person(x)"}})x",
      "s.json");
  EXPECT_EQ(never_satisfied(by_rules), (std::vector<std::string>{"r.head", "some", "nobody"}));
  EXPECT_TRUE(never_satisfied(read_schema(R"({"entities": {"person": {"at_least": 2}}})", "s.json"))
                  .empty());
}

}  // namespace
}  // namespace entente::schema
