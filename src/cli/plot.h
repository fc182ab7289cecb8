// The trace of a solver as an SVG picture: value and bound against iteration, and below them the
// residuals on a logarithmic axis.
//
//   write_whole_file("t.svg", plot_trace(solution.trace, "p.lp, ad3"));
//
//   plot_lines({{"first", "second order", {{10, 0.4}, {20, 1.1}}}}, "Time", "ms", "words")
//
// No scripts; follows the reader's light or dark setting. Long traces are thinned to the picture's
// width.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entente/solution.h"

namespace entente::cli {

std::string plot_trace(std::span<const TraceRow> trace, std::string_view title);

struct PlotPoint {
  double x, y;
};
struct PlotLine {
  const char* style;  // a class of the style sheet (svg.h): first to fourth
  std::string name;
  std::vector<PlotPoint> points;
};

// One panel; `x_name` stands below it.
std::string plot_lines(const std::vector<PlotLine>& lines, std::string_view title,
                       std::string_view caption, std::string_view x_name);

}  // namespace entente::cli
