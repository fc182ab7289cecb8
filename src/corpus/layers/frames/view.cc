#include "corpus/layers/frames/view.h"

#include "corpus/layers/frames/comments.h"
#include "corpus/layers/frames/html.h"
#include "corpus/layers/frames/json.h"
#include "corpus/layers/frames/svg.h"
#include "corpus/layers/frames/text.h"

namespace entente {

namespace {

class FramesView : public LayerView {
 public:
  std::string_view layer() const override { return "frames"; }
  std::string_view title() const override { return "Frames"; }
  bool is_in(const Sentence& sentence) const override { return !sentence.frames.empty(); }
  void append_text(std::string& out, const Sentence& sentence,
                   const Document& document) const override {
    append_frame_text(out, sentence, document.text);
  }

  void write_json(JsonWriter& w, const Sentence& sentence, const Document& document,
                  CharacterOffsets& offsets) const override {
    write_frames(w.key("frames"), sentence, document, offsets);
  }

  Picture draw(const Sentence& sentence, const Document& document) const override {
    return draw_frames(sentence, document.text);
  }

  std::string_view svg_style() const override { return kFrameSvgStyle; }

  std::string html(const Sentence& sentence, const Document& document) const override {
    return html_of_frames(sentence, document.text);
  }

  std::string_view html_style() const override { return frame_html_style(); }

  void append_comments(std::string& out, const Sentence& sentence) const override {
    append_frame_comments(sentence, out);
  }
};

}  // namespace

const LayerView& frames_view() {
  static const FramesView view;
  return view;
}

}  // namespace entente
