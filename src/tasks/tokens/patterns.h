// Stretches of text that are one token whatever a model says: addresses, @names, #tags, versions,
// dates, times, fractions, hashes.
//
//   int end = pattern_end(characters, k, chunk_end);     // k: none starts there
//   Abbreviation a = abbreviation(characters, begin, end);  // "prof." -> kTitle
//
// Rules rather than weights: a treebank has too few of them to learn each kind from, and what they
// look like is a matter of definition. What is ambiguous in prose (3.14, 5:30pm, well-known) is
// left to the model. Linear in the chunk; no heap; thread-safe.
#pragma once

#include "tasks/tokens/characters.h"

namespace entente::tokens {

// The end of the pattern that starts at character k, within [k, end); k if there is none. The sign
// before k must be none that could belong to it: letters and digits are looked at by the caller.
int pattern_end(const Characters& c, int k, int end);

// Words with a full stop of their own, in English.
enum class Abbreviation : unsigned char {
  kNone,
  kTitle,     // stands before a name or a number, never at the end of a sentence: Prof., No., Fig.
  kInside,    // goes on in the middle of something: e.g., incl., vs.
  kEither,    // may end a sentence or not: Inc., etc., p.m., U.S.
  kNumbered,  // stands before a number: ch. 4
};
// Of characters [begin, end), with or without the full stop at the end.
Abbreviation abbreviation(const Characters& c, int begin, int end);

}  // namespace entente::tokens
