// `entente frames list NAME`: what the lexicon says of a frame.
#pragma once

#include <string>

#include "corpus/framenet/lexicon.h"

namespace entente::frames {

// Roles, core ones first, the rules between them, and the words that evoke it.
std::string describe(const framenet::Lexicon& lexicon, const framenet::Frame& frame);

}  // namespace entente::frames
