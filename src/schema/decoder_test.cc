#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/random.h"
#include "entente/error.h"
#include "entente/extract.h"
#include "schema/extract.h"

namespace entente::extract {
namespace {

constexpr const char* kSchema = R"({
  "entities": {"person": {}, "place": {}},
  "relations": {"born_in": {"head": ["person"], "tail": ["place"], "max_per_head": 1}}})";

struct Arrays {
  std::vector<SpanOf> spans;
  std::vector<float> span_scores, pair_scores;
  std::vector<PairOf> pairs;
  Proposals view() const {
    return {.spans = spans,
            .span_scores = {span_scores.data(), span_scores.size() / 2, 2},
            .pairs = pairs,
            .pair_scores = {pair_scores.data(), pair_scores.size(), 1}};
  }
};

Arrays random_arrays(Random& r, int spans, bool twins) {
  Arrays a;
  for (int i = 0; i < spans; ++i) {
    const int begin = twins && i > 0 && r.chance(0.2) ? a.spans.back().begin : 3 * i + r.below(2);
    a.spans.push_back({begin, begin + 1 + r.below(5)});
    for (int t = 0; t < 2; ++t) a.span_scores.push_back(static_cast<float>(r.uniform(-2, 3)));
  }
  for (int i = 0; i < spans; ++i) {
    for (int j = 0; j < spans; ++j) {
      if (i == j || r.chance(0.3)) continue;
      a.pairs.push_back({i, j});
      a.pair_scores.push_back(static_cast<float>(r.uniform(-2, 2)));
    }
  }
  return a;
}

// The same through the lines that the command reads.
std::string as_line(const Arrays& a) {
  std::string out = R"({"scale": "log_odds", "spans": [)";
  auto number = [](float x) { return std::to_string(static_cast<double>(x)); };
  for (std::size_t i = 0; i < a.spans.size(); ++i) {
    out += std::string(i ? ", " : "") + R"({"id": "s)" + std::to_string(i) + R"(", "start": )" +
           std::to_string(a.spans[i].begin) + R"(, "end": )" + std::to_string(a.spans[i].end) +
           R"(, "scores": {"person": )" + number(a.span_scores[2 * i]) + R"(, "place": )" +
           number(a.span_scores[2 * i + 1]) + "}}";
  }
  out += R"(], "pairs": [)";
  for (std::size_t i = 0; i < a.pairs.size(); ++i) {
    out += std::string(i ? ", " : "") + R"({"head": "s)" + std::to_string(a.pairs[i].head) +
           R"(", "tail": "s)" + std::to_string(a.pairs[i].tail) + R"(", "scores": {"born_in": )" +
           number(a.pair_scores[i]) + "}}";
  }
  return out + "]}";
}

TEST(ExtractDecoder, ArraysAndLinesGiveTheSameValue) {
  Random r(7);
  Decoder decoder(Schema::parse(kSchema));
  for (int trial = 0; trial < 60; ++trial) {
    const Arrays a = random_arrays(r, r.between(1, 7), trial % 2 == 1);
    Extraction e;
    decoder.decode(a.view(), {.explain = true, .k_best = 2}, e);
    ASSERT_EQ(e.status, Status::optimal);
    schema::CandidateReader reader(decoder.schema().parts(), std::nullopt);
    reader.add(as_line(a), "line", 1);
    schema::Candidates c;
    reader.finish(c);
    schema::Extractor extractor(decoder.schema().parts());
    schema::Extraction twin;
    extractor.run(c, {}, twin);
    EXPECT_NEAR(e.value, twin.value, 1e-4);  // the line has six digits
    double sum = 0;
    for (const Entity& x : e.entities) sum += x.weight;
    for (const Relation& x : e.relations) {
      sum += x.weight;
      ASSERT_GE(x.pair, 0);
      EXPECT_EQ(a.spans[a.pairs[x.pair].head].begin, a.spans[x.head].begin);
      EXPECT_EQ(a.spans[a.pairs[x.pair].tail].end, a.spans[x.tail].end);
    }
    EXPECT_NEAR(sum, e.value, 1e-9);
    ASSERT_FALSE(e.k_best.empty());
    EXPECT_NEAR(e.k_best[0].value, e.value, 1e-9);
    EXPECT_NE(decoder.decode_json(as_line(a)).find("\"status\""), std::string::npos);
  }
}

TEST(ExtractDecoder, ScoresInAnyScale) {
  const Schema schema = Schema::parse(kSchema);
  Decoder decoder(schema);
  Extraction odds, probabilities, logs;
  Arrays a{.spans = {{0, 2}, {3, 5}},
           .span_scores = {1, -1, -2, 2},
           .pair_scores = {0.5f},
           .pairs = {{0, 1}}};
  decoder.decode(a.view(), {}, odds);
  for (auto* v : {&a.span_scores, &a.pair_scores}) {
    for (float& x : *v) x = 1 / (1 + std::exp(-x));
  }
  decoder.decode(a.view(), {.scores = Scores::probability}, probabilities);
  for (auto* v : {&a.span_scores, &a.pair_scores}) {
    for (float& x : *v) x = std::log(x);
  }
  decoder.decode(a.view(), {.scores = Scores::log_probability}, logs);
  EXPECT_NEAR(odds.value, 3.5, 1e-5);
  EXPECT_NEAR(probabilities.value, 3.5, 1e-5);
  EXPECT_NEAR(logs.value, 3.5, 1e-5);
  EXPECT_EQ(odds.entities.size(), 2u);
  EXPECT_EQ(odds.relations.size(), 1u);
}

TEST(ExtractDecoder, WhatIsNotProposedIsNotChosen) {
  Decoder decoder(Schema::parse(kSchema));
  const float none = std::numeric_limits<float>::quiet_NaN();
  Arrays a{.spans = {{0, 1}},
           .span_scores = {none, -std::numeric_limits<float>::infinity()},
           .pair_scores = {},
           .pairs = {}};
  Extraction e;
  decoder.decode(a.view(), {}, e);
  EXPECT_EQ(e.status, Status::optimal);
  EXPECT_TRUE(e.entities.empty());
}

TEST(ExtractDecoder, SaysWhatIsWrong) {
  Decoder decoder(Schema::parse(kSchema));
  Extraction e;
  const Arrays good{.spans = {{0, 1}, {2, 3}},
                    .span_scores = {1, 1, 1, 1},
                    .pair_scores = {1},
                    .pairs = {{0, 1}}};
  auto fails = [&](auto change, const std::string& words) {
    Arrays a = good;
    change(a);
    try {
      decoder.decode(a.view(), {.scores = Scores::probability}, e);
      ADD_FAILURE() << words;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  fails([](Arrays& a) { a.span_scores.resize(2); }, "expected 2 x 2 span scores, found 1 x 2");
  fails([](Arrays& a) { a.pair_scores.push_back(0); }, "expected 1 x 1 pair scores, found 2 x 1");
  fails([](Arrays& a) { a.spans[1] = {3, 3}; }, "span 1 goes from 3 to 3");
  fails([](Arrays& a) { a.pairs[0].tail = 2; }, "there are 2");
  fails([](Arrays& a) { a.span_scores[0] = 1.5f; }, "is no probability");
  EXPECT_THROW(Schema::parse("{\"entities\": 3}"), Error);
  EXPECT_THROW(Schema::load("/nonexistent/schema.json"), Error);
}

}  // namespace
}  // namespace entente::extract
