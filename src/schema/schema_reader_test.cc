#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "base/random.h"
#include "schema/schema.h"
#include "schema/test_kit.h"

namespace entente::schema {
namespace {

std::string error_of(const std::string& text) {
  try {
    read_schema(text, "s.json");
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

bool has_rule(const Schema& s, std::string_view name) {
  return std::find(s.rule_names.begin(), s.rule_names.end(), name) != s.rule_names.end();
}

TEST(SchemaReader, SaysWhereAndWhat) {
  struct Bad {
    const char *text, *message;
  };
  const Bad kBad[] = {
      {"", "s.json:1:1: expected a JSON value, found the end of the text"},
      {"[]", "s.json:1:1: expected a schema, found an array"},
      {"{}", "s.json:1:1: expected the \"entities\" of the schema"},
      {"{\"entities\": {}, \"relation\": {}}",
       "s.json:1:18: unknown key \"relation\" (did you mean \"relations\"?)"},
      {"{\"entities\": {\"a\": {\"treshold\": 1}}}",
       "s.json:1:21: unknown key \"treshold\" (did you mean \"threshold\"?)"},
      {"{\"entities\": {\"a\": {\"threshold\": 1.5}}}",
       "s.json:1:34: expected a probability between 0 and 1"},
      {"{\"entities\": [\"a\", \"a\"]}", "s.json:1:20: the name \"a\" is given twice"},
      {"{\"entities\": [\"person\"],\n \"relations\": {\"r\": {\"head\": [\"persn\"]}}}",
       "s.json:2:31: unknown entity type \"persn\" (did you mean \"person\"?)"},
      {"{\"entities\": [\"a\"], \"relations\": {\"r\": {\"inverse\": \"s\"}}}",
       "s.json:1:52: unknown relation \"s\""},
      {"{\"entities\": [\"a\"], \"constraints\": [{\"type\": \"Acyclic\"}]}",
       "s.json:1:46: unknown type of constraint \"Acyclic\""},
      {"{\"entities\": [\"a\"], \"constraints\": [{\"type\": \"Count\", \"of\": \"a\"}]}",
       "s.json:1:37: expected \"at_least\", \"at_most\" or \"exactly\" here"},
      {"{\"entities\": {\"a\": {\"at_least\": 3, \"at_most\": 2}}}",
       "s.json:1:47: at least 3 and at most 2 cannot both hold"},
      {"{\"entities\": [\"a\"], \"constraints\": [{\"type\": \"Count\", \"of\": \"a\", "
       "\"at_least\": 1, "
       "\"cost\": 0}]}",
       "s.json:1:89: expected a cost above 0 (without one a rule is hard)"},
      {"{\"entities\": [\"a\", \"b\"], \"relations\": {\"r\": {\"head\": \"a\", \"tail\": \"b\", "
       "\"symmetric\": true}}}",
       "s.json:1:45: the symmetric relation \"r\" needs the same types at head and tail"},
      {"{\"entities\": [\"a\", \"b\"], \"relations\": {\"r\": {\"head\": \"a\", \"inverse\": \"s\"}, "
       "\"s\": {\"tail\": \"b\"}}}",
       "s.json:1:70: no pair can be both \"r\" and its inverse \"s\": no type is allowed as the head "
       "of the first and the tail of the second"},
      {"{\"entities\": [\"a\"], \"scale\": \"percent\"}",
       "s.json:1:30: unknown scale \"percent\"; there are log_odds, log_probability and "
       "probability"},
      {"{\"entities\": [\"a\"], \"overlap\": \"no\"}",
       "s.json:1:32: unknown policy \"no\"; there are disallow, nested and allow"},
  };
  for (const Bad& bad : kBad) {
    const std::string said = error_of(bad.text);
    EXPECT_TRUE(said.starts_with(bad.message)) << bad.text << "\n  said " << said;
  }
}

TEST(SchemaReader, SaysWhereInARule) {
  struct Bad {
    const char *rule, *message;
  };
  const Bad kBad[] = {
      {"forall x: persn(x)", "s.json:3:23: unknown entity type \"persn\""},
      {"forall x: person(y)", "s.json:3:30: unknown variable \"y\""},
      {"forall x, y: kil(x, y)", "s.json:3:26: unknown relation \"kil\""},
      {"forall x: kill(x)", "s.json:3:23: the relation \"kill\" needs two variables"},
      {"forall x, y: person(x, y)", "s.json:3:26: the type \"person\" needs one variable"},
      {"forall x person(x)", "s.json:3:22: expected \":\", found \"person\""},
      {"forall x: (person(x)", "s.json:3:33: expected \")\", found the end of the rule"},
      {"forall x: person(x) person(x)", "s.json:3:33: expected the end of the rule"},
      {"forall x: forall x: person(x)", "s.json:3:30: the variable \"x\" is already in use"},
      {"forall x: x is x", "s.json:3:25: expected \"=\" or \"!=\", found \"is\""},
      {"", "s.json:3:13: expected an atom"},
  };
  for (const Bad& bad : kBad) {
    const std::string said =
        error_of("{\"entities\": [\"person\"],\n \"relations\": {\"kill\": {}},\n \"rules\": [\"" +
                 std::string(bad.rule) + "\"]}");
    EXPECT_TRUE(said.starts_with(bad.message)) << bad.rule << "\n  said " << said;
  }
  // Escapes move characters: then the rule's own count is said.
  EXPECT_EQ(error_of("{\"entities\": [\"a\"], \"rules\": [\"forall x:\\n b(x)\"]}"),
            "s.json:1:31: unknown entity type \"b\" (character 12 of the rule)");
}

TEST(SchemaReader, NumbersHaveTheirLimits) {
  EXPECT_EQ(error_of(R"({"entities": {"a": {"at_most": 1.5}}})"),
            "s.json:1:32: expected a whole number of 0 or more");
  EXPECT_EQ(
      error_of(R"x({"entities": ["a"], "rules": [{"rule": "forall x: a(x)", "cost": 1e308}]})x"),
      "s.json:1:66: a cost must be at most 1e100, or left out");
}

TEST(SchemaReader, RulesWithoutANameAreNumberedAmongThemselves) {
  const Schema s = read_schema(R"x({"entities": ["a"], "relations": {"r": {"acyclic": true}},
    "constraints": [{"type": "Count", "of": "r", "at_most": 1}],
    "rules": ["forall x: a(x)", "exists x: a(x)"]})x",
                               "s.json");
  const auto has = [&](const char* name) {
    return std::find(s.rule_names.begin(), s.rule_names.end(), name) != s.rule_names.end();
  };
  EXPECT_TRUE(has("rule 1") && has("rule 2"));
  EXPECT_FALSE(has("rule 3"));
}

// As GLiNER2's JointSchema.to_json writes it.
TEST(SchemaReader, ReadsTheSchemasOfGliner2Unchanged) {
  const Schema s = read_schema(R"({
    "entities": {"person": {"description": "a human", "threshold": 0.4, "candidate_threshold": 0.1,
                            "max_candidates": 50, "allow_nested": true}, "place": {}},
    "relations": {"lives_in": {"head": ["person"], "tail": ["place"], "directed": true,
        "symmetric": false, "allow_self": false, "max_per_head": 2, "max_per_tail": 5, "threshold": 0.5},
      "home_of": {"head": ["place"], "tail": ["person"], "directed": true, "symmetric": false,
        "inverse": "lives_in", "allow_self": false},
      "knows": {"head": ["person"], "tail": ["person"], "directed": false, "symmetric": true,
        "allow_self": false}},
    "constraints": [
      {"type": "TypedEndpoints", "relation": "lives_in", "head_types": ["person"], "tail_types": ["place"]},
      {"type": "NoSelfLoops", "relation": null},
      {"type": "UniqueRelationPair", "relation": "knows", "directed": false},
      {"type": "UniqueRelationSlot", "relation": "lives_in", "slot": "slot"},
      {"type": "UniqueRelationSlot", "relation": "lives_in", "slot": "head"},
      {"type": "EntityOverlapPolicy", "policy": "nested"},
      {"type": "MaxRelationsPerHead", "limit": 3, "relation": null},
      {"type": "MaxRelationsPerTail", "limit": 3, "relation": "lives_in"},
      {"type": "SymmetricRelation", "relation": "knows"},
      {"type": "InverseRelation", "relation": "lives_in", "inverse": "home_of"},
      {"type": "AcyclicRelation", "relation": "lives_in"}]})",
                               "s.json");
  ASSERT_EQ(s.types.size(), 2u);
  EXPECT_EQ(s.types[0].threshold, 0.4);
  EXPECT_EQ(s.types[0].max_candidates, 50);
  EXPECT_EQ(s.types[1].overlap, Overlap::nested);
  ASSERT_EQ(s.relations.size(), 3u);
  for (const char* name :
       {"lives_in.head", "lives_in.max_per_head", "home_of.inverse", "knows.symmetric",
        "TypedEndpoints(lives_in)", "NoSelfLoops", "UniqueRelationSlot(lives_in)", "overlap",
        "MaxRelationsPerHead", "AcyclicRelation(lives_in)"})
    EXPECT_TRUE(has_rule(s, name)) << name;
}

TEST(SchemaReader, ReadsTheSchemasOfThePageAndTheExamples) {
  auto whole = [](const std::string& name) {
    std::ifstream in(std::string(ENTENTE_SOURCE_DIR) + "/" + name);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  };
  const std::string page = whole("docs/schema.md");
  int found = 0;
  for (std::size_t at = 0; (at = page.find("```json\n", at)) != page.npos; ++found) {
    at += 8;
    EXPECT_EQ(error_of(page.substr(at, page.find("```", at) - at)), "no error");
  }
  EXPECT_GE(found, 1);
  EXPECT_EQ(error_of(whole("examples/news.schema.json")), "no error");
}

TEST(SchemaReader, NamesInQuotesAndOtherScripts) {
  const Schema s = read_schema(
      "{\"entities\": [\"Straße\", \"large city\"], \"relations\": {\"lies-in\": {}}, \"rules\": "
      "{\"r\": "
      "\"forall x, y: lies-in(x, y) -> Straße(x) & 'large city'(y)\"}}",
      "s.json");
  ASSERT_EQ(s.rules.back().kind, RuleKind::formula);
  EXPECT_EQ(s.rules.back().formula.variables.size(), 2u);
}

TEST(SchemaReader, DeepNestingIsAnErrorNotACrash) {
  for (const std::string open : {"(", "not ", "forall x: (", "person(x) implies "}) {
    std::string rule = "forall x: ";
    for (int i = 0; i < 5000; ++i) rule += open;
    EXPECT_NE(error_of("{\"entities\": [\"person\"], \"rules\": [\"" + rule + "\"]}"), "no error");
  }
}

TEST(SchemaReader, ATextCutAnywhereIsAnError) {
  Random r(5);
  const std::string text = kit::RandomSchema(r).text();
  for (std::size_t n = 0; n + 1 < text.size(); n += 3)
    EXPECT_NE(error_of(text.substr(0, n)), "no error");
}

}  // namespace
}  // namespace entente::schema
