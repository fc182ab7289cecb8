// Sentences with roles as sentences of a Document, and back.
//
//   Sentence sentence;
//   to_document(prop_sentence, sentence);         // words, tags, lemmas, trees, roles
//   PropSentence again = from_document(sentence);
//
// A proposition is a frame of the Document whose name is the roleset: "kill.01", with its lemma as
// lexical unit and ARG0, ARGM-TMP, ... as roles; so everything that shows frames shows roles.
// Names of rolesets end in a dot and a sense, those of frames never do (is_roleset). The phrase
// tree goes along as Tree=(S(NP* in the words' misc column; without it, the first tree of the
// constituency layer is taken. What a parser thinks of the tree goes along as comments (propbank.h).
// Linear. Thread-safe.
#pragma once

#include <string_view>

#include "corpus/document.h"
#include "corpus/propbank/propbank.h"

namespace entente::propbank {

void to_document(const PropSentence& from, Sentence& to);
PropSentence from_document(const Sentence& from);  // Error if the pieces of its tree do not fit

// A proposition in the shape of the layer, and back.
FrameInstance to_layer(const Proposition& proposition);
Proposition from_layer(const FrameInstance& predicate);
bool is_roleset(std::string_view frame_name);

}  // namespace entente::propbank
