// Entities, shown.
//
//   "entities": [{"id": "e0", "type": "Peop", "text": "Ada Moor", "first": 1, "last": 2,
//                 "start": 0, "end": 8, "confidence": 0.98}, ...]
//
// start and end are characters of the whole input, as everywhere in JSON lines, or of the sentence's
// own text where the input was none; words count from 1, both ends included. In CoNLL-U a comment
// each: "# entity = Peop <tab> 1-2 <tab> Ada Moor".
#pragma once

#include "corpus/layers/view.h"

namespace entente {

const LayerView& entities_view();

// What an entity's words say, as they stand in the text.
std::string entity_text(const Sentence& sentence, const Document& document, const Entity& entity);
// The sentence, and a line an entity.
void append_entities_text(std::string& out, const Sentence& sentence, const Document& document);

}  // namespace entente
