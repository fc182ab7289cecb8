#include "corpus/layers/frames/view.h"

#include "corpus/layers/frames/comments.h"
#include "corpus/layers/frames/html.h"
#include "corpus/layers/frames/json.h"
#include "corpus/layers/frames/svg.h"
#include "corpus/layers/frames/text.h"

namespace entente {

void FramesView::append_text(std::string& out, const Sentence& sentence,
                             const Document& document) const {
  append_frame_text(out, sentence, document.text);
}

void FramesView::write_json(JsonWriter& w, const Sentence& sentence, const Document& document,
                            CharacterOffsets& offsets) const {
  write_frames(w.key("frames"), sentence, document, offsets);
}

Picture FramesView::draw(const Sentence& sentence, const Document& document) const {
  return draw_frames(sentence, document.text);
}

std::string_view FramesView::svg_style() const { return kFrameSvgStyle; }

std::string FramesView::html(const Sentence& sentence, const Document& document) const {
  return html_of_frames(sentence, document.text);
}

std::string_view FramesView::html_style() const { return frame_html_style(); }

void FramesView::append_comments(std::string& out, const Sentence& sentence) const {
  append_frame_comments(sentence, out);
}

}  // namespace entente
