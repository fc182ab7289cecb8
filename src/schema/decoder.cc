// entente/extract.h: extraction for those who have arrays of scores.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/files.h"
#include "entente/error.h"
#include "entente/extract.h"
#include "schema/extract.h"
#include "schema/write.h"

namespace entente::extract {

struct Schema::Data {
  std::string json, mode;
  schema::Schema parts;
  std::vector<std::string> types, relations;
};

Schema Schema::parse(std::string_view json, std::string_view name, std::string_view mode) {
  auto data = std::make_shared<Data>();
  data->json = json;
  data->mode = mode;
  const auto known = schema::mode_from_name(mode);
  if (!mode.empty() && !known)
    throw Error("unknown mode \"" + std::string(mode) +
                "\"; there are entente, gliner2 and gliner2_unchecked");
  data->parts = schema::read_schema(json, name, known);
  for (const schema::EntityType& t : data->parts.types) data->types.push_back(t.name);
  for (int r = 0; r < data->parts.relation_count(); ++r)
    data->relations.push_back(data->parts.relations[r].name);
  Schema out;
  out.data_ = std::move(data);
  return out;
}

Schema Schema::load(const std::string& path, std::string_view mode) {
  return parse(read_whole_file(path), path, mode);
}

const std::vector<std::string>& Schema::types() const { return data_->types; }
const std::vector<std::string>& Schema::relations() const { return data_->relations; }
const std::vector<std::string>& Schema::rules() const { return data_->parts.rule_names; }
const std::vector<std::string>& Schema::facts() const { return data_->parts.facts; }
const std::string& Schema::json() const { return data_->json; }
const std::string& Schema::mode() const { return data_->mode; }
const schema::Schema& Schema::parts() const { return data_->parts; }

struct Decoder::Parts {
  explicit Parts(Schema s) : schema(std::move(s)), extractor(schema.parts()) {}

  void read(const Proposals& p, Scores scale);
  void read_spans(const Proposals& p, Scores scale);
  void read_pairs(const Proposals& p, Scores scale);
  void read_facts(const Proposals& p);
  void write_reasons(std::vector<Reason>& out) const;
  // The caller's number of a span, and of a relation that holds companions.
  std::int32_t given(int span) const {
    return span_of[candidates.origin.empty() ? span : candidates.origin[span]];
  }
  std::int32_t given_relation(int r) const {
    const int of = schema.parts().relations[r].companion_of;
    return of < 0 ? r : of;
  }
  void write(const schema::Choice& choice, std::vector<Entity>& entities,
             std::vector<Relation>& relations) const;

  Schema schema;
  schema::Extractor extractor;
  schema::Candidates candidates;
  schema::Extraction extraction;
  std::vector<std::int32_t> order, kept;  // of spans; kept[s]: its number among candidates
  std::vector<std::int32_t> span_of;      // of a candidate: the caller's number
  std::vector<std::tuple<int, int, std::int32_t>>
      at;  // (head, tail) of candidates -> the caller's pair
};

namespace {

// Log-odds of a score, and its probability; false: not proposed.
bool read_score(double x, Scores scale, double& odds, double& probability) {
  if (std::isnan(x) || x == -kInfinity) return false;
  if (x == kInfinity) throw Error("a score is infinite");
  if (scale == Scores::log_odds) {
    odds = x;
    probability = x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
    return true;
  }
  if (scale == Scores::probability && (x < 0 || x > 1)) {
    throw Error("a score of " + std::to_string(x) + " is no probability");
  }
  probability = scale == Scores::probability ? x : std::exp(std::min(x, 0.0));
  odds = schema::log_odds(probability);
  return probability > 0;
}

void expect_size(const MatrixView& m, std::size_t rows, std::size_t columns, const char* what) {
  if (m.rows() == rows && (m.columns() == columns || rows == 0)) return;
  throw Error("expected " + std::to_string(rows) + " x " + std::to_string(columns) + " " + what +
              " scores, found " + std::to_string(m.rows()) + " x " + std::to_string(m.columns()));
}

}  // namespace

// Equal spans are one, as for the command: the best score counts.
void Decoder::Parts::read_spans(const Proposals& p, Scores scale) {
  const schema::Schema& s = schema.parts();
  const std::size_t n = p.spans.size(), types = s.types.size();
  expect_size(p.span_scores, n, types, "span");
  order.resize(n);
  kept.resize(n);
  span_of.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (p.spans[i].begin < 0 || p.spans[i].end <= p.spans[i].begin) {
      throw Error("span " + std::to_string(i) + " goes from " + std::to_string(p.spans[i].begin) +
                  " to " + std::to_string(p.spans[i].end) + ": expected one unit or more");
    }
    order[i] = static_cast<std::int32_t>(i);
  }
  auto key = [&](int i) { return std::tuple(p.spans[i].begin, p.spans[i].end, i); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  for (std::size_t k = 0; k < n; ++k) {
    const int i = order[k];
    const bool twin = k > 0 && p.spans[i].begin == p.spans[order[k - 1]].begin &&
                      p.spans[i].end == p.spans[order[k - 1]].end;
    kept[i] = twin ? kept[order[k - 1]] : i;
  }
  for (std::size_t i = 0; i < n; ++i) {  // first of twins: numbers in the caller's order
    if (kept[i] != static_cast<std::int32_t>(i)) continue;
    kept[i] = static_cast<std::int32_t>(span_of.size());
    span_of.push_back(static_cast<std::int32_t>(i));
    schema::Span& span = candidates.spans.emplace_back();
    span.start = span.begin = p.spans[i].begin;
    span.end = span.finish = p.spans[i].end;
  }
  for (std::size_t k = 1; k < n; ++k) {  // twins come after their first in `order`
    const int i = order[k], before = order[k - 1];
    if (p.spans[i].begin == p.spans[before].begin && p.spans[i].end == p.spans[before].end)
      kept[i] = kept[before];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t t = 0; t < types; ++t) {
      double odds = 0, probability = 0;
      if (!read_score(p.span_scores(i, t), scale, odds, probability)) continue;
      const bool weak = probability < s.types[t].candidate_threshold;
      if (weak && !s.as_nodes()) continue;
      candidates.types.push_back({kept[i], static_cast<int>(t),
                                  odds - schema::log_odds(s.types[t].threshold), probability,
                                  weak});
    }
  }
}

void Decoder::Parts::read_pairs(const Proposals& p, Scores scale) {
  const schema::Schema& s = schema.parts();
  const auto relations = static_cast<std::size_t>(s.relation_count());
  const auto spans = static_cast<std::int32_t>(p.spans.size());
  expect_size(p.pair_scores, p.pairs.size(), relations, "pair");
  at.clear();
  for (std::size_t i = 0; i < p.pairs.size(); ++i) {
    const auto [head, tail] = p.pairs[i];
    if (head < 0 || head >= spans || tail < 0 || tail >= spans) {
      throw Error("pair " + std::to_string(i) + " is of spans " + std::to_string(head) + " and " +
                  std::to_string(tail) + "; there are " + std::to_string(spans));
    }
    at.emplace_back(kept[head], kept[tail], static_cast<std::int32_t>(i));
    for (std::size_t r = 0; r < relations; ++r) {
      double odds = 0, probability = 0;
      if (!read_score(p.pair_scores(i, r), scale, odds, probability)) continue;
      if (probability < s.relations[r].candidate_threshold) continue;
      candidates.pairs.push_back({.relation = static_cast<int>(r),
                                  .head = kept[head],
                                  .tail = kept[tail],
                                  .weight = odds - schema::log_odds(s.relations[r].threshold),
                                  .confidence = probability});
    }
  }
  std::sort(at.begin(), at.end());
}

void Decoder::Parts::read_facts(const Proposals& p) {
  const auto spans = static_cast<std::int32_t>(p.spans.size());
  const auto names = static_cast<std::int32_t>(schema.parts().facts.size());
  for (const FactOf& f : p.facts) {
    if (f.name < 0 || f.name >= names) throw Error("a fact has a name that the schema has not");
    if (f.first < 0 || f.first >= spans || f.second < -1 || f.second >= spans)
      throw Error("a fact is of spans " + std::to_string(f.first) + " and " +
                  std::to_string(f.second) + "; there are " + std::to_string(spans));
    if (!(f.score > 0)) throw Error("a fact's score must be above 0 (without one it is certain)");
    candidates.facts.push_back(
        {f.name, kept[f.first], f.second < 0 ? -1 : kept[f.second], f.score});
  }
}

void Decoder::Parts::write_reasons(std::vector<Reason>& out) const {
  out.clear();
  const schema::Extraction& e = extraction;
  auto has = [](const std::vector<int>& list, std::size_t i) {
    return std::binary_search(list.begin(), list.end(), static_cast<int>(i));
  };
  for (std::size_t i = 0; i < e.type_reasons.size(); ++i) {
    const schema::TypeScore& t = candidates.types[i];
    out.push_back({false, t.type, given(t.span), -1, t.weight, has(e.chosen.types, i),
                   e.type_reasons[i].margin, e.type_reasons[i].because});
  }
  for (std::size_t i = 0; i < e.pair_reasons.size(); ++i) {
    const schema::Pair& p = candidates.pairs[i];
    const bool kept_it = has(e.chosen.pairs, i);
    if (p.added && !kept_it) continue;
    out.push_back({true, given_relation(p.relation), given(p.head), given(p.tail), p.weight,
                   kept_it, e.pair_reasons[i].margin, e.pair_reasons[i].because});
  }
}

void Decoder::Parts::read(const Proposals& p, Scores scale) {
  candidates.clear();
  candidates.sentences.emplace_back();
  read_spans(p, scale);
  read_pairs(p, scale);
  read_facts(p);
  schema::put_in_order(schema.parts(), candidates);
}

void Decoder::Parts::write(const schema::Choice& choice, std::vector<Entity>& entities,
                           std::vector<Relation>& relations) const {
  entities.clear();
  relations.clear();
  const schema::ChosenEntities chosen(schema.parts(), candidates, choice);
  auto type_at = [&](const schema::Pair& p, bool head) {
    return candidates.types[choice.types[chosen.end_of(p, head)]].type;
  };
  for (int i : choice.types) {
    const schema::TypeScore& t = candidates.types[i];
    entities.push_back({given(t.span), t.type, t.weight, 0});
  }
  for (int i : choice.pairs) {
    const schema::Pair& p = candidates.pairs[i];
    const std::vector<int>& origin = candidates.origin;
    const int head = origin.empty() ? p.head : origin[p.head];
    const int tail = origin.empty() ? p.tail : origin[p.tail];
    const auto found = std::lower_bound(at.begin(), at.end(), std::tuple(head, tail, -1));
    const bool there =
        !p.added && found != at.end() && std::get<0>(*found) == head && std::get<1>(*found) == tail;
    relations.push_back({there ? std::get<2>(*found) : -1, given_relation(p.relation),
                         given(p.head), given(p.tail), type_at(p, true), type_at(p, false),
                         p.weight, 0});
  }
}

Decoder::Decoder(Schema schema) : parts_(std::make_unique<Parts>(std::move(schema))) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;
const Schema& Decoder::schema() const { return parts_->schema; }

void Decoder::decode(const Proposals& proposals, const DecodeOptions& options, Extraction& out) {
  Parts& p = *parts_;
  p.read(proposals, options.scores);
  schema::ExtractOptions o;
  o.engine = options.engine;
  o.rules = o.conflict = o.margins = o.reasons = options.explain;
  o.k_best = options.k_best;
  schema::Extraction& e = p.extraction;
  p.extractor.run(p.candidates, o, e);
  out.status = e.status;
  out.value = e.value;
  out.bound = e.bound;
  p.write(e.chosen, out.entities, out.relations);
  for (std::size_t i = 0; i < out.entities.size() && i < e.type_margins.size(); ++i)
    out.entities[i].margin = e.type_margins[i];
  for (std::size_t i = 0; i < out.relations.size() && i < e.pair_margins.size(); ++i)
    out.relations[i].margin = e.pair_margins[i];
  out.active_rules = e.active_rules;
  out.paid_rules = e.paid_rules;
  out.conflict = e.conflict;
  p.write_reasons(out.reasons);
  out.k_best.resize(e.k_best.size());
  for (std::size_t i = 0; i < e.k_best.size(); ++i) {
    out.k_best[i].value = e.k_best[i].value;
    p.write(e.k_best[i], out.k_best[i].entities, out.k_best[i].relations);
  }
}

std::string Decoder::decode_json(std::string_view line, const DecodeOptions& options) {
  Parts& p = *parts_;
  schema::CandidateReader reader(p.schema.parts(), std::nullopt);
  reader.add(line, "candidates", 1);
  reader.finish(p.candidates);
  schema::ExtractOptions o;
  o.engine = options.engine;
  o.margins = o.reasons = options.explain;
  o.k_best = options.k_best;
  p.extractor.run(p.candidates, o, p.extraction);
  std::string out = schema::write_json(p.schema.parts(), p.candidates, p.extraction, {});
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

}  // namespace entente::extract
