#include "schema/converters.h"

#include <gtest/gtest.h>

#include <string>

#include "schema/test_kit.h"

namespace entente::schema {
namespace {

const char* const kSchema = R"({"scale": "probability", "entities": ["Person", "Place"],
  "relations": {"in": {"head": "Person", "tail": "Place"}}})";
const char* const kText = "Zoë lives in Köln.";
const char* const kAnn =
    "T1\tPerson 0 3\tZoë\nT2\tPlace 13 17\tKöln\nR1\tin Arg1:T1 Arg2:T2\n"
    "#1\tAnnotatorNotes T1\t0.8\n#2\tAnnotatorNotes T2\tsee the map\nA1\tNegation R1\n";

struct Read {
  Schema schema = read_schema(kSchema, "s.json");
  Candidates c;
  Extraction e;

  void extract() { Extractor(schema).run(c, {}, e); }
  void brat(const std::string& ann) {
    CandidateReader reader(schema, std::nullopt);
    read_brat(ann, kText, "a/b.ann", schema, 0.9, reader);
    reader.finish(c);
  }
  void spert(const std::string& object) {
    CandidateReader reader(schema, std::nullopt);
    read_spert(object, "p.json", 3, schema, 0.9, reader);
    reader.finish(c);
  }
};

template <typename Body>
std::string error_of(Body body) {
  try {
    body();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Converters, BratInAndOut) {
  Read r;
  r.brat(kAnn);
  ASSERT_EQ(r.c.spans.size(), 2u);
  EXPECT_EQ(r.c.sentences[0].id, "b");
  EXPECT_EQ(r.c.spans[1].text, "Köln");
  EXPECT_NEAR(r.c.types[0].confidence, 0.8, 1e-12);
  EXPECT_NEAR(r.c.types[1].confidence, 0.9, 1e-12);  // its note is no number
  r.extract();
  const std::string out = write_brat(r.schema, r.c, r.e);
  EXPECT_EQ(out,
            "T1\tPerson 0 3\tZoë\nT2\tPlace 13 17\tKöln\nR1\tin Arg1:T1 Arg2:T2\n"
            "#1\tAnnotatorNotes T1\t0.8\n#2\tAnnotatorNotes T2\t0.9\n#3\tAnnotatorNotes R1\t0.9\n");
  Read again;
  again.brat(out);
  again.extract();
  EXPECT_EQ(write_brat(again.schema, again.c, again.e), out);
}

TEST(Converters, BratInPiecesIsReadFromFirstToLast) {
  Read r;
  r.brat("T1\tPerson 0 3;4 9\tZoë lives\n");
  EXPECT_EQ(r.c.spans[0].end, 9);
}

TEST(Converters, BadBratIsToldByItsPlace) {
  for (const auto& [ann, message] : std::vector<std::pair<std::string, std::string>>{
           {"T1\tPerson 0 3\tZoë\nT2\tPlac 13 17\tKöln\n",
            "a/b.ann:2:4: the schema has no entity type \"Plac\""},
           {"T1\tPerson x 3\tZoë\n", "a/b.ann:1:11: expected two offsets, found \"x 3\""},
           {"T1\tPerson 0 99\tZoë\n",
            "a/b.ann:1:11: this span ends at character 99 of a text of 18"},
           {"R1\tin Arg1:T1 Arg2:T2\n", "a/b.ann:1:7: no line defines \"T1\""},
           {"R1\tin Arg1 Arg2:T2\n",
            "a/b.ann:1:7: expected an argument such as Arg1:T1, found \"Arg1\""},
           {"T1\tPerson 0 3\tKöln\n",
            "a/b.ann:1:11: at characters 0 to 3 the text has \"Zoë\", not \"Köln\""},
           {"T1\n", "a/b.ann:1:1: expected an id, a tab, a type and offsets"}}) {
    EXPECT_EQ(error_of([&text = ann] { Read().brat(text); }), message);
  }
}

TEST(Converters, SpertInAndOut) {
  const std::string object =
      R"({"orig_id": "7", "tokens": ["Zoë", "lives", "in", "Köln", "."], "entities": [{"type": "Person", "start": 0, "end": 1, "score": 0.8}, {"type": "Place", "start": 3, "end": 4, "score": 0.7}], "relations": [{"type": "in", "head": 0, "tail": 1, "score": 0.9}]})";
  Read r;
  r.spert(object);
  EXPECT_EQ(r.c.sentences[0].text, "Zoë lives in Köln .");
  EXPECT_EQ(r.c.spans[1].text, "Köln");
  r.extract();
  EXPECT_EQ(write_spert(r.schema, r.c, r.e), object);
}

TEST(Converters, BadSpertIsToldByItsPlace) {
  EXPECT_EQ(error_of([] { Read().spert("{}"); }), "p.json:3:1: expected \"tokens\" here");
  EXPECT_EQ(error_of([] {
              Read().spert(
                  R"({"tokens": ["a"], "entities": [{"type": "Person", "start": 0, "end": 2}]})");
            }),
            "p.json:3:70: expected the token after the entity's last");
  EXPECT_EQ(
      error_of([] {
        Read().spert(R"({"tokens": ["a"], "relations": [{"type": "in", "head": 0, "tail": 0}]})");
      }),
      "p.json:3:56: there is no entity 0");
}

TEST(Converters, FromBratToSpertTokensFollowTheSpans) {
  Read r;
  r.brat(kAnn);
  r.extract();
  EXPECT_EQ(
      write_spert(r.schema, r.c, r.e),
      R"({"orig_id": "b", "tokens": ["Zoë", "lives", "in", "Köln", "."], "entities": [{"type": "Person", "start": 0, "end": 1, "score": 0.8}, {"type": "Place", "start": 3, "end": 4, "score": 0.9}], "relations": [{"type": "in", "head": 0, "tail": 1, "score": 0.9}]})");
}

}  // namespace
}  // namespace entente::schema
