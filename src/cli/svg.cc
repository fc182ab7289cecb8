#include "cli/svg.h"

#include <fmt/format.h>

namespace entente::cli {

namespace {

constexpr const char* kStyle = R"(<style>
svg{--ink:#1f2328;--soft:#59636e;--grid:#d8dee4;--back:#ffffff;--a:#0a5fb4;--b:#b4530a;--c:#1a7f37;--d:#8250df}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9198a1;--grid:#30363d;--back:#0d1117;--a:#58a6ff;--b:#ffa657;--c:#56d364;--d:#d2a8ff}}
.back{fill:var(--back)}
text{font:12px system-ui,sans-serif;fill:var(--ink)}
.title{font-size:15px;font-weight:600}.caption{font-weight:600}.strong{font-weight:600}.tick{fill:var(--soft)}
path{fill:none}.grid{stroke:var(--grid)}.axis{stroke:var(--soft)}
.line{stroke-width:1.8;stroke-linejoin:round}
.first{stroke:var(--a)}.second{stroke:var(--b)}.third{stroke:var(--c)}.fourth{stroke:var(--d);stroke-dasharray:5 3}
</style>
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += ' ';
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string svg_begin(double width, double height, std::string_view title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
      "height=\"{1:g}\" role=\"img\">\n<title>{2}</title>\n{3}<rect class=\"back\" width=\"{0:g}\" "
      "height=\"{1:g}\"/>\n",
      width, height, escaped(title), kStyle);
}

std::string svg_text(double x, double y, std::string_view anchor, std::string_view style,
                     std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>",
                     style, x, y, anchor, escaped(text));
}

}  // namespace entente::cli
