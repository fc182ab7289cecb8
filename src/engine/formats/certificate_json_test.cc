#include <gtest/gtest.h>

#include "entente/error.h"
#include "entente/formats.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

Graph example() {
  Graph g;
  const Var x = g.add_variable(1, "x");
  g.add_at_most_one({Literal(x)}, g.rule("first"));
  const Group role = g.add_group({0.0, 1.0}, "role");
  g.add_not_both(x, role[1]);
  return g;
}

Certificate proof() {
  Certificate c;
  c.assignment = {1, 1, 0};
  c.value = 0.1;
  c.bound = 0.30000000000000004;
  c.leaves.push_back({{Literal(Var{0}), !Var{2}}, {0.5, 1, 2, 3, 4}, 0.1});
  c.leaves.push_back({{}, {}, -kInfinity});
  return c;
}

TEST(CertificateJson, RoundTripsExactly) {
  const Graph g = example();
  const Certificate c = proof();
  const std::string text = write_certificate(g, c);
  // The group's own factor stands first in a file.
  EXPECT_EQ(
      text,
      "{\n  \"value\": 0.1,\n  \"bound\": 0.30000000000000004,\n  \"assignment\": [\"x\", "
      "\"role=0\"],\n"
      "  \"leaves\": [\n"
      "    {\"fixed\": [\"x\", \"!role=1\"], \"bound\": 0.1, \"shares\": [1, 2, 0.5, 3, 4]},\n"
      "    {\"fixed\": [], \"bound\": null, \"shares\": []}\n  ]\n}\n");
  const Certificate back = read_certificate(g, text, "c");
  EXPECT_EQ(back.assignment, c.assignment);
  EXPECT_EQ(back.value, c.value);
  EXPECT_EQ(back.bound, c.bound);
  ASSERT_EQ(back.leaves.size(), 2u);
  EXPECT_EQ(back.leaves[0].fixed, c.leaves[0].fixed);
  EXPECT_EQ(back.leaves[0].shares, c.leaves[0].shares);
  EXPECT_EQ(back.leaves[1].bound, -kInfinity);
  EXPECT_EQ(write_certificate(g, back), text);
}

TEST(CertificateJson, FitsTheGraphReadBackFromItsFile) {
  const Graph g = example();
  Graph file;
  read_graph(write_graph(g, Format::json), Format::json, "p", file);
  const std::string text = write_certificate(g, proof());
  const Certificate back = read_certificate(file, text, "c");
  // Link by link, the same variable of the same kind of factor.
  EXPECT_EQ(back.leaves[0].shares, (std::vector<double>{1, 2, 0.5, 3, 4}));
  EXPECT_EQ(file.factor(0).kind, Kind::exactly_one);
  EXPECT_EQ(write_certificate(file, back), text);
}

TEST(CertificateJson, ComplaintsNameThePlace) {
  const Graph g = example();
  const std::string head = "{\"value\": 1, \"bound\": 1, \"assignment\": null,\n";
  const struct {
    std::string text, message;
  } cases[] = {
      {"[]", "1:1: expected a certificate, found an array"},
      {"{}", "1:1: a certificate needs \"value\""},
      {"{\"vale\": 1}", "1:2: unknown key \"vale\" (did you mean \"value\"?)"},
      {"{\"value\": 1,\n \"value\": 1}", "2:2: the key \"value\" occurs twice"},
      {head + "\"leaves\": 3}", "2:11: expected an array of leaves, found a number"},
      {head + "\"leaves\": [{}]}", "2:12: a leaf needs \"fixed\""},
      {head + "\"leaves\": [{\"fixed\": [\"role=2\"], \"bound\": 1, \"shares\": []}]}",
       "2:23: unknown variable \"role=2\" (did you mean \"role=0\"?)"},
      {head + "\"leaves\": [{\"fixed\": [1], \"bound\": 1, \"shares\": []}]}",
       "2:23: expected a literal: \"name\" or \"!name\", found a number"},
      {head + "\"leaves\": [{\"fixed\": [], \"bound\": 1, \"shares\": [1]}]}",
       "2:48: \"shares\" has 1 entries, 0 or 5 (one a link) are needed"},
      {head + "\"leaves\": [{\"fixed\": [], \"bound\": true, \"shares\": []}]}",
       "2:35: expected a number, null (-infinity) or \"infinity\", found true or false"},
      {head + "\"leaves\": [{\"fixed\": [], \"bound\": 1, \"shares\": [0, 0, null, 0, 0]}]}",
       "2:55: expected a number, found null"},
      {"{\"value\": 1, \"bound\": 1, \"assignment\": [\"x\", \"x\"], \"leaves\": []}",
       "1:46: this variable occurs twice"},
      {"{\"value\": \"1\", \"bound\": 1, \"assignment\": [], \"leaves\": []}",
       "1:11: expected a number, null (-infinity) or \"infinity\", found a string"},
  };
  for (const auto& c : cases) {
    std::string message = "read";
    try {
      read_certificate(g, c.text, "c.json");
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_EQ(message, "c.json:" + c.message) << c.text;
  }
}

}  // namespace
}  // namespace entente
