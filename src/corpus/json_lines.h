// A sentence as one line of JSON, for programs that do not read CoNLL-U.
//
//   {"text": "They don't.", "begin": 0, "end": 11,
//    "tokens": [{"text": "They", "begin": 0, "end": 4, "words": [1]}, ... "words": [2, 3]} ...],
//    "words": [{"id": 1, "form": "They", "upos": "PRON", "head": 2, "deprel": "nsubj"}, ...]}
//
// Offsets are characters of the whole input (Document::characters_before is added); they are left
// out where the places are not known. So is every field that is "_". Sentences with frames have
// "frames" (frame_json.h). Linear. Thread-safe.
#pragma once

#include <span>
#include <string>

#include "corpus/document.h"

namespace entente {

// One line a sentence of the document. Those of `layers` are in every line, be it as an empty list;
// other layers where a sentence has them.
void append_json_lines(std::string& out, const Document& document,
                       std::span<const std::string> layers = {});

}  // namespace entente
