// Words with their tags, and the tree over them, shown: also what is shown where there is no other
// layer.
#pragma once

#include "corpus/layers/view.h"

namespace entente {

class DependencyView : public LayerView {
 public:
  std::string_view layer() const override { return "dependency"; }
  std::string_view title() const override { return "Dependency trees"; }
  bool stands_behind() const override { return true; }
  bool is_in(const Sentence& sentence) const override;
  void append_text(std::string& out, const Sentence& sentence,
                   const Document& document) const override;
  // "tree": {"value": 31.2, "bound": 31.2, "proven": true}, where a parser made it
  void write_json(JsonWriter& w, const Sentence& sentence, const Document& document,
                  CharacterOffsets& offsets) const override;
  Picture draw(const Sentence& sentence, const Document& document) const override;
};

}  // namespace entente
