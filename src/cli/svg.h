// The few pieces of SVG that the pictures share: the opening with its style sheet, and text.
#pragma once

#include <string>
#include <string_view>

namespace entente::cli {

// Opens the picture; the caller ends it with "</svg>\n". Classes: grid, axis, line with first to
// fourth, and for text title, caption, tick, strong.
std::string svg_begin(double width, double height, std::string_view title);
// anchor: start, middle or end.
std::string svg_text(double x, double y, std::string_view anchor, std::string_view style,
                     std::string_view text);

}  // namespace entente::cli
