// A dependency tree as a picture: arcs with arrows and relations over the words, tags below, and
// below them the tokens that cover several words.
//
//   TreePicture picture = draw_tree(sentence);
//   write_whole_file("tree.svg", svg_of({picture}));                 // one picture of them all
//   html += html_of(picture);                                        // for a page, see
//   html_begin()
//
// Widths of words are estimated (no font is asked), generously. Colours follow the reader's choice
// of light or dark. Linear, but for laying out the arcs (arcs.h). Thread-safe.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "corpus/document.h"

namespace entente {

struct TreePicture {
  double width = 0, height = 0;
  std::string body;  // SVG elements
};

TreePicture draw_tree(const Sentence& sentence);

// A whole SVG file, the pictures one under the other. `style`: more <style> elements, if need be.
std::string svg_of(std::span<const TreePicture> pictures, std::string_view style = {});

// A page that stands for itself: begin, any number of sentences, end.
std::string html_begin(std::string_view title, std::string_view style = {});
std::string html_of(const Sentence& sentence);
std::string html_end();

// About as wide as a text will be drawn at this size of the font, rather too wide.
double text_width(std::string_view text, double size);

}  // namespace entente
