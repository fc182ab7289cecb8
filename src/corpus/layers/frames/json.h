// The frames of a sentence as JSON: our own layout within a line of jsonl, and SEMAFOR's.
//
//   "frames": [{"frame": "Self_motion", "lexical_unit": "waltz.v", "score": 0.93,
//     "target": {"words": [6], "tokens": [6], "text": "waltz",
//                "spans": [{"first": 6, "last": 6, "begin": 26, "end": 31, "text": "waltz"}]},
//     "value": 4.2, "bound": 4.2, "proven": true,
//     "arguments": [{"role": "Self_mover", "core": true, "first": 1, "last": 1, "begin": 0,
//                    "end": 7, "text": "Austria", "score": 2.1}, ...],
//     "rules": [...], "explanation": {...}}]
//
//   {"frames":[{"target":{"name":"Self_motion","spans":[{"start":5,"end":6,"text":"waltz"}]},
//     "annotationSets":[{"rank":0,"score":4.2,"frameElements":[{"name":...,"spans":[...]}]}]}],
//    "tokens":["Austria", ...]}
//
// Ours numbers words and tokens from 1, both ends included, and gives characters of the whole
// input as everywhere in jsonl; SEMAFOR's numbers words from 0, the end not included, and calls
// them tokens. Numbers that are not finite (a bound that is not known) are null. Thread-safe.
#pragma once

#include <string>

#include "base/json.h"
#include "corpus/document.h"
#include "corpus/utf8.h"

namespace entente {

// The array alone, as the value of a key. `offsets` is over document.text.
void write_frames(JsonWriter& w, const Sentence& sentence, const Document& document,
                  CharacterOffsets& offsets);

// One line a sentence, also for sentences without frames.
void append_semafor(std::string& out, const Document& document);

}  // namespace entente
