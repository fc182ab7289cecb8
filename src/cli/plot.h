// The trace of a solver as an SVG picture: value and bound against iteration, and below them the
// residuals on a logarithmic axis.
//
//   write_whole_file("t.svg", plot_trace(solution.trace, "p.lp, ad3"));
//
// No scripts; follows the reader's light or dark setting. Long traces are thinned to the picture's
// width.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "entente/solution.h"

namespace entente::cli {

std::string plot_trace(std::span<const TraceRow> trace, std::string_view title);

}  // namespace entente::cli
