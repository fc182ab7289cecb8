// Frames as a part of a page: the text with its targets in colour, then a row a frame: the text
// with the frame's target and roles marked, and beside it how sure it is and which rules held. The
// dependency tree is folded below. Everything is escaped; scores are in titles.
//
//   page = html_begin("Frames", frame_html_style()) + html_of_frames(sentence, document.text) +
//          html_end();
//
// Linear in the page, and in the drawing of the tree. Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "corpus/document.h"

namespace entente {

std::string_view frame_html_style();  // a <style> element
std::string html_of_frames(const Sentence& sentence, std::string_view text);

}  // namespace entente
