#include "corpus/layers/entities/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "corpus/corpus.h"
#include "corpus/layers/entities/svg.h"
#include "corpus/layers/frames/layout.h"
#include "corpus/word_offsets.h"

namespace entente {

namespace {

double rounded(double x) { return std::round(x * 1e6) / 1e6; }

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return text;
}

// Where an entity stands, in characters: of the whole input, or of the sentence's own text.
struct Places {
  Places(const Sentence& sentence, const Document& document, CharacterOffsets& offsets)
      : document_(document), offsets_(offsets) {
    if (sentence.begin >= 0 && !document.text.empty()) {
      words_ = word_offsets(sentence, document.text);
    } else {
      own_.sentences.push_back(sentence);
      build_text(own_);
      words_ = word_offsets(own_.sentences[0], own_.text);
    }
  }
  std::pair<std::int64_t, std::int64_t> of(Span span) {
    const WordPlace place = place_of_words(words_, span.begin, span.end - 1);
    if (!place.known()) return {-1, -1};
    if (own_.sentences.empty()) {
      return {document_.characters_before + offsets_.at(place.begin),
              document_.characters_before + offsets_.at(place.end)};
    }
    CharacterOffsets inside(own_.text);
    const std::int64_t begin = inside.at(place.begin);
    return {begin, inside.at(place.end)};
  }

 private:
  const Document& document_;
  CharacterOffsets& offsets_;
  Document own_;  // of a sentence without a text
  std::vector<WordPlace> words_;
};

}  // namespace

std::string entity_text(const Sentence& sentence, const Document& document, const Entity& entity) {
  return text_of_words(sentence, document.text, entity.words.begin, entity.words.end - 1);
}

void append_entities_text(std::string& out, const Sentence& sentence, const Document& document) {
  out += one_line(sentence_text(sentence)) + "\n";
  for (const Entity& e : sentence.entities) {
    out += fmt::format("  {:<6} {}  {:.2f}\n", e.type, one_line(entity_text(sentence, document, e)),
                       e.confidence);
  }
}

namespace {

class EntitiesView : public LayerView {
 public:
  std::string_view layer() const override { return "entities"; }
  std::string_view title() const override { return "Entities"; }
  bool is_in(const Sentence& sentence) const override { return !sentence.entities.empty(); }
  void append_text(std::string& out, const Sentence& sentence,
                   const Document& document) const override {
    append_entities_text(out, sentence, document);
    out += "\n";
  }

  void write_json(JsonWriter& w, const Sentence& sentence, const Document& document,
                  CharacterOffsets& offsets) const override {
    Places places(sentence, document, offsets);
    w.key("entities").begin_array();
    for (std::size_t i = 0; i < sentence.entities.size(); ++i) {
      const Entity& e = sentence.entities[i];
      w.begin_object().key("id").string(fmt::format("e{}", i)).key("type").string(e.type);
      w.key("text").string(entity_text(sentence, document, e));
      w.key("first").integer(e.words.begin + 1).key("last").integer(e.words.end);
      if (const auto [begin, end] = places.of(e.words); begin >= 0) {
        w.key("start").integer(begin).key("end").integer(end);
      }
      w.key("confidence").number(rounded(e.confidence)).end_object();
    }
    w.end_array();
  }

  Picture draw(const Sentence& sentence, const Document& /*document*/) const override {
    return draw_entities(sentence, false);
  }

  void append_comments(std::string& out, const Sentence& sentence) const override {
    for (const Entity& e : sentence.entities) {
      std::string text;
      for (int i = e.words.begin; i < e.words.end; ++i) {
        text += (text.empty() ? "" : " ") + sentence.words[i].form;
      }
      out += fmt::format("# entity = {}\t{}-{}\t{}\n", e.type, e.words.begin + 1, e.words.end,
                         one_line(text));
    }
  }
};

}  // namespace

const LayerView& entities_view() {
  static const EntitiesView view;
  return view;
}

}  // namespace entente
