#include "corpus/picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "corpus/utf8.h"

namespace entente {

namespace {

constexpr double kMargin = 16;

// Plain colours first and dark ones over them: viewers that know no media queries still draw it.
constexpr std::string_view kStyle = R"(<style>
.tree-back{fill:#fff}
.tree text{font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif;text-anchor:middle;fill:#1f2328}
.tree .w{font-size:17px}.tree .t{font-size:11.5px;fill:#59636e;letter-spacing:.3px}
.tree .m{font-size:13px;fill:#59636e}
.tree .l{font-size:11.5px;fill:#0a5fb4;stroke:#fff;stroke-width:5px;stroke-linejoin:round;paint-order:stroke}
.tree path{fill:none;stroke:#7d8590;stroke-width:1.4}.tree .h{fill:#7d8590;stroke:none}.tree .b{stroke:#d0d7de}
@media (prefers-color-scheme:dark){
.tree-back{fill:#0d1117}.tree text{fill:#e6edf3}.tree .t,.tree .m{fill:#9198a1}.tree .l{fill:#79c0ff;stroke:#0d1117}
.tree path{stroke:#8b949e}.tree .h{fill:#8b949e}.tree .b{stroke:#3d444d}
}
</style>
)";

// Hundredths of the font's size, of the characters from space to tilde: those of DejaVu Sans, which is
// the widest of the fonts that readers have and the only one on a bare Debian.
constexpr unsigned char kWidths[] = {
    32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69,  62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84};
static_assert(sizeof kWidths == 95);
constexpr double kBold = 1.15;  // its bold letters are wider by so much, on average

}  // namespace

double text_width(std::string_view text, double size, bool bold) {
  double em = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Char c = decode_utf8(text, i);
    i += static_cast<std::size_t>(std::max(c.length, 1));
    if (c.code >= 0x20 && c.code < 0x7F) {
      em += 0.01 * kWidths[c.code - 0x20];
    } else if (c.code >= 0x2E80) {
      em += 1.0;
    } else {
      em += unicode::is_upper(c.code) ? 0.8 : 0.66;
    }
  }
  return em * size * (bold ? kBold : 1.0);
}

Picture with_heading(Picture picture, std::string_view heading) {
  if (heading.empty()) return picture;
  constexpr double kLine = 30, kSize = 17;
  picture.body = fmt::format(
      "<text class=\"w\" style=\"text-anchor:start;font-weight:600\" x=\"{:.0f}\" "
      "y=\"{:.0f}\">{}</text>\n"
      "<g transform=\"translate(0 {:.0f})\">\n{}</g>\n",
      kMargin, kMargin + kSize - 4, xml_escaped(heading), kLine, picture.body);
  picture.width = std::max(picture.width, text_width(heading, kSize) + 2 * kMargin);
  picture.height += kLine;
  return picture;
}

std::string svg_of(std::span<const Picture> pictures, std::string_view style) {
  double width = 2 * kMargin, height = 0;
  for (const Picture& p : pictures) {
    width = std::max(width, p.width);
    height += p.height;
  }
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tree\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\">\n{2}{3}<rect class=\"tree-back\" "
      "width=\"100%\" height=\"100%\"/>\n",
      width, std::max(height, 2 * kMargin), kStyle, style);
  double y = 0;
  for (const Picture& p : pictures) {
    out += fmt::format("<g transform=\"translate(0 {:.1f})\">\n{}</g>\n", y, p.body);
    y += p.height;
  }
  return out + "</svg>\n";
}

std::string html_begin(std::string_view title, std::string_view style) {
  return fmt::format(
      "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n{}<style>\n"
      "body{{margin:0 auto;max-width:1400px;padding:24px;background:#fff;color:#1f2328;"
      "font:16px/1.5 system-ui,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif}}\n"
      "figure{{margin:0 0 28px;border-bottom:1px solid "
      "#d0d7de;overflow-x:auto;scrollbar-width:auto;"
      "scrollbar-color:#7d8590 transparent;background:"
      "linear-gradient(to right,#fff 30%,transparent) local 0 0/40px 100% no-repeat,"
      "linear-gradient(to left,#fff 30%,transparent) local 100% 0/40px 100% no-repeat,"
      "linear-gradient(to right,#8c959f66,transparent) scroll 0 0/14px 100% no-repeat,"
      "linear-gradient(to left,#8c959f66,transparent) scroll 100% 0/14px 100% no-repeat}}\n"
      "figcaption{{position:sticky;left:0;color:#59636e}}\nsvg{{height:auto}}\n"
      ".sent-id{{margin:0;font-size:13px;color:#59636e}}\n"
      "@media (prefers-color-scheme:dark){{body{{background:#0d1117;color:#e6edf3}}"
      "figure{{border-color:#30363d;background:none}}figcaption{{color:#9198a1}}}}\n</style>\n{}</"
      "head>\n<body>\n",
      xml_escaped(title), kStyle, style);
}

std::string html_figure(const Picture& p, std::string_view caption) {
  // Wide pictures shrink with the window, down to what can still be read, and then scroll.
  return fmt::format(
      "<figure>\n<figcaption>{4}</figcaption>\n<svg class=\"tree\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "style=\"width:100%;max-width:{0:.0f}px;min-width:{2:.0f}px\" role=\"img\">\n{3}</svg>\n"
      "</figure>\n",
      p.width, p.height, std::min(p.width, std::max(p.width * 0.8, 640.0)), p.body,
      xml_escaped(caption));
}

std::string html_end() { return "</body>\n</html>\n"; }

}  // namespace entente
