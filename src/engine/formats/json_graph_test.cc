#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "base/json.h"
#include "entente/error.h"
#include "entente/formats.h"
#include "kit/cases.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

Graph read(std::string_view text) {
  Graph g;
  read_graph(text, Format::json, "p.json", g);
  return g;
}

std::string complaint(std::string_view text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

void expect_same_values(const Graph& a, const Graph& b, Random& r) {
  ASSERT_EQ(a.variable_count(), b.variable_count());
  std::vector<std::uint8_t> z(a.variable_count());
  for (int i = 0; i < 100; ++i) {
    for (auto& x : z) x = r.chance(0.4);
    EXPECT_EQ(a.evaluate(z), b.evaluate(z));
    EXPECT_EQ(a.score_of(z), b.score_of(z));
  }
}

TEST(JsonGraph, RoundTripsRandomGraphs) {
  Random r(11);
  for (int i = 0; i < random_cases(800); ++i) {
    const Graph g = kit::random_graph(r, {.trees = i % 4 == 3});
    const std::string text = write_graph(g, Format::json);
    const Graph back = read(text);
    ASSERT_EQ(write_graph(back, Format::json), text);
    ASSERT_EQ(back.factor_count(), g.factor_count()) << text;
    for (int f = 0; f < g.factor_count(); ++f) {
      EXPECT_EQ(back.factor(f).kind, g.factor(f).kind);
      EXPECT_EQ(back.factor_name(f), g.factor_name(f));
      EXPECT_TRUE(std::ranges::equal(back.factor(f).links, g.factor(f).links));
    }
    expect_same_values(g, back, r);
  }
}

TEST(JsonGraph, RoundTripsNames) {
  Graph g;
  g.add_variable(1.5, "a");
  g.add_variable(2);
  const std::string states[] = {"null", "é \"quoted\"", "x=y"};
  const double scores[] = {0, 1, 2};
  const Group role = g.add_group(scores, "role", states);
  const Group bare = g.add_group({0.5, 0.25});
  const Group numbered = g.add_group({0.5, 0.25}, "n");
  g.add_table(role, numbered, std::vector<double>{1, 2, 3, 4, 5, 6}, g.rule("pair"));
  g.add_at_most_one({Literal(role[0]), !bare[1]}, g.rule("overlap", 0.5));
  g.fix(bare[0], true);
  const std::string text = write_graph(g, Format::json);
  EXPECT_EQ(
      text,
      "{\n"
      "  \"variables\": [\n"
      "    {\"name\": \"a\", \"score\": 1.5},\n"
      "    {\"name\": \"x1\", \"score\": 2},\n"
      "    {\"group\": \"role\", \"states\": [{\"name\": \"null\", \"score\": 0}, {\"name\": "
      "\"é \\\"quoted\\\"\", \"score\": 1}, {\"name\": \"x=y\", \"score\": 2}]},\n"
      "    {\"states\": [0.5, 0.25]},\n"
      "    {\"group\": \"n\", \"states\": [{\"name\": \"0\", \"score\": 0.5}, {\"name\": "
      "\"1\", \"score\": 0.25}]}\n"
      "  ],\n"
      "  \"fixed\": {\"x5\": 1},\n"
      "  \"factors\": [\n"
      "    {\"kind\": \"table\", \"rule\": \"pair\", \"axes\": [\"role\", \"n\"], \"scores\": "
      "[1, 2, 3, 4, 5, 6]},\n"
      "    {\"kind\": \"at_most_one\", \"rule\": \"overlap\", \"cost\": 0.5, \"literals\": "
      "[\"role=null\", \"!x6\"]}\n"
      "  ]\n"
      "}\n");
  const Graph back = read(text);
  EXPECT_EQ(write_graph(back, Format::json), text);
  for (int v = 0; v < g.variable_count(); ++v)
    EXPECT_EQ(back.variable_name(Var{v}), g.variable_name(Var{v}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(back.group_name(i), g.group_name(i));
}

TEST(JsonGraph, ShortFormsMeanTheSame) {
  const Graph a = read(R"({"variables": {"x": 1.5, "y": -1},
      "groups": {"role": {"null": 0, "a": 1.2}},
      "factors": [{"literals": ["x", "!y"], "kind": "implies"},
                  {"kind": "table", "axes": ["x", "role"], "scores": [0, 1, null, 2]},
                  {"kind": "count", "literals": ["x", "y"], "upper": 1}]})");
  const Graph b = read(
      R"({"name": "n", "description": "d", "factors": [{"kind": "implies", "literals": ["x", "!y"]},
      {"kind": "table", "axes": [["x"], ["role=null", "role=a"]], "scores": [0, 1, null, 2]},
      {"kind": "count", "literals": ["x", "y"], "lower": 0, "upper": 1}],
      "variables": [{"name": "x", "score": 1.5}, {"name": "y", "score": -1},
                    {"group": "role", "states": [{"name": "null"}, {"name": "a", "score": 1.2}]}]})");
  EXPECT_EQ(write_graph(a, Format::json), write_graph(b, Format::json));
  EXPECT_EQ(read("{}").variable_count(), 0);
  const Graph c = read(R"({"groups": [{"name": "g", "states": [1, 2]}], "variables": [3, 4]})");
  EXPECT_EQ(c.variable_name(Var{0}), "g=0");
  EXPECT_EQ(c.variable_name(Var{3}), "x3");
  EXPECT_EQ(c.score(Var{3}), 4);
}

TEST(JsonGraph, ComplaintsNameThePlace) {
  const std::string head = "{\"variables\": {\"abc\": 1, \"y\": 2},\n \"factors\": [";
  const struct {
    std::string text, message;
  } cases[] = {
      {"[]", "1:1: expected an object with \"variables\" and \"factors\", found an array"},
      {"{\"variable\": []}", "1:2: unknown key \"variable\" (did you mean \"variables\"?)"},
      {"{\"variables\": [],\n\"variables\": []}", "2:1: the key \"variables\" occurs twice"},
      {"{\"variables\": 3}", "1:15: expected an array or an object of variables, found a number"},
      {"{\"variables\": [{\"nam\": 1}]}", "1:17: unknown key \"nam\" (did you mean \"name\"?)"},
      {"{\"variables\": {\"x\": \"1\"}}", "1:21: expected a score, found a string"},
      {"{\"variables\": {\"x\": 1e999}}", "1:21: this number is too large"},
      {"{\"variables\": {\"x\": 1,\n \"x\": 2}}", "2:2: the variable \"x\" exists already"},
      {"{\"variables\": {\"!x\": 1}}",
       "1:16: a name must not begin with \"!\", which negates a literal"},
      {"{\"variables\": [{\"name\": \"\"}]}", "1:25: a name must not be empty"},
      {"{\"variables\": [{\"name\": \"x1\"}, 2]}",
       "1:25: this is also the default name of a variable without a name"},
      {"{\"variables\": [{}]}", "1:16: a variable needs \"name\" or \"score\""},
      {"{\"groups\": {\"g\": []}}", "1:18: a group needs at least one state"},
      {"{\"groups\": [{\"states\": [{\"name\": \"s\"}]}]}",
       "1:34: a group whose states have names needs a name"},
      {"{\"groups\": {\"g\": [1], \"g\": [2]}}", "1:23: the group \"g\" exists already"},
      {"{\"groups\": [{\"name\": \"g\", \"states\": [1], \"score\": 2}]}",
       "1:51: a group has no \"score\": its states have"},
      {"{\"fixed\": {\"x\": 1}}", "1:12: unknown variable \"x\""},
      {"{\"variables\": {\"x\": 1}, \"fixed\": {\"x\": 2}}", "1:40: expected 0 or 1"},
      {"{\"variables\": {\"x\": 1}, \"fixed\": {\"x\": 1, \"x\": 1}}",
       "1:43: the variable \"x\" is fixed twice"},
      {head + "{}]}", "2:14: a factor needs \"kind\""},
      {head + "{\"kind\": \"at_most_on\", \"literals\": []}]}",
       "2:23: unknown kind of factor \"at_most_on\" (did you mean \"at_most_one\"?)"},
      {head + "{\"kind\": \"equal\"}]}", "2:14: a factor of kind \"equal\" needs \"literals\""},
      {head + "{\"kind\": \"equal\", \"literals\": [\"y\"], \"lower\": 1}]}",
       "2:51: a factor of kind \"equal\" has no \"lower\""},
      {head + "{\"kind\": \"equal\", \"literals\": [\"y\"]}]}",
       "2:44: \"literals\" has 1 entries, 2 are needed"},
      {head + "{\"kind\": \"at_most_one\", \"literals\": [\"y\",\n \"!abd\"]}]}",
       "3:2: unknown variable \"abd\" (did you mean \"abc\"?)"},
      {head + "{\"kind\": \"at_most_one\", \"literals\": [1]}]}",
       "2:51: expected a literal: \"name\" or \"!name\", found a number"},
      {head + "{\"kind\": \"at_most_one\", \"literals\": [\"y\", \"!y\"]}]}",
       "2:56: variable y occurs twice in one factor"},
      {head + "{\"kind\": \"or_output\", \"literals\": [\"y\"], \"output\": \"y\"}]}",
       "2:65: variable y occurs twice in one factor"},
      {head + "{\"kind\": \"at_most_one\", \"cost\": -1, \"literals\": []}]}",
       "2:46: a cost must be 0 or more"},
      {head + "{\"kind\": \"at_most_one\", \"cost\": 1e308, \"literals\": []}]}",
       "2:46: a cost must be at most 1e100, or left out"},
      {head + "{\"kind\": \"count\", \"literals\": [\"y\"], \"lower\": 0.5}]}",
       "2:60: expected an integer"},
      {head + "{\"kind\": \"linear\", \"literals\": [\"y\"], \"coefficients\": [1, 2]}]}",
       "2:68: \"coefficients\" has 2 entries, 1 are needed"},
      {head + "{\"kind\": \"table\", \"axes\": [\"y\", [\"abc\"]], \"scores\": [1, 2]}]}",
       "2:66: the axes need more than these 2 scores"},
      {head + "{\"kind\": \"table\", \"axes\": [\"y\"], \"scores\": [1, 2, 3]}]}",
       "2:57: \"scores\" has 3 entries, 2 are needed"},
      {head + "{\"kind\": \"table\", \"axes\": [[]], \"scores\": [1]}]}",
       "2:41: an axis needs at least one literal"},
      {head + "{\"kind\": \"disjoint\", \"literals\": [\"y\"], \"intervals\": [[1]]}]}",
       "2:68: an interval is [begin, end], end not included"},
      {head +
           "{\"kind\": \"sequence\", \"length\": 2, \"labels\": 1, \"literals\": [\"y\", \"abc\"], "
           "\"transitions\": [1, 2]}]}",
       "2:102: \"transitions\" has 2 entries, labels * labels or (length - 1) times as many are "
       "needed"},
      {head +
           "{\"kind\": \"sequence\", \"length\": 2000000000, \"labels\": 2000000000, \"literals\": "
           "[], \"transitions\": []}]}",
       "2:91: \"literals\" has 0 entries, 4000000000000000000 are needed"},
      {head + "{\"kind\": \"arborescence\", \"nodes\": 1, \"literals\": [], \"arcs\": [[0, 1]]}]}",
       "2:63: \"literals\" has 0 entries, 1 are needed"},
      {head +
           "{\"kind\": \"arborescence\", \"nodes\": 1, \"literals\": [\"y\"], \"arcs\": [[1]]}]}",
       "2:79: an arc is [from, to]"},
      {head + "{\"kind\": \"head_automaton\", \"left\": -1, \"right\": 0, \"uppers\": 1, "
              "\"literals\": "
              "[], \"pairs\": []}]}",
       "2:49: a number of arcs is 0 or more"},
  };
  for (const auto& c : cases) EXPECT_EQ(complaint(c.text), "p.json:" + c.message) << c.text;
}

TEST(JsonGraph, PlacesCountFromTheFirstLineGiven) {
  Graph g;
  try {
    read_graph("{\"variables\": 1}", Format::json, "many.jsonl", g, 12);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "many.jsonl:12:15: expected an array or an object of variables, found a number");
  }
}

TEST(JsonGraph, RefillingForgetsTheLastProblem) {
  Graph g;
  read_graph(
      R"({"variables": {"a": 1}, "factors": [{"kind": "at_most_one", "rule": "r", "literals": ["a"]}]})",
      Format::json, "f", g);
  read_graph(R"({"variables": [2, 3]})", Format::json, "f", g);
  EXPECT_EQ(g.variable_count(), 2);
  EXPECT_EQ(g.factor_count(), 0);
  EXPECT_EQ(g.rule_count(), 0);
  EXPECT_EQ(g.variable_name(Var{0}), "x0");
}

TEST(JsonGraph, WhatCannotBeSaidIsRefused) {
  Graph same;
  same.add_variable(1, "a");
  same.add_variable(1, "a");
  EXPECT_THROW(write_graph(same, Format::json), Error);
  Graph negated;
  negated.add_variable(1, "!a");
  EXPECT_THROW(write_graph(negated, Format::json), Error);
  Graph bytes;
  bytes.add_variable(1, "\xff");
  EXPECT_THROW(write_graph(bytes, Format::json), Error);
}

// All "properties" keys of the schema, and the kinds it lists.
void collect_keys(JsonValue value, std::set<std::string>& keys) {
  if (value.is(JsonType::array)) {
    for (JsonValue v : value.elements()) collect_keys(v, keys);
  }
  if (!value.is(JsonType::object)) return;
  for (auto [key, inner] : value.members()) {
    if (key.string() == "properties") {
      for (auto [name, ignored] : inner.members()) keys.emplace(name.string());
    }
    if (key.string() == "const" || key.string() == "enum") {
      if (inner.is(JsonType::string)) keys.emplace(inner.string());
      if (inner.is(JsonType::array)) {
        for (JsonValue v : inner.elements()) {
          if (v.is(JsonType::string)) keys.emplace(v.string());
        }
      }
    }
    collect_keys(inner, keys);
  }
}

TEST(JsonGraph, SchemaKnowsEveryKeyAndKindWritten) {
  std::ifstream in(std::string(ENTENTE_SOURCE_DIR) + "/docs/problem.schema.json");
  std::stringstream schema;
  schema << in.rdbuf();
  const std::string schema_text = schema.str();
  Json json;
  json.parse({schema_text, "problem.schema.json", 1});
  std::set<std::string> known;
  collect_keys(json.root(), known);
  Random r(3);
  for (int i = 0; i < random_cases(300); ++i) {
    Graph g = kit::random_graph(r);
    const std::string text = write_graph(g, Format::json);
    Json written;
    written.parse({text, "p.json", 1});
    for (auto [key, value] : written.root().members()) {
      EXPECT_TRUE(known.contains(std::string(key.string()))) << key.string();
      if (!value.is(JsonType::array)) continue;
      for (JsonValue entry : value.elements()) {
        for (auto [inner, detail] : entry.members()) {
          EXPECT_TRUE(known.contains(std::string(inner.string()))) << inner.string();
          if (inner.string() != "kind") continue;
          EXPECT_TRUE(known.contains(std::string(detail.string()))) << detail.string();
        }
      }
    }
  }
}

}  // namespace
}  // namespace entente
