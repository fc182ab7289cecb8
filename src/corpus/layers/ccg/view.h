// How a CCG derivation is shown: words above, lines with the categories they become below, as in
// papers; dependencies beside it in JSON.
#pragma once

#include "corpus/layers/view.h"

namespace entente {

class CcgView : public LayerView {
 public:
  std::string_view layer() const override { return "ccg"; }
  bool is_in(const Sentence& sentence) const override { return !sentence.ccg.status.empty(); }
  void append_text(std::string& out, const Sentence& sentence,
                   const Document& document) const override;
  void write_json(JsonWriter& w, const Sentence& sentence, const Document& document,
                  CharacterOffsets& offsets) const override;
  Picture draw(const Sentence& sentence, const Document& document) const override;
  std::string_view title() const override { return "CCG derivations"; }
};

}  // namespace entente
