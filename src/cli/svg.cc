#include "cli/svg.h"

#include <fmt/format.h>

#include "base/text.h"

namespace entente::cli {

namespace {

// Plain colours first and dark ones over them: viewers that know no media queries still draw it.
constexpr const char* kStyle = R"(<style>
.back{fill:#fff}
text{font:12px system-ui,sans-serif;fill:#1f2328}
.title{font-size:15px;font-weight:600}.caption,.strong{font-weight:600}.tick{fill:#59636e}
path{fill:none}.grid{stroke:#d8dee4}.axis{stroke:#59636e}
.line{stroke-width:1.8;stroke-linejoin:round}
.first{stroke:#0a5fb4}.second{stroke:#b4530a}.third{stroke:#1a7f37}.fourth{stroke:#8250df;stroke-dasharray:5 3}
@media (prefers-color-scheme:dark){
.back{fill:#0d1117}text{fill:#e6edf3}.tick{fill:#9198a1}.grid{stroke:#30363d}.axis{stroke:#9198a1}
.first{stroke:#58a6ff}.second{stroke:#ffa657}.third{stroke:#56d364}.fourth{stroke:#d2a8ff}
}
</style>
)";

}  // namespace

std::string svg_begin(double width, double height, std::string_view title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
      "height=\"{1:g}\" role=\"img\">\n<title>{2}</title>\n{3}<rect class=\"back\" width=\"{0:g}\" "
      "height=\"{1:g}\"/>\n",
      width, height, xml_escaped(title), kStyle);
}

std::string svg_text(double x, double y, std::string_view anchor, std::string_view style,
                     std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>",
                     style, x, y, anchor, xml_escaped(text));
}

}  // namespace entente::cli
