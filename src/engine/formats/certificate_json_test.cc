#include <gtest/gtest.h>

#include "engine/proof/recorder.h"
#include "entente/error.h"
#include "entente/formats.h"
#include "entente/solve.h"
#include "entente/verify.h"
#include "kit/cases.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

// The group's own factor comes second here and first in a file.
Graph example() {
  Graph g;
  const Var x = g.add_variable(1, "x");
  g.add_at_most_one({Literal(x)}, g.rule("first"));
  const Group role = g.add_group({0.0, 1.0}, "role");
  g.add_not_both(x, role[1], g.rule("soft", 0.5));
  return g;
}

Certificate proof() {
  Certificate c;
  c.assignment = {1, 1, 0};
  c.value = 0.1;
  c.bound = 0.30000000000000004;
  Recorder record(c.proof);
  const int price = record.begin_price();
  record.price_row(2, 0, 0.5);
  record.price_node(2, -0.25);
  record.price_shares(0, std::vector<double>{3});
  record.strike(price, 2 * (3 + 2));
  record.suppose(1);
  record.empty(4);
  record.bound(price);
  c.proof.complete = true;
  return c;
}

TEST(CertificateJson, RoundTripsExactly) {
  const Graph g = example();
  const Certificate c = proof();
  const std::string text = write_certificate(g, c);
  EXPECT_EQ(text,
            "{\n  \"value\": 0.1,\n  \"bound\": 0.30000000000000004,\n  \"complete\": true,\n"
            "  \"assignment\": [\"x\", \"role=0\"],\n  \"choices\": [],\n  \"steps\": [\n"
            "    [\"price\", -1, [[1, 0, 0.5]], [[2, -0.25]], [[0, 3]], []],\n"
            "    [\"strike\", 0, 8],\n    [\"suppose\", 1],\n    [\"empty\", 4],\n"
            "    [\"bound\", 0]\n  ]\n}\n");
  const Certificate back = read_certificate(g, text, "c");
  EXPECT_EQ(back.assignment, c.assignment);
  EXPECT_EQ(back.value, c.value);
  EXPECT_EQ(back.bound, c.bound);
  EXPECT_TRUE(back.proof.complete);
  EXPECT_EQ(back.proof.words, c.proof.words);
  EXPECT_EQ(back.proof.numbers, c.proof.numbers);
  EXPECT_EQ(write_certificate(g, back), text);
}

TEST(CertificateJson, EveryProofComesBackAndFitsTheGraphOfItsFile) {
  Options o;
  o.certificate = true;
  for (int i = 0; i < random_cases(300); ++i) {
    Random r(i);
    const Graph g = kit::random_graph(r, {});
    const Solution s = solve(g, o);
    const std::string text = write_certificate(g, s.certificate);
    const Certificate back = read_certificate(g, text, "c");
    EXPECT_EQ(back.proof.words, s.certificate.proof.words);
    EXPECT_EQ(back.proof.numbers, s.certificate.proof.numbers);
    EXPECT_EQ(write_certificate(g, back), text);
    Graph file;
    read_graph(write_graph(g, Format::json), Format::json, "p", file);
    const Verdict v = verify(file, read_certificate(file, text, "c"));
    ASSERT_TRUE(v.optimal) << i << ": " << v.reason;
  }
}

std::string refused(std::string_view text) {
  try {
    read_certificate(example(), text, "c.json");
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(CertificateJson, SaysWhatIsWrong) {
  auto with = [](std::string_view steps) {
    return "{\"value\": 0, \"bound\": 0, \"complete\": true, \"assignment\": null, \"choices\": "
           "[], "
           "\"steps\": [" +
           std::string(steps) + "]}";
  };
  EXPECT_EQ(refused(with("")), "accepted");
  EXPECT_EQ(refused("{\"value\": 1}"), "c.json:1:1: a certificate needs \"bound\"");
  EXPECT_NE(refused(with("[\"clsoe\", 1]")).find("unknown step \"clsoe\""), std::string::npos);
  EXPECT_NE(refused(with("[\"close\", 100]")).find("no such state"), std::string::npos);
  EXPECT_NE(refused(with("[\"close\", 0.5]")).find("whole number"), std::string::npos);
  EXPECT_NE(refused(with("[\"bound\"]")).find("another number of parts"), std::string::npos);
  EXPECT_NE(refused(with("[\"price\", 9, [], [], [], []]")).find("no such factor"),
            std::string::npos);
}

}  // namespace
}  // namespace entente
