// Two sentences that say the same, mostly in two languages: what alignment and translation work on.
//
//   SentencePair pair;
//   pair.source.words = ...;  pair.target.words = ...;
//   pair.links.push_back({.source = 0, .target = 1});
#pragma once

#include <vector>

#include "corpus/document.h"

namespace entente {

// Word `source` of the one is word `target` of the other, both from 0.
struct WordLink {
  int source = 0, target = 0;
  bool sure = true;       // gold links may be only possible
  double confidence = 1;  // posterior, where a model gave it

  friend bool operator==(const WordLink&, const WordLink&) = default;
};

struct SentencePair {
  Sentence source, target;
  std::vector<WordLink> links;  // in order of source, then target
};

}  // namespace entente
