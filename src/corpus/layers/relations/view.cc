#include "corpus/layers/relations/view.h"

#include <fmt/format.h>

#include <cmath>

#include "corpus/layers/entities/svg.h"
#include "corpus/layers/entities/view.h"

namespace entente {

// Arcs over the entities' boxes.

namespace {

class RelationsView : public LayerView {
 public:
  std::string_view layer() const override { return "relations"; }
  std::string_view title() const override { return "Relations"; }
  std::string_view over() const override { return "entities"; }
  bool is_in(const Sentence& sentence) const override { return !sentence.relations.status.empty(); }
  void append_text(std::string& out, const Sentence& sentence,
                   const Document& document) const override {
    append_entities_text(out, sentence, document);
    for (const Relation& r : sentence.relations.all) {
      out += fmt::format("  {}: {} -> {}  {:.2f}\n", r.type,
                         entity_text(sentence, document, sentence.entities[r.head]),
                         entity_text(sentence, document, sentence.entities[r.tail]), r.confidence);
    }
    out += "\n";
  }

  void write_json(JsonWriter& w, const Sentence& sentence, const Document& /*document*/,
                  CharacterOffsets& /*offsets*/) const override {
    w.key("relations").begin_array();
    for (const Relation& r : sentence.relations.all) {
      w.begin_object().key("type").string(r.type);
      w.key("head").string(fmt::format("e{}", r.head));
      w.key("tail").string(fmt::format("e{}", r.tail));
      w.key("confidence").number(std::round(r.confidence * 1e6) / 1e6).end_object();
    }
    w.end_array().key("status").string(sentence.relations.status);
  }

  Picture draw(const Sentence& sentence, const Document& /*document*/) const override {
    return draw_entities(sentence, true);
  }

  void append_comments(std::string& out, const Sentence& sentence) const override {
    for (const Relation& r : sentence.relations.all) {
      out += fmt::format("# relation = {}\t{}\t{}\n", r.type, r.head + 1, r.tail + 1);
    }
  }
};

}  // namespace

const LayerView& relations_view() {
  static const RelationsView view;
  return view;
}

}  // namespace entente
