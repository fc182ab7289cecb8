#include "schema/candidates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "schema/test_kit.h"
#include "schema/write.h"

namespace entente::schema {
namespace {

const char* const kSchema =
    R"({"entities": {"person": {"threshold": 0.5}, "place": {"threshold": 0.8,
  "candidate_threshold": 0.2}}, "relations": {"r": {}, "s": {}}})";

Schema schema() { return read_schema(kSchema, "s.json"); }

std::string error_of(const std::string& line) {
  const Schema s = schema();
  try {
    kit::read_lines(s, {line});
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Candidates, WeightsAreLogOddsAboveTheThreshold) {
  const Schema s = schema();
  auto weight = [&](const char* scale, const char* scores) {
    const Candidates c =
        kit::read_lines(s, {std::string(R"({"scale": ")") + scale +
                            R"(", "spans": [{"start": 0, "end": 1, "scores": )" + scores + "}]}"});
    return c.types.empty() ? std::nan("") : c.types[0].weight;
  };
  EXPECT_NEAR(weight("log_odds", R"({"person": 1.5})"), 1.5, 1e-12);
  EXPECT_NEAR(weight("log_odds", R"({"place": 1.5})"), 1.5 - std::log(4), 1e-12);
  EXPECT_NEAR(weight("probability", R"({"person": 0.8})"), std::log(4), 1e-12);
  EXPECT_NEAR(weight("probability", R"({"place": 0.8})"), 0, 1e-12);
  EXPECT_NEAR(weight("log_probability", R"({"person": -0.2231435513142097})"), std::log(4), 1e-9);
  // Against "none" where it is given: the logarithm of how much more probable.
  EXPECT_NEAR(weight("probability", R"({"person": 0.6, "none": 0.3})"), std::log(2), 1e-12);
  EXPECT_NEAR(weight("log_probability", R"({"person": -1, "none": -3})"), 2, 1e-12);
  EXPECT_NEAR(weight("log_odds", R"({"person": 1, "none": -0.5})"), 1.5, 1e-12);
  // Not proposed: no score, probability 0, below the type's candidate_threshold.
  EXPECT_TRUE(std::isnan(weight("probability", R"({"person": null})")));
  EXPECT_TRUE(std::isnan(weight("probability", R"({"person": 0})")));
  EXPECT_TRUE(std::isnan(weight("probability", R"({"place": 0.19})")));
  EXPECT_TRUE(std::isfinite(weight("probability", R"({"person": 1})")));
}

TEST(Candidates, OffsetsCountUnicodeCharacters) {
  const Schema s = schema();
  const Candidates c = kit::read_lines(s, {R"({"scale": "log_odds", "text": "Zoë 🐈 in Köln",
    "spans": [{"start": 0, "end": 3}, {"start": 4, "end": 5}, {"start": 9, "end": 13}]})"});
  ASSERT_EQ(c.spans.size(), 3u);
  EXPECT_EQ(c.spans[0].text, "Zoë");
  EXPECT_EQ(c.spans[1].text, "🐈");
  EXPECT_EQ(c.spans[2].text, "Köln");
  EXPECT_EQ(error_of(R"({"text": "Köln", "spans": [{"start": 0, "end": 5}]})"),
            "c.jsonl:1:29: this span ends at character 5 of a text of 4");
  EXPECT_EQ(
      error_of("{\"text\": \"\\u00e9\\ud83d\\ude00\", \"spans\": [{\"start\": 0, \"end\": 2}]}"),
      "no error");
}

TEST(Candidates, EqualOffsetsAreOneSpan) {
  const Schema s = schema();
  const Candidates c = kit::read_lines(s, {R"({"scale": "log_odds", "spans": [
      {"id": "a", "start": 0, "end": 2, "scores": {"person": 1}},
      {"id": "b", "start": 3, "end": 4, "scores": {"person": 1}},
      {"id": "c", "start": 0, "end": 2, "scores": {"person": 2, "place": 3}}],
    "pairs": [{"head": "c", "tail": "b", "scores": {"r": 1}}, {"head": 0, "tail": 1, "scores": {"r": 2}}]})"});
  ASSERT_EQ(c.spans.size(), 2u);
  ASSERT_EQ(c.types.size(), 3u);
  EXPECT_EQ(c.types[0].weight, 2);
  ASSERT_EQ(c.pairs.size(), 1u);
  EXPECT_EQ(c.pairs[0].weight, 2);
  EXPECT_EQ(c.pairs[0].head, 0);
}

TEST(Candidates, WindowsOfADocument) {
  const Schema s = schema();
  // Placed windows that overlap share their spans; others stand one after the other.
  const Candidates placed = kit::read_lines(
      s,
      {R"({"scale": "log_odds", "document": "d", "offset": 0, "spans": [{"id": "a", "start": 5, "end": 8, "scores": {"person": 1}}]})",
       R"({"scale": "log_odds", "document": "d", "offset": 4, "spans": [{"id": "b", "start": 1, "end": 4, "scores": {"person": 2}}],
              "pairs": [{"head": "b", "tail": "a", "scores": {"r": 1}}]})"});
  ASSERT_EQ(placed.spans.size(), 1u);
  EXPECT_EQ(placed.spans[0].start, 5);
  EXPECT_EQ(placed.pairs[0].head, placed.pairs[0].tail);
  const Candidates apart = kit::read_lines(
      s,
      {R"({"scale": "log_odds", "spans": [{"id": "a", "start": 5, "end": 8, "scores": {"person": 1}}]})",
       R"({"scale": "log_odds", "spans": [{"id": "a", "start": 5, "end": 8, "scores": {"person": 2}}]})"});
  ASSERT_EQ(apart.spans.size(), 2u);
  EXPECT_GE(apart.spans[1].begin, apart.spans[0].finish);
  EXPECT_EQ(apart.spans[1].start, 5);
}

TEST(Candidates, SaysWhereAndWhat) {
  struct Bad {
    const char *text, *message;
  };
  const Bad kBad[] = {
      {"nothing", "c.jsonl:1:1: expected null"},
      {"[]", "c.jsonl:1:1: expected the candidates of a text, found an array"},
      {R"({"span": []})", "c.jsonl:1:2: unknown key \"span\" (did you mean \"spans\"?)"},
      {R"({"spans": [{"start": 0}]})", "c.jsonl:1:12: expected \"end\" here"},
      {R"({"spans": [{"start": 3, "end": 3}]})",
       "c.jsonl:1:12: expected a span of one character or more"},
      {R"({"spans": [{"start": -1, "end": 3}]})", "c.jsonl:1:22: expected an offset"},
      {R"({"spans": [{"start": 0, "end": 3, "scores": {"person": 0.5}}]})",
       "c.jsonl:1:45: what are these scores?"},
      {R"({"scale": "probability", "spans": [{"start": 0, "end": 3, "scores": {"persn": 0.5}}]})",
       "c.jsonl:1:70: the schema has no entity type \"persn\" (did you mean \"person\"?)"},
      {R"({"scale": "probability", "spans": [{"start": 0, "end": 3, "scores": {"person": 5}}]})",
       "c.jsonl:1:80: expected a probability between 0 and 1"},
      {R"({"scale": "log_probability", "spans": [{"start": 0, "end": 3, "scores": {"person": 5}}]})",
       "c.jsonl:1:84: expected a log-probability of 0 or less"},
      {R"({"scale": "log_odds", "spans": [], "pairs": [{"head": 0, "tail": 1, "scores": {"r": 1}}]})",
       "c.jsonl:1:55: there is no span 0: this line has 0"},
      {R"({"scale": "log_odds", "spans": [{"id": "ab", "start": 0, "end": 1}], "pairs": [{"head": "ab", "tail": "ac", "scores": {"r": 1}}]})",
       "c.jsonl:1:103: no span has the id \"ac\" (did you mean \"ab\"?)"},
      {R"({"spans": [{"id": "a", "start": 0, "end": 1}, {"id": "a", "start": 1, "end": 2}]})",
       "c.jsonl:1:47: two spans have the id \"a\""},
      {R"({"text": "Ann met Bo", "spans": [{"start": 0, "end": 3, "text": "Bo"}]})",
       "c.jsonl:1:34: at characters 0 to 3 the text has \"Ann\", not \"Bo\""},
      {R"({"offset": 999999999, "spans": [{"start": 0, "end": 9}]})",
       "c.jsonl:1:33: this text is too long"},
  };
  for (const Bad& bad : kBad) {
    const std::string said = error_of(bad.text);
    EXPECT_TRUE(said.starts_with(bad.message)) << bad.text << "\n  said " << said;
  }
}

// A span of two types is two entities with ids of their own; a relation names the one it allows.
TEST(Candidates, SeveralTypesOfASpanHaveSeveralIds) {
  const Schema s = read_schema(
      R"({"scale": "log_odds", "multi_label": true, "entities": ["person", "firm"],
          "relations": {"r": {"head": "firm", "tail": "person"}}})",
      "s.json");
  Candidates c = kit::read_lines(
      s, {R"({"spans": [{"id": "a", "start": 0, "end": 1, "scores": {"person": 1, "firm": 1}},
                        {"id": "a:firm", "start": 2, "end": 3, "scores": {"person": 2}}],
              "pairs": [{"head": 0, "tail": 1, "scores": {"r": 1}}]})"});
  Extractor extractor(s);
  Extraction e;
  extractor.run(c, {}, e);
  const std::string text = write_json(s, c, e, {.brief = true});
  EXPECT_NE(text.find(R"({"id": "a", "type": "person")"), text.npos) << text;
  EXPECT_NE(text.find(R"({"id": "a:firm_", "type": "firm")"), text.npos) << text;
  EXPECT_NE(text.find(R"("head": "a:firm_", "tail": "a:firm")"), text.npos) << text;
  const Candidates again = kit::read_lines(s, {text});
  EXPECT_EQ(again.spans.size(), 2u);
  EXPECT_EQ(again.types.size(), 3u);
}

TEST(Candidates, WhatExtractWritesCanBeReadAgain) {
  const Schema s = schema();
  const Candidates c = kit::read_lines(s, {R"({"id": "x", "entities": [
      {"id": "e0", "type": "person", "text": "A", "start": 0, "end": 1, "confidence": 0.9},
      {"id": "e1", "type": "place", "start": 4, "end": 5, "confidence": 0.7}],
    "relations": [{"type": "s", "head": "e0", "tail": "e1", "confidence": 0.6}],
    "status": "optimal", "value": 1, "bound": 1, "active_rules": []})"});
  ASSERT_EQ(c.types.size(), 2u);
  EXPECT_NEAR(c.types[0].weight, std::log(9), 1e-12);
  ASSERT_EQ(c.pairs.size(), 1u);
  EXPECT_EQ(c.pairs[0].confidence, 0.6);
}

}  // namespace
}  // namespace entente::schema
