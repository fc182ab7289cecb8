#include "corpus/layers/relations/view.h"

#include <fmt/format.h>

#include <cmath>

#include "corpus/layers/entities/svg.h"
#include "corpus/layers/entities/view.h"

namespace entente {

void RelationsView::append_text(std::string& out, const Sentence& sentence,
                                const Document& document) const {
  append_entities_text(out, sentence, document);
  for (const Relation& r : sentence.relations.all) {
    out += fmt::format("  {}: {} -> {}  {:.2f}\n", r.type,
                       entity_text(sentence, document, sentence.entities[r.head]),
                       entity_text(sentence, document, sentence.entities[r.tail]), r.confidence);
  }
  out += "\n";
}

void RelationsView::write_json(JsonWriter& w, const Sentence& sentence,
                               const Document& /*document*/, CharacterOffsets& /*offsets*/) const {
  w.key("relations").begin_array();
  for (const Relation& r : sentence.relations.all) {
    w.begin_object().key("type").string(r.type);
    w.key("head").string(fmt::format("e{}", r.head));
    w.key("tail").string(fmt::format("e{}", r.tail));
    w.key("confidence").number(std::round(r.confidence * 1e6) / 1e6).end_object();
  }
  w.end_array().key("status").string(sentence.relations.status);
}

// Arcs over the entities' boxes.
Picture RelationsView::draw(const Sentence& sentence, const Document& /*document*/) const {
  return draw_entities(sentence, true);
}

void RelationsView::append_comments(std::string& out, const Sentence& sentence) const {
  for (const Relation& r : sentence.relations.all) {
    out += fmt::format("# relation = {}\t{}\t{}\n", r.type, r.head + 1, r.tail + 1);
  }
}

}  // namespace entente
