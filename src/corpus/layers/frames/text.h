// Frames for terminals: the sentence in lines, and under each the frames that have marks on it.
//
//   Austria once expected to waltz smoothly into the Union.
//   ┬──────                  ╤════ ┬─────── ┬─────────────
//   │                        │     Manner   Goal
//   Self_mover               Self_motion
//
// Double lines are targets, single ones roles. A line ends where the next word, or a name that
// would start under it, has no room; a phrase that goes on in the next line is marked there again,
// with "…" before its name. Under the sentence stands a line a frame: its word, how probable, what
// its roles are worth and whether that was proven; its rules; and why, where that was asked for.
// Linear in what is drawn. Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "corpus/document.h"

namespace entente {

// `text` is that of the document.
void append_frame_text(std::string& out, const Sentence& sentence, std::string_view text,
                       int columns = 80);

}  // namespace entente
