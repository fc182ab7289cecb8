// Entities as a picture: the words, under each entity a line with its type, over them the relations
// as arcs from head to tail.
//
//   const Picture picture = draw_entities(sentence, true);
//
// Words move apart where a type has no room. Linear, but for laying out the arcs. Thread-safe.
#pragma once

#include "corpus/document.h"
#include "corpus/picture.h"

namespace entente {

Picture draw_entities(const Sentence& sentence, bool with_relations);

}  // namespace entente
