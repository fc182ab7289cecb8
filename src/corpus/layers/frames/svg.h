// Frames as a picture: the sentence in lines, under each line a row a frame, in a colour of its
// own: a box with the frame's name under the target, lines with their names under the roles.
//
//   pictures.push_back(draw_frames(sentence, document.text));
//   write_whole_file("frames.svg", svg_of(pictures, kFrameSvgStyle));
//
// Words move apart where a name has no room. Hovering tells scores. Widths are estimated, as for
// trees (picture.h). Linear in the picture. Thread-safe.
#pragma once

#include <string_view>

#include "corpus/document.h"
#include "corpus/picture.h"

namespace entente {

constexpr int kFrameColours = 8;  // after which they come again
extern const std::string_view kFrameSvgStyle;

Picture draw_frames(const Sentence& sentence, std::string_view text);

}  // namespace entente
