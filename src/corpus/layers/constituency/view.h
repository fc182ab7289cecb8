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

class ConstituencyView : public LayerView {
 public:
  std::string_view layer() const override { return "constituency"; }
  std::string_view title() const override { return "Phrases"; }
  bool is_in(const Sentence& sentence) const override { return !sentence.trees.empty(); }
  bool stands_behind() const override { return true; }
  void append_text(std::string& out, const Sentence& sentence,
                   const Document& document) const override;
  void write_json(JsonWriter& w, const Sentence& sentence, const Document& document,
                  CharacterOffsets& offsets) const override;
  Picture draw(const Sentence& sentence, const Document& document) const override;
  void append_comments(std::string& out, const Sentence& sentence) const override;
};

// A sentence as a tree has it: its words and tags, and the tree.
void sentence_of(PhraseTree tree, Sentence& sentence);

}  // namespace entente
