// A dependency tree for terminals: a word a line, arcs beside them in box-drawing characters.
//
//   The    DET   <┐   det
//   dog    NOUN  ─┴<┐ nsubj
//   barks  VERB  ─┬─┘ root
//   .      PUNCT <┘   punct
//
// An arrow stands before the corner of the arc that comes from the head.
// Crossing arcs are drawn too. Trees that would need very many columns get the number of the head
// instead. Linear in the drawing. Thread-safe.
#pragma once

#include <string>

#include "corpus/document.h"

namespace entente {

void append_tree_text(std::string& out, const Sentence& sentence);

}  // namespace entente
