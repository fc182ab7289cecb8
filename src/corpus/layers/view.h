// How a layer of a sentence is shown: each has a folder here with its type and its view, and a line
// in views.cc. The writers loop over views and know no layer by name.
//
//   for (const LayerView* view : drawn_views(options.layers, sentence)) view->append_text(...);
//
// Views have no state: one serves many threads.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "corpus/document.h"
#include "corpus/picture.h"
#include "corpus/utf8.h"

namespace entente {

class LayerView {
 public:
  virtual ~LayerView() = default;
  virtual std::string_view layer() const = 0;  // as the task that makes it is called
  virtual bool is_in(const Sentence& sentence) const = 0;
  // A layer that this one speaks of: its drawing shows that one, too. Empty: none.
  virtual std::string_view over() const { return {}; }

  // Is it drawn only if asked for, or if there is nothing else?
  virtual bool stands_behind() const { return false; }

  // For terminals: whole lines.
  virtual void append_text(std::string& out, const Sentence& sentence,
                           const Document& document) const = 0;
  // Keys of the sentence's object in JSON lines. `offsets` is over document.text.
  virtual void write_json(JsonWriter& /*w*/, const Sentence& /*sentence*/,
                          const Document& /*document*/, CharacterOffsets& /*offsets*/) const {}
  virtual Picture draw(const Sentence& sentence, const Document& document) const = 0;
  virtual std::string_view svg_style() const { return {}; }  // <style> elements for draw()
  // A part of a page; a figure of draw(), if the view has nothing better.
  virtual std::string html(const Sentence& sentence, const Document& document) const;
  virtual std::string_view html_style() const { return svg_style(); }
  virtual std::string_view title() const = 0;  // of a page that shows this layer
  // Lines of CoNLL-U comments, with their '#'.
  virtual void append_comments(std::string& /*out*/, const Sentence& /*sentence*/) const {}
};

std::span<const LayerView* const> all_views();

// What data formats write of a sentence: the layers that were asked for, and those it has.
std::vector<const LayerView*> written_views(std::span<const std::string> asked,
                                            const Sentence& sentence);
// What is drawn of it, for terminals too: the same without those that another one shows. Trees stand
// behind all other layers and are drawn only if asked for, or if there is nothing else.
std::vector<const LayerView*> drawn_views(std::span<const std::string> asked,
                                          const Sentence& sentence);

}  // namespace entente
