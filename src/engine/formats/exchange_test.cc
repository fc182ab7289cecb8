// LP, UAI and wcsp: what is written means the same to whoever reads it.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/factors/factor.h"
#include "entente/error.h"
#include "entente/formats.h"
#include "kit/enumerate.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

Graph read(std::string_view text, Format format) {
  Graph g;
  read_graph(text, format, "p", g);
  return g;
}

std::string complaint(std::string_view text, Format format) {
  try {
    read(text, format);
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

// The best value of a graph of rows, by depth-first search: rows tell early that nothing can
// follow.
class RowSearch {
 public:
  explicit RowSearch(const Graph& g) : g_(g), rows_of_(g.variable_count()) {
    for (int f = 0; f < g.factor_count(); ++f) add_row(g.factor(f));
  }
  double best() {
    for (const Row& row : rows_) {
      if (row.least > row.upper || row.most < row.lower) return -kInfinity;
    }
    descend(0, 0);
    return best_;
  }

 private:
  struct Row {
    double lower, upper, least, most;
  };
  void add_row(const FactorView& f) {
    ASSERT_TRUE(f.hard());
    Row row{-kInfinity, kInfinity, 0, 0};
    const auto n = static_cast<double>(f.links.size());
    std::vector<Literal> links(f.links.begin(), f.links.end());
    switch (f.shape) {
      case Shape::exactly_one:
        row.lower = row.upper = 1;
        break;
      case Shape::at_most_one:
        row.upper = 1;
        break;
      case Shape::at_least_one:
        row.lower = 1;
        break;
      case Shape::equal:
        row.lower = row.upper = 1;
        links[1] = !links[1];
        break;
      case Shape::count:
        row.lower = f.lower;
        row.upper = std::min(f.upper, n);
        break;
      case Shape::linear:
        row.lower = f.lower - 1e-9 * (1 + std::abs(f.lower));
        row.upper = f.upper + 1e-9 * (1 + std::abs(f.upper));
        break;
      default:
        FAIL() << "not a row";
    }
    for (std::size_t l = 0; l < links.size(); ++l) {
      const double c = f.shape == Shape::linear ? f.values[l] : 1;
      const double at0 = links[l].negated() ? c : 0, at1 = links[l].negated() ? 0 : c;
      row.least += std::min(at0, at1);
      row.most += std::max(at0, at1);
      rows_of_[links[l].var()].push_back({static_cast<int>(rows_.size()), at0, at1});
    }
    rows_.push_back(row);
  }
  void descend(int v, double value) {
    if (v == g_.variable_count()) {
      best_ = std::max(best_, value);
      return;
    }
    for (int bit : {0, 1}) {
      if (!g_.fixed().empty() && g_.fixed()[v] == 1 - bit) continue;
      bool possible = true;
      for (const auto& use : rows_of_[v]) {
        Row& row = rows_[use.row];
        const double x = bit ? use.at1 : use.at0;
        row.least += x - std::min(use.at0, use.at1);
        row.most += x - std::max(use.at0, use.at1);
        possible = possible && row.least <= row.upper + 1e-12 && row.most >= row.lower - 1e-12;
      }
      if (possible) descend(v + 1, value + (bit ? g_.score(Var{v}) : 0));
      for (const auto& use : rows_of_[v]) {
        Row& row = rows_[use.row];
        const double x = bit ? use.at1 : use.at0;
        row.least -= x - std::min(use.at0, use.at1);
        row.most -= x - std::max(use.at0, use.at1);
      }
    }
  }
  struct Use {
    int row;
    double at0, at1;
  };
  const Graph& g_;
  std::vector<Row> rows_;
  std::vector<std::vector<Use>> rows_of_;
  double best_ = -kInfinity;
};

TEST(Lp, RoundTripKeepsTheOptimum) {
  Random r(21);
  int feasible = 0;
  for (int i = 0; i < 400; ++i) {
    const Graph g = kit::random_graph(r, {.max_variables = 6, .max_factors = 3});
    const std::string text = write_graph(g, Format::lp);
    const Graph back = read(text, Format::lp);
    ASSERT_GE(back.variable_count(), g.variable_count());
    for (int v = 0; v < g.variable_count(); ++v)
      EXPECT_EQ(back.variable_name(Var{v}), g.variable_name(Var{v}));
    const double best = kit::best_value(g);
    feasible += best != -kInfinity;
    const double found = RowSearch(back).best();
    if (best == -kInfinity) {
      EXPECT_EQ(found, best) << text;
    } else {
      EXPECT_NEAR(found, best, 1e-9) << text << write_graph(g, Format::json);
    }
  }
  EXPECT_GT(feasible, 100);
}

TEST(Lp, NamesAndRulesComeBack) {
  Graph g;
  const std::string states[] = {"null", "3 é", "~end"};
  const double scores[] = {1, 2, 3};
  const Group role = g.add_group(scores, "role", states);
  const Var end = g.add_variable(0, "end"), number = g.add_variable(-1.5, "12"),
            e = g.add_variable(0, "e5");
  g.add_not_both(role[0], end, g.rule("a b#7"));
  g.add_implies(end, number, g.rule("a b#7"));
  g.add_equal(e, !number);
  g.fix(e, false);
  const Graph back = read(write_graph(g, Format::lp), Format::lp);
  ASSERT_EQ(back.variable_count(), g.variable_count());
  for (int v = 0; v < g.variable_count(); ++v) {
    EXPECT_EQ(back.variable_name(Var{v}), g.variable_name(Var{v}));
    EXPECT_EQ(back.score(Var{v}), g.score(Var{v}));
  }
  EXPECT_EQ(back.fixed()[e.index], 0);
  ASSERT_EQ(back.factor_count(), 4);
  EXPECT_EQ(back.factor_name(1), "a b#7");
  EXPECT_EQ(back.factor_name(2), "a b#7");
  EXPECT_EQ(back.rule_count(), 1);
}

TEST(Lp, RecognisesKinds) {
  const Graph g = read(
      "MAXIMIZE\n obj: x + y + z\nsubject to\n"
      " x + y + z = 1\n x + y + z <= 1\n x + y + z >= 1\n x + y <= 1\n x - y <= 0\n x - y >= 0\n x "
      "- y = 0\n"
      " x + y - z = 0\n x + y + z <= 2\n x + y + z >= 2\n 2 x + y <= 2\n 1 <= x + y + z <= 2\n x + "
      "1 + x <= 3\n"
      "binary\nx y z\nend",
      Format::lp);
  const Kind expected[] = {
      Kind::exactly_one, Kind::at_most_one, Kind::at_least_one, Kind::not_both,     Kind::implies,
      Kind::implies,     Kind::equal,       Kind::exactly_one,  Kind::at_least_one, Kind::count,
      Kind::linear,      Kind::count,       Kind::linear};
  ASSERT_EQ(g.factor_count(), static_cast<int>(std::size(expected)));
  for (int f = 0; f < g.factor_count(); ++f) EXPECT_EQ(g.factor(f).kind, expected[f]) << f;
  EXPECT_EQ(g.factor(4).links[0], !Var{0});  // x -> y
  EXPECT_EQ(g.factor(5).links[0], !Var{1});  // y -> x
  EXPECT_EQ(g.factor(7).links[2], !Var{2});
  EXPECT_EQ(g.factor(8).links[0], !Var{0});
  EXPECT_EQ(g.factor(12).values[0], 2);
  EXPECT_EQ(g.factor(12).upper, 2);
}

TEST(Lp, MinimisingNegatesScoresAndKeepsTheConstant) {
  const Graph g = read(
      "min\n 2 x - 3 y + 5\nst\n c12: x + y >= 1\nbounds\n x <= 0\nbin\n x y\nend\n", Format::lp);
  ASSERT_EQ(g.variable_count(), 3);
  EXPECT_EQ(g.score(Var{0}), -2);
  EXPECT_EQ(g.score(Var{1}), 3);
  EXPECT_EQ(g.score(Var{2}), -5);
  EXPECT_EQ(g.variable_name(Var{2}), "constant");
  EXPECT_EQ(g.fixed()[0], 0);
  EXPECT_EQ(g.fixed()[2], 1);
  EXPECT_EQ(g.factor_name(0), "c12");
}

TEST(Lp, ComplaintsNameThePlace) {
  const struct {
    std::string text, message;
  } cases[] = {
      {"", "1:1: expected \"Maximize\" or \"Minimize\""},
      {"Maximize\n x\n", "3:1: expected \"End\""},
      {"Maximize\n x + \nst\n", "3:1: expected a number or a variable, found \"s\""},
      {"Maximize\n x\nst\n x + y 3\n", "4:8: expected <=, >= or =, found \"3\""},
      {"Maximize\n x\nst\n x + y <= z\n", "4:11: expected a number: variables stand on the left"},
      {"Maximize\n x\nst\n x + y <= \n", "5:1: expected a number, found the end of the text"},
      {"Maximize\n obj: x + [ x ^ 2 ]\nst\nend\n", "2:11: quadratic terms are not supported"},
      {"Maximize\n obj: 2 x * y\nst\nend\n", "2:11: quadratic terms are not supported"},
      {"Maximize\n x\nst\n b: x = 1 -> y <= 0\nend\n", "4:11: indicator rows are not supported"},
      {"Maximize\n x\nend\n",
       "2:2: the variable \"x\" is continuous: only 0/1 variables (under \"Binary\") are "
       "supported"},
      {"Maximize\n x\ngeneral\n x\nend\n", "2:2: the variable \"x\" has other values than 0 and 1"},
      {"Maximize\n x\nbounds\n x free\nend\n", "4:2: the variable is free, but must be 0 or 1"},
      {"Maximize\n x\nbounds\n x >= 2\nbinary\n x\nend\n",
       "2:2: the bounds of the variable \"x\" leave no value"},
      {"Maximize\n x\nbinary\n x\nSOS\n s: x\nend\n",
       "5:1: the section \"SOS\" is not supported: every variable must be 0 or 1 and every row "
       "linear"},
      {"Maximize\n x\nbinary\n x\nsemi-continuous\n s\nend\n",
       "5:1: the section \"semi\" is not supported: every variable must be 0 or 1 and every row "
       "linear"},
      {"Maximize\n 1e999 x\nend\n", "2:2: this is no number a double can hold"},
      {"Maximize\n x\nbinary\n x\nend\nmore", "6:1: expected nothing after \"End\""},
      {"Maximize\n x\nMinimize\n y\nend\n", "3:1: a second objective"},
  };
  for (const auto& c : cases) EXPECT_EQ(complaint(c.text, Format::lp), "p:" + c.message) << c.text;
}

// The assignment of a graph whose free variables have become groups of two.
bool spread(const Graph& g, std::span<const std::uint8_t> z, std::vector<std::uint8_t>& out) {
  out.clear();
  std::size_t next = 0;
  for (int v = 0; v < g.variable_count();) {
    if (next < g.groups().size() && g.groups()[next].first == v) {
      const Group group = g.groups()[next++];
      int ones = 0;
      for (int s = 0; s < group.size; ++s, ++v) {
        out.push_back(z[v]);
        ones += z[v];
      }
      if (ones != 1) return false;
    } else {
      out.push_back(!z[v]);
      out.push_back(z[v++]);
    }
  }
  return true;
}

// Every assignment is worth the same in both graphs, up to a constant (returned).
void expect_same_up_to_constant(const Graph& g, const Graph& back, double tolerance,
                                bool constant_allowed) {
  const int n = g.variable_count();
  std::vector<std::uint8_t> z(n), wide;
  double constant = 0;
  bool known = !constant_allowed;
  for (std::uint32_t bits = 0; bits < (1u << n); ++bits) {
    for (int v = 0; v < n; ++v) z[v] = (bits >> v) & 1;
    if (!spread(g, z, wide)) continue;
    ASSERT_EQ(static_cast<int>(wide.size()), back.variable_count());
    const double a = g.evaluate(z), b = back.evaluate(wide);
    ASSERT_EQ(a == -kInfinity, b == -kInfinity) << a << " " << b;
    if (a == -kInfinity) continue;
    if (!known) constant = b - a;
    known = true;
    ASSERT_NEAR(b - a, constant, tolerance);
  }
}

TEST(Uai, RoundTripKeepsValuesUpToAConstant) {
  Random r(31);
  for (int i = 0; i < 300; ++i) {
    const Graph g = kit::random_graph(r, {.max_variables = 8, .max_factors = 5});
    const Graph back = read(write_graph(g, Format::uai), Format::uai);
    expect_same_up_to_constant(g, back, 1e-9, true);
    if (HasFatalFailure()) FAIL() << write_graph(g, Format::json) << write_graph(g, Format::uai);
  }
}

TEST(Wcsp, RoundTripKeepsValuesUpToRounding) {
  Random r(41);
  for (int i = 0; i < 300; ++i) {
    const Graph g =
        kit::random_graph(r, {.max_variables = 8, .max_factors = 5, .integer_scores = i % 2 == 0});
    const Graph back = read(write_graph(g, Format::wcsp), Format::wcsp);
    expect_same_up_to_constant(g, back, 2e-5, false);
    if (HasFatalFailure()) FAIL() << write_graph(g, Format::json) << write_graph(g, Format::wcsp);
  }
}

TEST(Uai, ReadsPotentialsAsLogarithms) {
  const Graph g =
      read("MARKOV\n3\n2 1 2\n4\n1 0\n1 1\n2 0 2\n0\n2\n 0.5 0\n1\n 2\n4\n 1 2 3 0\n1\n 4\n",
           Format::uai);
  ASSERT_EQ(g.variable_count(), 5);
  const std::uint8_t z[] = {1, 0, 1, 0, 1};
  EXPECT_NEAR(g.evaluate(z), std::log(0.5 * 2 * 2 * 4), 1e-12);
  const std::uint8_t no[] = {0, 1, 1, 0, 1};
  EXPECT_EQ(g.evaluate(no), -kInfinity);
}

TEST(Uai, WhatPotentialsCannotSayIsRefused) {
  Graph g;
  g.add_group({0.0, 1000.0});
  EXPECT_THROW(write_graph(g, Format::uai), Error);
  Graph wide;
  std::vector<Literal> all;
  for (int i = 0; i < 30; ++i) all.push_back(wide.add_variable(0));
  wide.add_at_least_one(all);
  EXPECT_THROW(write_graph(wide, Format::uai), Error);
  // A clause is one tuple, however long.
  EXPECT_LT(write_graph(wide, Format::wcsp).size(), 1000u);
  wide.add_exactly_one(all);
  EXPECT_THROW(write_graph(wide, Format::wcsp), Error);
}

TEST(Uai, ComplaintsNameThePlace) {
  const struct {
    std::string text, message;
  } cases[] = {
      {"", "1:1: expected \"MARKOV\", found the end of the text"},
      {"BAYES\n", "1:1: expected \"MARKOV\", found \"BAYES\""},
      {"MARKOV\nx", "2:1: expected the number of variables, found \"x\""},
      {"MARKOV\n1000000000\n", "2:1: the number of variables must be between 0 and 18"},
      {"MARKOV\n1\n0\n0\n", "3:1: the size of a domain must be between 1 and 2147483647"},
      {"MARKOV\n1\n1000000000\n0\n", "3:1: the domains are too large for a text of this size"},
      {"MARKOV\n1\n2\n1\n2 0 0\n4 1 1 1 1\n",
       "5:1: the number of variables of a function must be between 0 and 1"},
      {"MARKOV\n2\n2 2\n1\n2 0 0\n", "5:5: this variable occurs twice in one function"},
      {"MARKOV\n2\n2 2\n1\n2 0 2\n", "5:5: a variable must be between 0 and 1"},
      {"MARKOV\n1\n2\n1\n1 0\n3\n1 1 1", "6:1: this table has 2 entries by its variables' domains"},
      {"MARKOV\n1\n2\n1\n1 0\n2\n1 -1", "7:3: a potential must be 0 or more"},
      {"MARKOV\n1\n2\n1\n1 0\n2\n1 nan", "7:3: expected a potential, found \"nan\""},
      {"MARKOV\n1\n2\n1\n1 0\n2\n1", "7:1: expected 2 entries, the text is too short"},
      {"MARKOV\n1\n2\n1\n1 0\n2\n1 1 1", "7:5: expected nothing after the last table"},
  };
  for (const auto& c : cases) EXPECT_EQ(complaint(c.text, Format::uai), "p:" + c.message) << c.text;
}

TEST(Wcsp, ReadsCosts) {
  const Graph g =
      read("example 2 2 3 10\n2 2\n2 0 1 0 1\n1 1 10\n1 0 3 1\n1 4\n0 2 0\n", Format::wcsp);
  const std::uint8_t a[] = {1, 0, 0, 1}, b[] = {0, 1, 1, 0}, c[] = {0, 1, 0, 1};
  EXPECT_EQ(g.evaluate(a), -5);
  EXPECT_EQ(g.evaluate(b), -6);
  EXPECT_EQ(g.evaluate(c), -kInfinity);
}

TEST(Wcsp, LargeSparseFunctionsBecomeClauses) {
  std::string text = "big 12 20 1 100\n";
  for (int v = 0; v < 12; ++v) text += "20 ";
  text +=
      "\n12 0 1 2 3 4 5 6 7 8 9 10 11 0 2\n0 0 0 0 0 0 0 0 0 0 0 0 7\n1 1 1 1 1 1 1 1 1 1 1 1 "
      "100\n";
  const Graph g = read(text, Format::wcsp);
  EXPECT_EQ(g.factor_count(), 14);
  EXPECT_EQ(g.factor(12).cost, 7);
  EXPECT_TRUE(g.factor(13).hard());
  const std::string written = write_graph(g, Format::wcsp);
  EXPECT_EQ(write_graph(read(written, Format::wcsp), Format::wcsp), written);
}

TEST(Wcsp, ComplaintsNameThePlace) {
  const struct {
    std::string text, message;
  } cases[] = {
      {"", "1:1: expected the problem's name, found the end of the text"},
      {"p", "1:2: expected the number of variables, found the end of the text"},
      {"p 1 2 1 x", "1:9: expected the upper bound, found \"x\""},
      {"p 1 2 0 9\n3", "2:1: this domain is larger than the largest declared, 2"},
      {"p 1 2 1 9\n2\n-1 0",
       "3:1: shared and global cost functions (negative arity) are not supported"},
      {"p 1 2 1 9\n2\n1 0 -1 salldiff var 3",
       "3:5: global cost functions (a negative default cost) are not supported"},
      {"p 1 2 1 9\n2\n2 0 0 0 0",
       "3:1: the arity of a function must be between -9223372036854775808 and 1"},
      {"p 1 2 1 9\n2\n1 1 0 0", "3:3: a variable must be between 0 and 0"},
      {"p 1 2 1 9\n2\n1 0 0 1\n2 5", "4:1: a value must be between 0 and 1"},
      {"p 1 2 1 9\n2\n1 0 0 1\n1 -5", "4:3: a cost must be between 0 and 9223372036854775807"},
      {"p 1 2 1 9\n2\n1 0 0 2\n1 5\n1 6", "5:1: this tuple occurs twice"},
      {"p 1 2 1 9\n2\n1 0 0 0\n7", "4:1: expected nothing after the last function"},
      {"p 0 0 1 9\n1 0 0 0\n",
       "2:1: the arity of a function must be between -9223372036854775808 and 0"},
      {"p 9 99 1 9\n99 99 99 99 99 99 99 99 99\n9 0 1 2 3 4 5 6 7 8 1 0",
       "3:1: the tables are too large for a text of this size"},
  };
  for (const auto& c : cases)
    EXPECT_EQ(complaint(c.text, Format::wcsp), "p:" + c.message) << c.text;
}

TEST(Formats, AreKnownByTheEndingOfAFile) {
  EXPECT_EQ(format_from_path("a/b.json"), Format::json);
  EXPECT_EQ(format_from_path("b.jsonl"), Format::json);
  EXPECT_EQ(format_from_path("b.lp"), Format::lp);
  EXPECT_EQ(format_from_path("b.uai"), Format::uai);
  EXPECT_EQ(format_from_path("b.wcsp"), Format::wcsp);
  EXPECT_FALSE(format_from_path("json"));
  EXPECT_THROW(read_graph_file("nowhere.json"), Error);
  EXPECT_THROW(read_graph_file("x.txt"), Error);
  EXPECT_EQ(read_graph_file(std::string(ENTENTE_SOURCE_DIR) + "/fuzz/seeds/uai/small.uai")
                .groups()
                .size(),
            3u);
}

}  // namespace
}  // namespace entente
