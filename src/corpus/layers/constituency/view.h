// Phrase-structure trees, shown.
//
//   "constituency": [{"tree": "(TOP (S ...))", "score": -1.2,
//                     "phrases": [{"label": "S", "first": 1, "last": 5, "confidence": 0.98}, ...]}]
//
// Words count from 1, both ends included; several trees where several were asked for, best first.
// In CoNLL-U a comment each: "# constituency = (TOP ...)".
#pragma once

#include "corpus/layers/view.h"

namespace entente {

const LayerView& constituency_view();

// A sentence as a tree has it: its words and tags, and the tree.
void sentence_of(PhraseTree tree, Sentence& sentence);

}  // namespace entente
