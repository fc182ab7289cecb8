// Pictures of sentences and the pages and files they stand in: one style for all layers.
//
//   Picture picture = draw_tree(sentence);
//   write_whole_file("tree.svg", svg_of({picture}));                 // one under the other
//   page = html_begin("Trees") + html_figure(picture, caption) + html_end();
//
// Widths of words are those of DejaVu Sans, the widest font a reader may have. Colours follow the reader's choice
// of light or dark. Linear. Thread-safe.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace entente {

struct Picture {
  double width = 0, height = 0;
  std::string body;  // SVG elements
};

// The picture under a line of text; as it is if there is none.
Picture with_heading(Picture picture, std::string_view heading);

// A whole SVG file, the pictures one under the other. `style`: more <style> elements, if need be.
std::string svg_of(std::span<const Picture> pictures, std::string_view style = {});

// A page that stands for itself: begin, any number of figures, end.
std::string html_begin(std::string_view title, std::string_view style = {});
std::string html_figure(const Picture& picture, std::string_view caption);
std::string html_end();

// As wide as a text will be drawn at this size of the font, or less.
double text_width(std::string_view text, double size, bool bold = false);

}  // namespace entente
