// Sentences of the corpus as passages, and back.
//
//   LabelSet labels = collect_labels(sentences);
//   std::vector<Passage> passages = make_passages(sentences, labels);
//
// A row of several words joined by "/" becomes several words; COMMA, -LRB- and the like become what
// they stand for; tags of older tag sets become today's (PP$ -> PRP$). A label that is not in the
// LabelSet is an Error that names its sentence. Linear.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "corpus/conll04.h"
#include "tasks/relations/types.h"

namespace entente::relations {

LabelSet collect_labels(std::span<const Conll04Sentence> sentences);
// Where `strict` is not set, labels that are not known become -1 and relations are dropped.
std::vector<Passage> make_passages(std::span<const Conll04Sentence> sentences,
                                   const LabelSet& labels, bool strict = true);

// "San Jose" of a mention; the passage's words joined by spaces.
std::string mention_text(const Passage& passage, const Mention& mention);

}  // namespace entente::relations
