#include "corpus/json_lines.h"

#include <string_view>
#include <utility>

#include "base/json.h"
#include "corpus/conllu.h"
#include "corpus/corpus.h"
#include "corpus/layers/view.h"
#include "corpus/utf8.h"

namespace entente {

namespace {

// Writes the sentences of one document: offsets are turned into characters in order.
class LineWriter {
 public:
  LineWriter(const Document& document, std::span<const std::string> layers)
      : document_(document), offsets_(document.text), layers_(layers) {}

  std::string line(const Sentence& sentence) {
    JsonWriter w;
    w.begin_object();
    if (!document_.name.empty()) w.key("document").string(document_.name);
    if (const std::string_view id = comment_value(sentence, "sent_id"); !id.empty())
      w.key("id").string(id);
    const bool known = sentence.begin >= 0 && !document_.text.empty();
    w.key("text").string(known ? text_between(sentence.begin, sentence.end)
                               : sentence_text(sentence));
    if (known) place(w, sentence.begin, sentence.end);
    w.key("tokens").begin_array();
    for (const Token& token : sentence.tokens) write_token(w, sentence, token);
    w.end_array().key("words").begin_array();
    for (int i = 0; i < sentence.size(); ++i) write_word(w, sentence.words[i], i + 1);
    w.end_array();
    for (const LayerView* view : written_views(layers_, sentence)) {
      view->write_json(w, sentence, document_, offsets_);
    }
    return w.end_object().take() + "\n";
  }

 private:
  std::string text_between(std::int64_t begin, std::int64_t end) const {
    return document_.text.substr(static_cast<std::size_t>(begin),
                                 static_cast<std::size_t>(end - begin));
  }

  void place(JsonWriter& w, std::int64_t begin, std::int64_t end) {
    w.key("begin").integer(document_.characters_before + offsets_.at(begin));
    w.key("end").integer(document_.characters_before + offsets_.at(end));
  }

  void write_token(JsonWriter& w, const Sentence& sentence, const Token& token) {
    w.begin_object().key("text").string(sentence.token_form(token));
    if (token.begin >= 0) place(w, token.begin, token.end);
    w.key("words").begin_array();
    for (int i = token.first; i <= token.last; ++i) w.integer(i + 1);
    w.end_array().end_object();
  }

  void write_word(JsonWriter& w, const Word& word, int id) {
    w.begin_object().key("id").integer(id).key("form").string(word.form);
    const std::pair<std::string_view, const std::string&> before[] = {
        {"lemma", word.lemma}, {"upos", word.upos}, {"xpos", word.xpos}, {"feats", word.feats}};
    for (const auto& [name, value] : before) write_field(w, name, value);
    if (word.head >= 0) w.key("head").integer(word.head);
    write_field(w, "deprel", word.deprel);
    write_field(w, "deps", word.deps);
    write_field(w, "misc", word.misc);
    w.end_object();
  }

  static void write_field(JsonWriter& w, std::string_view name, const std::string& value) {
    if (value != "_" && !value.empty()) w.key(name).string(value);
  }

  const Document& document_;
  CharacterOffsets offsets_;
  std::span<const std::string> layers_;
};

}  // namespace

void append_json_lines(std::string& out, const Document& document,
                       std::span<const std::string> layers) {
  LineWriter writer(document, layers);
  for (const Sentence& sentence : document.sentences) out += writer.line(sentence);
}

}  // namespace entente
