// Pictures, drawings and the words of the progress line.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/drawing.h"
#include "cli/plot.h"
#include "cli/progress.h"

namespace entente::cli {
namespace {

std::vector<TraceRow> some_trace(int rows) {
  std::vector<TraceRow> out;
  for (int i = 0; i < rows; ++i) {
    TraceRow r;
    r.iteration = i;
    r.primal = i < 3 ? -kInfinity : 1 - 1.0 / i;
    r.dual = 1 + 1.0 / (i + 1);
    r.primal_residual = i % 5 == 4 ? 0 : std::pow(10.0, -0.01 * i);
    r.dual_residual = 1e-3;
    out.push_back(r);
  }
  return out;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Plot, DrawsFourLinesAndNoNonsense) {
  const std::string svg = plot_trace(some_trace(300), "a <b> & c");
  EXPECT_EQ(count(svg, "<path class=\"line"), 8u);  // four in the legends
  EXPECT_NE(svg.find("a &lt;b&gt; &amp; c"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(Plot, LongTracesAreThinned) { EXPECT_LT(plot_trace(some_trace(200000), "t").size(), 200000u); }

TEST(Plot, TakesEmptyAndSingleRows) {
  EXPECT_NE(plot_trace({}, "t").find("No iterations"), std::string::npos);
  const std::string one = plot_trace(some_trace(1), "t");
  EXPECT_EQ(one.find("nan"), std::string::npos);
  EXPECT_NE(one.find("h4\"/>"), std::string::npos);
}

TEST(Drawing, BracketsStandUnderTheirWords) {
  const std::vector<std::string> words = {"Ann", "saw", "the", "dog", "."};
  EXPECT_EQ(draw_text(words, {{"Seer", {0, 1}}, {"Seen", {2, 4}}}, 80),
            "  Ann saw the dog .\n"
            "  └─┘     └─────┘\n"
            "  Seer    Seen\n");
}

TEST(Drawing, LongRolesAndLongLinesFindRoom) {
  const std::vector<std::string> words = {"I", "am", "here"};
  EXPECT_EQ(draw_text(words, {{"Speaker", {0, 1}}, {"Place", {2, 3}}}, 80),
            "  I am here\n"
            "  ╵    └──┘\n"
            "  Speaker\n"
            "       Place\n");
  EXPECT_EQ(draw_text(words, {{"All", {0, 3}}}, 5),
            "  I am\n"
            "  └──┘\n"
            "  All\n"
            "  here\n"
            "  └──┘\n"
            "  All\n");
}

TEST(Drawing, PictureHasABracketAFiller) {
  const std::string svg = draw_svg({"Ann", "saw", "Bo"}, {{"Seer", {0, 1}}, {"Seen", {2, 3}}}, "t");
  EXPECT_EQ(count(svg, "class=\"line first\""), 2u);
  EXPECT_NE(svg.find(">Seer<"), std::string::npos);
}

TEST(Progress, SaysRateAndTimeLeft) {
  EXPECT_EQ(progress_text({0, -1}, 12), "searching, 12 s");
  EXPECT_EQ(progress_text({3000, 0.25}, 10), "3,000 problems, 300 a second, 25%, about 30 s left");
  EXPECT_EQ(progress_text({3000, -1}, 10), "3,000 problems, 300 a second");
}

}  // namespace
}  // namespace entente::cli
