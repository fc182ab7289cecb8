// Frames as comments of a CoNLL-U sentence, so that they survive in a file of that format.
//
//   append_frame_comments(sentence, out);
//   // # frame = Collaboration <tab> partner.n <tab> 16 <tab> Partner_1:10-11 <tab> Partner_2:12-12
//   read_frame_comments(sentence);        // the comments become sentence.frames, and are taken out
//
// Words count from 1, as in the lines below them; a target lists its words (3,5). Scores are not
// kept. A comment that does not read so, or speaks of words that are not there, is an Error.
#pragma once

#include <string>

#include "corpus/document.h"

namespace entente {

void append_frame_comments(const Sentence& sentence, std::string& out);
void read_frame_comments(Sentence& sentence);

}  // namespace entente
