// A dependency tree as a picture: arcs with arrows and relations over the words, tags below, and
// below them the tokens that cover several words.
//
//   const Picture picture = draw_tree(sentence);       // see picture.h for files and pages
//
// Linear, but for laying out the arcs (arcs.h). Thread-safe.
#pragma once

#include "corpus/document.h"
#include "corpus/picture.h"

namespace entente {

Picture draw_tree(const Sentence& sentence);

}  // namespace entente
