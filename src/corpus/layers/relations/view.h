// Relations between entities, shown.
//
//   "relations": [{"type": "Live_In", "head": "e0", "tail": "e1", "confidence": 0.93}],
//   "status": "optimal"
//
// In CoNLL-U a comment each: "# relation = Live_In <tab> 1 <tab> 2", where entities count from 1 in
// the order of their comments.
#pragma once

#include "corpus/layers/view.h"

namespace entente {

class RelationsView : public LayerView {
 public:
  std::string_view layer() const override { return "relations"; }
  std::string_view title() const override { return "Relations"; }
  std::string_view over() const override { return "entities"; }
  bool is_in(const Sentence& sentence) const override { return !sentence.relations.status.empty(); }
  void append_text(std::string& out, const Sentence& sentence,
                   const Document& document) const override;
  void write_json(JsonWriter& w, const Sentence& sentence, const Document& document,
                  CharacterOffsets& offsets) const override;
  Picture draw(const Sentence& sentence, const Document& document) const override;
  void append_comments(std::string& out, const Sentence& sentence) const override;
};

}  // namespace entente
