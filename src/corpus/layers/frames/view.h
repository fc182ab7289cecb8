// Frames, shown.
#pragma once

#include "corpus/layers/view.h"

namespace entente {

class FramesView : public LayerView {
 public:
  std::string_view layer() const override { return "frames"; }
  std::string_view title() const override { return "Frames"; }
  bool is_in(const Sentence& sentence) const override { return !sentence.frames.empty(); }
  void append_text(std::string& out, const Sentence& sentence,
                   const Document& document) const override;
  void write_json(JsonWriter& w, const Sentence& sentence, const Document& document,
                  CharacterOffsets& offsets) const override;
  Picture draw(const Sentence& sentence, const Document& document) const override;
  std::string_view svg_style() const override;
  std::string html(const Sentence& sentence, const Document& document) const override;
  std::string_view html_style() const override;
  void append_comments(std::string& out, const Sentence& sentence) const override;
};

}  // namespace entente
