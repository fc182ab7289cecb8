// Passages for the relations task from an annotated document.
//
//   pipeline.segment(document, *worker);
//   for (Sentence& s : document.sentences) pipeline.annotate(s, *worker, {"tags"});
//   std::vector<relations::Passage> passages = passages_of(document);
//
// One a sentence, without mentions; words know their place in the document's text. Linear.
#pragma once

#include <vector>

#include "corpus/document.h"
#include "tasks/relations/types.h"

namespace entente {

std::vector<relations::Passage> passages_of(const Document& document);

}  // namespace entente
