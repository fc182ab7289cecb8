// Lines of candidates as JSON.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/graph_arrays.h"
#include "schema/candidates.h"

namespace entente::schema {

namespace {

double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

std::string id_text(JsonValue v, std::string_view what) {
  if (v.is(JsonType::number)) return std::to_string(v.integer(what));
  return std::string(v.string(what));
}

}  // namespace

Scale CandidateReader::scale(JsonValue at) const {
  if (given_) return *given_;
  if (line_scale_) return *line_scale_;
  if (schema_.scale) return *schema_.scale;
  at.fail(
      "what are these scores? Say \"scale\": \"log_odds\", \"log_probability\" or \"probability\" "
      "in the schema or on this line, or use --scale");
}

double CandidateReader::checked(JsonValue v, Scale s) const {
  const double x = v.number("a score");
  if (s == Scale::probability && !(x >= 0 && x <= 1))
    v.fail("expected a probability between 0 and 1");
  if (s == Scale::log_probability && x > 1e-9) v.fail("expected a log-probability of 0 or less");
  if (std::abs(x) > kLargest) v.fail("a score must be at most 1e100 in size");
  return x;
}

std::optional<CandidateReader::Score> CandidateReader::score(JsonValue v,
                                                             std::optional<double> none,
                                                             double threshold, Scale s) const {
  const double x = checked(v, s);
  const double shift = log_odds(threshold);
  if (s == Scale::log_odds) return Score{x - none.value_or(0) - shift, sigmoid(x)};
  const double p = s == Scale::probability ? x : std::exp(std::min(x, 0.0));
  if (p == 0) return std::nullopt;
  if (!none) return Score{log_odds(p) - shift, p};
  const double log_p = s == Scale::probability ? std::log(p) : x;
  const double log_none =
      s == Scale::probability ? std::log(std::max(*none, kLeastProbability)) : *none;
  return Score{log_p - std::max(log_none, std::log(kLeastProbability)) - shift, p};
}

// {"person": 0.9, "none": 0.1}: find(name) gives the number of a type or relation.
template <typename Find, typename Take>
void CandidateReader::read_scores(JsonValue v, Find find, Take take) {
  v.expect(JsonType::object, "scores by name");
  if (v.size() == 0) return;
  const Scale s = scale(v);
  std::optional<double> none;
  for (auto [key, value] : v.members()) {
    if (key.raw_string() == "none" && find("none") < 0 && !value.is(JsonType::null))
      none = checked(value, s);
  }
  for (auto [key, value] : v.members()) {
    const std::string_view name = key.string();
    const int index = find(name);
    if (index < 0 && name == "none") continue;
    if (value.is(JsonType::null)) continue;
    take(key, index, value, none, s);
  }
}

int CandidateReader::offset(JsonValue v, std::string_view what) const {
  const std::int64_t x = v.integer(what);
  if (x < 0 || x > kMostCharacters) v.fail("expected " + std::string(what));
  return static_cast<int>(x);
}

namespace {

[[noreturn]] void unknown(JsonValue at, const char* what, const NameTable& names) {
  Nearest nearest(at.string());
  for (int i = 0; i < names.size(); ++i) nearest.consider(names.name(i));
  at.fail("the schema has no " + std::string(what) + " " + quoted(at.string()) +
          nearest.suggestion());
}

// The members that are wanted, in the order of `names`; others must be among `also`.
template <std::size_t N>
std::array<std::optional<JsonValue>, N> fields(JsonValue v, const char* what,
                                               const std::array<std::string_view, N>& names) {
  v.expect(JsonType::object, what);
  std::array<std::optional<JsonValue>, N> out;
  for (auto [key, value] : v.members()) {
    const std::string_view name = key.string();
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
      Nearest nearest(name);
      for (std::string_view n : names) nearest.consider(n);
      key.fail("unknown key " + quoted(name) + nearest.suggestion());
    }
    if (!value.is(JsonType::null)) out[at - names.begin()] = value;
  }
  return out;
}

JsonValue need(JsonValue object, const std::optional<JsonValue>& v, const char* name) {
  if (!v) object.fail("expected \"" + std::string(name) + "\" here");
  return *v;
}

}  // namespace

void CandidateReader::read_span(JsonValue v) {
  const auto [start, end, id, text, scores] =
      fields<5>(v, "a span", {"start", "end", "id", "text", "scores"});
  const int span = first_span_ + add_span(offset(need(v, start, "start"), "an offset"),
                                          offset(need(v, end, "end"), "an offset"),
                                          id ? id_text(*id, "an id") : "",
                                          text ? text->string("a text") : "", v.place());
  if (!scores) return;
  read_scores(
      *scores, [&](std::string_view n) { return types_.find(n); },
      [&](JsonValue key, int type, JsonValue value, std::optional<double> none, Scale s) {
        if (type < 0) unknown(key, "entity type", types_);
        const EntityType& t = schema_.types[type];
        const auto found = score(value, none, t.threshold, s);
        if (!found) return;
        const bool weak = found->confidence < t.candidate_threshold;
        if (!weak || schema_.as_nodes())
          c_.types.push_back({span, type, found->weight, found->confidence, weak});
      });
}

// The form of our own output: one type, and its probability.
void CandidateReader::read_entity(JsonValue v) {
  const auto [type, start, end, id, text, confidence, margin, sentence] = fields<8>(
      v, "an entity", {"type", "start", "end", "id", "text", "confidence", "margin", "sentence"});
  const JsonValue name = need(v, type, "type");
  const int t = types_.find(name.string("an entity type"));
  if (t < 0) unknown(name, "entity type", types_);
  const int span = add_span(
      offset(need(v, start, "start"), "an offset"), offset(need(v, end, "end"), "an offset"),
      id ? id_text(*id, "an id") : "", text ? text->string("a text") : "", v.place());
  add_type(span, t, checked(need(v, confidence, "confidence"), Scale::probability));
}

// Index of a span of this sentence, or -1: named by an id of another.
int CandidateReader::end_of(JsonValue v, End end) {
  const int here = static_cast<int>(c_.spans.size()) - first_span_;
  if (v.is(JsonType::number)) {
    const std::int64_t index = v.integer("the number of a span");
    if (index < 0 || index >= here)
      v.fail("there is no span " + std::to_string(index) + ": this line has " +
             std::to_string(here));
    return first_span_ + static_cast<int>(index);
  }
  const std::string_view id = v.string("the number or id of a span");
  if (const auto known = ids_.find(std::string(id)); known != ids_.end()) return known->second;
  const std::size_t index = end <= End::tail ? c_.pairs.size() : c_.facts.size();
  unresolved_.push_back({static_cast<int>(index), end, std::string(id), v.place()});
  return -1;
}

void CandidateReader::read_pair(JsonValue v) {
  const auto [head, tail, scores] = fields<3>(v, "a pair", {"head", "tail", "scores"});
  const JsonValue head_at = need(v, head, "head"), tail_at = need(v, tail, "tail");
  if (!scores) return;
  read_scores(
      *scores, [&](std::string_view n) { return relations_.find(n); },
      [&](JsonValue key, int relation, JsonValue value, std::optional<double> none, Scale s) {
        if (relation < 0) unknown(key, "relation", relations_);
        const Relation& r = schema_.relations[relation];
        const auto found = score(value, none, r.threshold, s);
        if (!found || found->confidence < r.candidate_threshold) return;
        const int h = end_of(head_at, End::head), t = end_of(tail_at, End::tail);
        add_scored_pair(h, t, relation, *found);
      });
}

void CandidateReader::read_relation(JsonValue v) {
  const auto [type, head, tail, confidence, margin, sentence, implied] = fields<7>(
      v, "a relation", {"type", "head", "tail", "confidence", "margin", "sentence", "implied"});
  const JsonValue name = need(v, type, "type");
  const int r = relations_.find(name.string("a relation"));
  if (r < 0) unknown(name, "relation", relations_);
  const double p = checked(need(v, confidence, "confidence"), Scale::probability);
  if (p <= 0 || p < schema_.relations[r].candidate_threshold) return;
  const int h = end_of(need(v, head, "head"), End::head);
  const int t = end_of(need(v, tail, "tail"), End::tail);
  add_scored_pair(h, t, r, {weight_of(p, schema_.relations[r].threshold), p});
}

void CandidateReader::read_fact(JsonValue v) {
  const auto [name, args, score] = fields<3>(v, "a fact", {"name", "args", "score"});
  const JsonValue name_at = need(v, name, "name"), args_at = need(v, args, "args");
  Fact fact;
  fact.name = facts_.find(name_at.string("the name of a fact"));
  if (fact.name < 0) unknown(name_at, "fact", facts_);
  args_at.expect(JsonType::array, "the spans it is about");
  if (args_at.size() != 1 && args_at.size() != 2) args_at.fail("expected one span or two");
  if (score) {
    fact.score = score->number("what it costs to give the fact up");
    if (!(fact.score > 0)) score->fail("expected a score above 0 (without one a fact is certain)");
    if (fact.score > kLargest) score->fail("a score must be at most 1e100, or left out");
  }
  End end = End::first;
  for (JsonValue e : args_at.elements()) {
    (end == End::first ? fact.a : fact.b) = end_of(e, end);
    end = End::second;
  }
  c_.facts.push_back(fact);
}

void CandidateReader::add(std::string_view line, std::string_view file, int line_number) {
  json_.parse({line, file, line_number});
  const JsonValue root = json_.root();
  // What `extract` writes beside entities and relations may stand here too, and is not looked at.
  const auto [id, document, text, offset_at, scale_at, spans, pairs, entities, relations, status,
              value, bound, gap, active, paid, unconstrained, k_best, facts, conflict, candidates] =
      fields<20>(root, "the candidates of a text",
                 {"id",       "document",     "text",       "offset",        "scale",  "spans",
                  "pairs",    "entities",     "relations",  "status",        "value",  "bound",
                  "gap",      "active_rules", "paid_rules", "unconstrained", "k_best", "facts",
                  "conflict", "candidates"});
  Sentence s;
  s.file = file;
  s.line = line_number;
  if (id) s.id = id_text(*id, "an id");
  if (document) {
    const std::string name = id_text(*document, "the id of a document");
    if (c_.sentences.empty()) c_.document = name;
  }
  if (text) {
    s.text = text->string("a text");
    s.has_text = true;
  }
  if (offset_at) {
    s.base = offset(*offset_at, "an offset");
    s.placed = true;
  }
  line_scale_.reset();
  if (scale_at) {
    line_scale_ = scale_from_name(scale_at->string("a scale"));
    if (!line_scale_)
      scale_at->fail("unknown scale " + quoted(scale_at->string()) +
                     "; there are log_odds, log_probability and probability");
  }
  add_sentence(std::move(s));
  auto each = [&](const std::optional<JsonValue>& v, const char* what, auto read) {
    if (!v) return;
    for (JsonValue e : v->expect(JsonType::array, what).elements()) (this->*read)(e);
  };
  each(spans, "a list of spans", &CandidateReader::read_span);
  each(entities, "a list of entities", &CandidateReader::read_entity);
  each(pairs, "a list of pairs", &CandidateReader::read_pair);
  each(relations, "a list of relations", &CandidateReader::read_relation);
  each(facts, "a list of facts", &CandidateReader::read_fact);
}

std::string document_of(std::string_view line, Json& json) {
  try {
    json.parse({line, "", 1});
    if (!json.root().is(JsonType::object)) return "";
    for (auto [key, value] : json.root().members()) {
      if (key.string() == "document" && !value.is(JsonType::null))
        return id_text(value, "the id of a document");
    }
  } catch (const Error&) {  // said again, with its place, when the line is read for good
  }
  return "";
}

}  // namespace entente::schema
