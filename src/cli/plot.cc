#include "cli/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "cli/svg.h"

namespace entente::cli {

namespace {

constexpr double kWidth = 760, kLeft = 76, kRight = 20;
constexpr double kValueTop = 56, kValueHeight = 240, kResidualTop = 356, kResidualHeight = 150;
constexpr double kHeight = kResidualTop + kResidualHeight + 50;

struct Axis {
  double lo, hi;    // in data, already as logarithms on a logarithmic axis
  double from, to;  // in the picture
  double at(double value) const { return from + (value - lo) / (hi - lo) * (to - from); }
};

// Round steps of 1, 2 or 5 times a power of ten, about `count` of them.
std::vector<double> ticks(double lo, double hi, int count) {
  const double rough = (hi - lo) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> out;
  for (double i = std::ceil(lo / step - 1e-9); i * step <= hi + 1e-9 * step; ++i)
    out.push_back(i * step);
  return out;
}

std::vector<double> log_ticks(double lo, double hi) {
  std::vector<double> out;
  const double step = std::max(1.0, std::ceil((hi - lo) / 6));
  for (double e = std::ceil(lo); e <= hi; e += step) out.push_back(e);
  return out;
}

// At most about two points a pixel: of each stretch its first point is kept.
std::vector<PlotPoint> thinned(std::span<const TraceRow> trace,
                               const std::function<double(const TraceRow&)>& y) {
  const std::size_t stride = std::max<std::size_t>(1, trace.size() / 1400);
  std::vector<PlotPoint> out;
  for (std::size_t i = 0; i < trace.size(); i += stride) {
    const TraceRow& row = i + stride < trace.size() ? trace[i] : trace.back();
    const double value = y(row);
    if (std::isfinite(value)) out.push_back({static_cast<double>(row.iteration), value});
  }
  return out;
}

void range_of(const std::vector<PlotLine>& lines, double& lo, double& hi) {
  lo = std::numeric_limits<double>::infinity();
  hi = -lo;
  for (const PlotLine& line : lines) {
    for (const PlotPoint& p : line.points) {
      lo = std::min(lo, p.y);
      hi = std::max(hi, p.y);
    }
  }
  if (!(lo <= hi)) lo = 0, hi = 1;
  const double margin = hi > lo ? 0.06 * (hi - lo) : 0.5;
  lo -= margin;
  hi += margin;
}

void draw_panel(std::string& out, const std::vector<PlotLine>& lines, const Axis& x, const Axis& y,
                bool logarithmic, std::string_view caption) {
  const double bottom = y.from, top = y.to;
  for (double t : logarithmic ? log_ticks(y.lo, y.hi) : ticks(y.lo, y.hi, 5)) {
    const double at = y.at(t);
    out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", x.from, at, x.to);
    out +=
        svg_text(x.from - 8, at + 4, "end", "tick",
                 logarithmic ? fmt::format("1e{:g}", t) : fmt::format("{:.6g}", t == 0 ? 0.0 : t));
  }
  for (double t : ticks(x.lo, x.hi, 8)) {
    if (t != std::floor(t)) continue;
    out += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}v5\"/>", x.at(t), bottom);
    out += svg_text(x.at(t), bottom + 19, "middle", "tick", fmt::format("{:.15g}", t));
  }
  out += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>\n", x.from, top,
                     bottom, x.to);
  out += svg_text(x.from, top - 10, "start", "caption", caption);
  double legend = x.to;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const double width = 7.0 * static_cast<double>(line->name.size()) + 40;
    legend -= width;
    out += fmt::format("<path class=\"line {}\" d=\"M{:.1f} {:.1f}h22\"/>", line->style, legend,
                       top - 14);
    out += svg_text(legend + 28, top - 10, "start", "tick", line->name);
  }
  for (const PlotLine& line : lines) {
    if (line.points.empty()) continue;
    out += fmt::format("\n<path class=\"line {}\" d=\"", line.style);
    char move = 'M';
    for (const PlotPoint& p : line.points) {
      out += fmt::format("{}{:.1f} {:.1f}", move, x.at(p.x), y.at(p.y));
      move = 'L';
    }
    // A single point would be invisible without a length.
    out += line.points.size() == 1 ? "h4\"/>" : "\"/>";
  }
  out += "\n";
}

double log10_or_nothing(double x) {
  return x > 0 ? std::log10(x) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::string plot_trace(std::span<const TraceRow> trace, std::string_view title) {
  std::string out = svg_begin(kWidth, kHeight, title);
  out += svg_text(kLeft, 24, "start", "title", title);
  if (trace.empty()) {
    out += svg_text(kLeft, 60, "start", "caption",
                    "No iterations: the problem was solved without any.");
    return out + "</svg>\n";
  }
  std::vector<PlotLine> values = {
      {"first", "bound", thinned(trace, [](const TraceRow& r) { return r.dual; })},
      {"second", "value", thinned(trace, [](const TraceRow& r) { return r.primal; })}};
  std::vector<PlotLine> residuals = {
      {"third", "primal residual",
       thinned(trace, [](const TraceRow& r) { return log10_or_nothing(r.primal_residual); })},
      {"fourth", "dual residual",
       thinned(trace, [](const TraceRow& r) { return log10_or_nothing(r.dual_residual); })}};
  const double first = static_cast<double>(trace.front().iteration);
  const double last = static_cast<double>(trace.back().iteration);
  const Axis x{first, std::max(last, first + 1), kLeft, kWidth - kRight};
  Axis y{0, 1, kValueTop + kValueHeight, kValueTop};
  range_of(values, y.lo, y.hi);
  draw_panel(out, values, x, y, false, "value and bound");
  y = {0, 1, kResidualTop + kResidualHeight, kResidualTop};
  range_of(residuals, y.lo, y.hi);
  draw_panel(out, residuals, x, y, true, "residuals");
  out += svg_text((kLeft + kWidth - kRight) / 2, kHeight - 10, "middle", "tick", "iteration");
  return out + "</svg>\n";
}

std::string plot_lines(const std::vector<PlotLine>& lines, std::string_view title,
                       std::string_view caption, std::string_view x_name) {
  std::string out = svg_begin(kWidth, kValueTop + kValueHeight + 50, title);
  out += svg_text(kLeft, 24, "start", "title", title);
  double last = 1;
  for (const PlotLine& line : lines) {
    for (const PlotPoint& p : line.points) last = std::max(last, p.x);
  }
  const Axis x{0, last, kLeft, kWidth - kRight};
  Axis y{0, 1, kValueTop + kValueHeight, kValueTop};
  range_of(lines, y.lo, y.hi);
  y.lo = std::min(y.lo, 0.0);
  draw_panel(out, lines, x, y, false, caption);
  out += svg_text((kLeft + kWidth - kRight) / 2, kValueTop + kValueHeight + 40, "middle", "tick",
                  x_name);
  return out + "</svg>\n";
}

}  // namespace entente::cli
