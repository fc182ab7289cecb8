// The lexicon in a model file, so that parsing needs no FrameNet release.
//
//   write_lexicon(lexicon, writer);                       // sections "frames/lexicon/..."
//   const framenet::Lexicon lexicon = read_lexicon(file);
//
// Frames, roles, rules, lexical units and relations; not the definitions. A few milliseconds.
#pragma once

#include "corpus/framenet/lexicon.h"
#include "learn/model_file.h"

namespace entente::frames {

void write_lexicon(const framenet::Lexicon& lexicon, ModelWriter& writer);
framenet::Lexicon read_lexicon(const ModelFile& file);

}  // namespace entente::frames
