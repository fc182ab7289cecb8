#include <algorithm>
#include <optional>
#include <vector>

#include "base/json.h"
#include "schema/converters.h"
#include "schema/write.h"

namespace entente::schema {

namespace {

int characters(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// A member by name; other keys of the format are passed over.
std::optional<JsonValue> member(JsonValue object, std::string_view name) {
  for (auto [key, value] : object.members()) {
    if (key.string() == name && !value.is(JsonType::null)) return value;
  }
  return std::nullopt;
}

JsonValue need(JsonValue object, const char* name) {
  object.expect(JsonType::object, "an object");
  const auto found = member(object, name);
  if (!found) object.fail("expected \"" + std::string(name) + "\" here");
  return *found;
}

int below(JsonValue v, std::size_t count, const char* what) {
  const std::int64_t x = v.integer(what);
  if (x < 0 || x >= static_cast<std::int64_t>(count))
    v.fail("there is no " + std::string(what) + " " + std::to_string(x));
  return static_cast<int>(x);
}

double score_of(JsonValue object, double otherwise) {
  for (const char* name : {"score", "confidence", "probability"}) {
    const auto v = member(object, name);
    if (!v) continue;
    const double p = v->number("a probability");
    if (!(p >= 0 && p <= 1)) v->fail("expected a probability between 0 and 1");
    return p;
  }
  return otherwise;
}

}  // namespace

void read_spert(std::string_view object, std::string_view file, int line, const Schema& schema,
                double probability, CandidateReader& reader) {
  Json json;
  json.parse({object, file, line});
  const JsonValue root = json.root();
  std::vector<int> begin, end;  // of each token, in characters
  Sentence s;
  s.file = file;
  s.line = line;
  s.has_text = true;
  int at = 0;
  for (JsonValue token :
       need(root, "tokens").expect(JsonType::array, "a list of tokens").elements()) {
    const std::string_view text = token.string("a token");
    if (!begin.empty()) s.text += ' ';
    begin.push_back(begin.empty() ? 0 : at + 1);
    at = begin.back() + characters(text);
    end.push_back(at);
    s.text += text;
  }
  for (const char* name : {"orig_id", "id"}) {
    const auto v = member(root, name);
    if (!v || !s.id.empty()) continue;
    s.id = v->is(JsonType::number) ? std::to_string(v->integer()) : std::string(v->string("an id"));
  }
  reader.add_sentence(std::move(s));
  std::vector<int> spans;
  if (const auto entities = member(root, "entities")) {
    for (JsonValue e : entities->expect(JsonType::array, "a list of entities").elements()) {
      const JsonValue type_at = need(e, "type");
      const int type = schema.find_type(type_at.string("an entity type"));
      if (type < 0) type_at.fail("the schema has no entity type " + quoted(type_at.string()));
      const int first = below(need(e, "start"), begin.size(), "token");
      const JsonValue end_at = need(e, "end");
      const std::int64_t last = end_at.integer("the end of an entity");
      if (last <= first || last > static_cast<std::int64_t>(end.size()))
        end_at.fail("expected the token after the entity's last");
      spans.push_back(reader.add_span(begin[first], end[last - 1], "", "", e.place()));
      reader.add_type(spans.back(), type, score_of(e, probability));
    }
  }
  const auto relations = member(root, "relations");
  if (!relations) return;
  for (JsonValue r : relations->expect(JsonType::array, "a list of relations").elements()) {
    const JsonValue type_at = need(r, "type");
    const int relation = schema.find_relation(type_at.string("a relation"));
    if (relation < 0) type_at.fail("the schema has no relation " + quoted(type_at.string()));
    const int head = spans[below(need(r, "head"), spans.size(), "entity")];
    const int tail = spans[below(need(r, "tail"), spans.size(), "entity")];
    reader.add_pair(head, tail, relation, score_of(r, probability));
  }
}

namespace {

// Tokens: what stands between spaces, cut where a span begins or ends.
class Tokens {
 public:
  explicit Tokens(const Candidates& c) {
    for (int s = 0; s < static_cast<int>(c.sentences.size()); ++s) add_sentence(c, s);
  }
  const std::vector<std::string>& texts() const { return texts_; }
  // Of a character of the document, in its first sentence.
  int token_at(int sentence, int character) const {
    const auto from = begins_.begin() + first_[sentence];
    const auto to = sentence + 1 < static_cast<int>(first_.size())
                        ? begins_.begin() + first_[sentence + 1]
                        : begins_.end();
    return static_cast<int>(std::lower_bound(from, to, character) - begins_.begin());
  }

 private:
  void add_sentence(const Candidates& c, int index) {
    first_.push_back(static_cast<int>(texts_.size()));
    const Sentence& s = c.sentences[index];
    std::vector<int> cuts;
    for (const Span& span : c.spans) {
      if (span.sentence != index) continue;
      cuts.push_back(span.begin - s.base);
      cuts.push_back(span.finish - s.base);
    }
    std::sort(cuts.begin(), cuts.end());
    int character = 0;
    std::size_t next = 0;
    bool open = false;
    for (char byte : s.text) {
      const bool starts = (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
      if (starts) {
        while (next < cuts.size() && cuts[next] < character) ++next;
        if (next < cuts.size() && cuts[next] == character) open = false;
      }
      if (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r') {
        open = false;
      } else {
        if (!open) {
          texts_.emplace_back();
          begins_.push_back(s.base + character);
          open = true;
        }
        texts_.back() += byte;
      }
      if (starts) ++character;
    }
  }

  std::vector<std::string> texts_;
  std::vector<int> begins_, first_;
};

}  // namespace

std::string write_spert(const Schema& schema, const Candidates& c, const Extraction& e) {
  for (const Sentence& s : c.sentences) {
    if (!s.has_text) throw Error("SpERT's format needs the text", {.file = s.file, .line = s.line});
  }
  const Tokens tokens(c);
  JsonWriter w;
  w.begin_object();
  if (c.sentences.size() == 1 && !c.sentences[0].id.empty())
    w.key("orig_id").string(c.sentences[0].id);
  else if (!c.document.empty())
    w.key("orig_id").string(c.document);
  w.key("tokens").begin_array();
  for (const std::string& t : tokens.texts()) w.string(t);
  w.end_array().key("entities").begin_array();
  for (int i : e.chosen.types) {
    const TypeScore& t = c.types[i];
    const Span& span = c.spans[t.span];
    w.begin_object().key("type").string(schema.types[t.type].name);
    w.key("start").integer(tokens.token_at(span.sentence, span.begin));
    w.key("end").integer(tokens.token_at(span.sentence, span.finish));
    w.key("score").number(rounded(t.confidence)).end_object();
  }
  w.end_array().key("relations").begin_array();
  const ChosenEntities entities(schema, c, e.chosen);
  for (int i : e.chosen.pairs) {
    const Pair& p = c.pairs[i];
    w.begin_object().key("type").string(schema.relations[p.relation].name);
    w.key("head").integer(entities.end_of(p, true)).key("tail").integer(entities.end_of(p, false));
    w.key("score").number(rounded(p.confidence)).end_object();
  }
  w.end_array().end_object();
  return w.take();
}

}  // namespace entente::schema
