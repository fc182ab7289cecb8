#include "tasks/constituency/round_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "corpus/picture.h"

namespace entente::constituency {

namespace {

constexpr double kWide = 560, kHigh = 240, kLeft = 60, kTop = 36;

struct Axis {
  double low, high;
  double at(double value, double from, double to) const {
    return high > low ? from + (value - low) / (high - low) * (to - from) : from;
  }
};

void label(std::string& out, double x, double y, const char* anchor, const std::string& text) {
  out += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" text-anchor=\"{}\" fill=\"currentColor\">{}"
      "</text>\n",
      x, y, anchor, text);
}

void frame(std::string& out, double top, const Axis& x, const Axis& y, const std::string& title) {
  out += fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"currentColor\" "
      "stroke-opacity=\"0.4\"/>\n",
      kLeft, top, kWide, kHigh);
  label(out, kLeft, top - 8, "start", title);
  label(out, kLeft - 6, top + kHigh, "end", fmt::format("{:.3g}", y.low));
  label(out, kLeft - 6, top + 10, "end", fmt::format("{:.3g}", y.high));
  label(out, kLeft, top + kHigh + 16, "middle", fmt::format("{:.0f}", x.low));
  label(out, kLeft + kWide, top + kHigh + 16, "middle", fmt::format("{:.0f}", x.high));
}

void curve(std::string& out, double top, const Axis& x, const Axis& y,
           const std::vector<double>& values, const char* colour) {
  out +=
      fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" points=\"", colour);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) continue;
    out += fmt::format("{:.1f},{:.1f} ", x.at(static_cast<double>(k + 1), kLeft, kLeft + kWide),
                       y.at(std::clamp(values[k], y.low, y.high), top + kHigh, top));
  }
  out += "\"/>\n";
}

}  // namespace

void RoundPlot::add(int problem, const AgreementRound& round) {
  Run& run = runs_[problem];
  run.dual.push_back(round.best_dual);
  run.primal.push_back(round.best_primal);
  run.agreed |= round.disagreements == 0;
}

void RoundPlot::add_cost(int words, double seconds) {
  Cost& cost = costs_[std::min(words, 100) / 5];
  cost.seconds += seconds;
  ++cost.sentences;
}

std::string RoundPlot::costs(double top) const {
  std::string out;
  Axis x{1, 1}, y{0, 0};
  for (const auto& [five, cost] : costs_) {
    x.high = std::max(x.high, 5.0 * five + 2);
    y.high = std::max(y.high, 1e3 * cost.seconds / cost.sentences);
  }
  frame(out, top, x, y, "milliseconds a sentence, by its words (means over fives)");
  out += "<polyline fill=\"none\" stroke=\"#7d3c98\" stroke-width=\"1.6\" points=\"";
  for (const auto& [five, cost] : costs_) {
    out += fmt::format("{:.1f},{:.1f} ", x.at(5.0 * five + 2, kLeft, kLeft + kWide),
                       y.at(1e3 * cost.seconds / cost.sentences, top + kHigh, top));
  }
  return out + "\"/>\n";
}

// The longest run's bounds, and over all runs the share that is not done yet.
std::string RoundPlot::svg() const {
  const Run* longest = nullptr;
  std::size_t rounds = 1;
  for (const auto& [problem, run] : runs_) {
    if (longest == nullptr || run.dual.size() > longest->dual.size()) longest = &run;
    rounds = std::max(rounds, run.dual.size());
  }
  Picture picture;
  picture.width = kLeft + kWide + 30;
  picture.height = 2 * (kHigh + kTop + 30);
  if (longest != nullptr) {
    const Axis x{1, static_cast<double>(rounds)};
    Axis y{longest->dual.back(), longest->dual.front()};
    for (const double p : longest->primal) {
      if (std::isfinite(p)) y.low = std::min(y.low, p);
    }
    frame(picture.body, kTop, x, y,
          "best dual (above) and best primal of the longest run, by round");
    curve(picture.body, kTop, x, y, longest->dual, "#c0392b");
    curve(picture.body, kTop, x, y, longest->primal, "#2471a3");
    std::vector<double> open(rounds, 0.0);
    for (const auto& [problem, run] : runs_) {
      const std::size_t until = run.agreed ? run.dual.size() - 1 : rounds;
      for (std::size_t k = 0; k < until; ++k) open[k] += 100.0 / static_cast<double>(runs_.size());
    }
    const double top = 2 * kTop + kHigh + 20;
    const Axis share{0, std::max(open[0], 1e-9)};
    frame(picture.body, top, x, share, "problems whose models do not agree yet, in percent");
    curve(picture.body, top, x, share, open, "#1e8449");
  }
  if (!costs_.empty()) {
    picture.body += costs(3 * kTop + 2 * (kHigh + 20));
    picture.height += kHigh + kTop + 30;
  }
  return svg_of(std::vector<Picture>{picture});
}

}  // namespace entente::constituency
