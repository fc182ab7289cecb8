// Extraction under a schema, from arrays.
#include <pybind11/stl.h>

#include <algorithm>

#include "base/parallel.h"
#include "bindings.h"
#include "entente/extract.h"

namespace entente::python {

namespace {

using extract::Decoder;
using extract::Extraction;
using extract::Proposals;
using extract::Schema;

py::dict plain(const Extraction& e) {
  auto entities = [](const std::vector<extract::Entity>& list) {
    py::list out;
    for (const extract::Entity& x : list)
      out.append(py::make_tuple(x.span, x.type, x.weight, x.margin));
    return out;
  };
  auto relations = [](const std::vector<extract::Relation>& list) {
    py::list out;
    for (const extract::Relation& x : list)
      out.append(py::make_tuple(x.pair, x.relation, x.head, x.tail, x.head_type, x.tail_type,
                                x.weight, x.margin));
    return out;
  };
  py::dict out;
  out["status"] = std::string(status_name(e.status));
  out["value"] = e.value;
  out["bound"] = e.bound;
  out["entities"] = entities(e.entities);
  out["relations"] = relations(e.relations);
  out["active_rules"] = e.active_rules;
  out["paid_rules"] = e.paid_rules;
  out["conflict"] = e.conflict;
  py::list best;
  for (const extract::Alternative& a : e.k_best) {
    best.append(py::make_tuple(a.value, entities(a.entities), relations(a.relations)));
  }
  out["k_best"] = best;
  py::list reasons;
  for (const extract::Reason& r : e.reasons) {
    reasons.append(
        py::make_tuple(r.relation, r.type, r.head, r.tail, r.weight, r.kept, r.margin, r.because));
  }
  out["reasons"] = reasons;
  return out;
}

extract::DecodeOptions options_of(const std::string& scores, double time_limit, bool explain,
                                  int k_best) {
  extract::DecodeOptions o;
  if (scores == "probability") {
    o.scores = extract::Scores::probability;
  } else if (scores == "log_probability") {
    o.scores = extract::Scores::log_probability;
  } else if (scores != "log_odds") {
    throw Error("unknown scale \"" + scores +
                "\"; there are log_odds, log_probability and probability");
  }
  o.engine.time_limit = time_limit;
  o.explain = explain;
  o.k_best = k_best;
  return o;
}

static_assert(sizeof(extract::SpanOf) == 8 && sizeof(extract::PairOf) == 8);

// (name, first, second, score) of each text; second -1: of the first alone; an infinite score: certain.
using Facts = std::vector<std::vector<std::tuple<std::string, int, int, double>>>;

std::vector<std::vector<extract::FactOf>> read_facts(const Schema& schema, const Facts& given,
                                                     std::size_t texts) {
  std::vector<std::vector<extract::FactOf>> out(texts);
  if (!given.empty() && given.size() != texts)
    throw Error("facts: expected a list for each of " + std::to_string(texts) + " texts");
  const std::vector<std::string>& names = schema.facts();
  for (std::size_t i = 0; i < given.size(); ++i) {
    for (const auto& [name, first, second, score] : given[i]) {
      const auto at = std::find(names.begin(), names.end(), name);
      if (at == names.end()) throw Error("facts: the schema has no fact \"" + name + "\"");
      out[i].push_back({static_cast<std::int32_t>(at - names.begin()), first, second, score});
    }
  }
  return out;
}

// A batch: rows of all texts one after the other; pairs count spans within their own text.
py::list decode_schema(const Schema& schema, const py::object& spans_,
                       const py::object& span_scores_, const py::object& pairs_,
                       const py::object& pair_scores_, const py::object& span_counts_,
                       const py::object& pair_counts_, const std::string& scale, double time_limit,
                       bool explain, int k_best, int threads, const Facts& given_facts) {
  const Integers spans(spans_, "spans", 2), pairs(pairs_, "pairs", 2),
      span_counts(span_counts_, "span_counts"), pair_counts(pair_counts_, "pair_counts");
  const Matrix span_scores(span_scores_, "span_scores", 2),
      pair_scores(pair_scores_, "pair_scores", 2);
  const std::size_t texts = span_counts.rows();
  if (pair_counts.rows() != texts) throw Error("pair_counts: expected " + std::to_string(texts));
  auto same = [](std::size_t a, std::size_t b, const char* what) {
    if (a != b)
      throw Error(std::string(what) + ": expected " + std::to_string(b) + " rows, found " +
                  std::to_string(a));
  };
  same(span_scores.rows(), spans.rows(), "span_scores");
  same(pair_scores.rows(), pairs.rows(), "pair_scores");
  std::vector<std::size_t> span_at(texts + 1, 0), pair_at(texts + 1, 0);
  for (std::size_t i = 0; i < texts; ++i) {
    if (span_counts[i] < 0 || pair_counts[i] < 0) throw Error("counts must be 0 or more");
    span_at[i + 1] = span_at[i] + span_counts[i];
    pair_at[i + 1] = pair_at[i] + pair_counts[i];
  }
  same(spans.rows(), span_at.back(), "spans");
  same(pairs.rows(), pair_at.back(), "pairs");
  const extract::DecodeOptions options = options_of(scale, time_limit, explain, k_best);
  const auto facts = read_facts(schema, given_facts, texts);
  std::vector<Extraction> found(texts);
  Interrupts interrupts;
  {
    const py::gil_scoped_release release;
    const int most =
        std::min(thread_count(threads), static_cast<int>(std::max<std::size_t>(texts, 1)));
    std::vector<Decoder> decoders;
    for (int t = 0; t < most; ++t) decoders.emplace_back(schema);
    const auto* all_spans = reinterpret_cast<const extract::SpanOf*>(spans.data());
    const auto* all_pairs = reinterpret_cast<const extract::PairOf*>(pairs.data());
    parallel_for(
        static_cast<int>(texts), most,
        [&](int i, int thread) {
          extract::DecodeOptions mine = options;
          mine.engine.stop = interrupts.stop();
          const Proposals p{
              .spans = {all_spans + span_at[i], static_cast<std::size_t>(span_counts[i])},
              .span_scores = span_scores.view().part(span_at[i], span_counts[i]),
              .pairs = {all_pairs + pair_at[i], static_cast<std::size_t>(pair_counts[i])},
              .pair_scores = pair_scores.view().part(pair_at[i], pair_counts[i]),
              .facts = facts[i]};
          decoders[thread].decode(p, mine, found[i]);
        },
        1);
  }
  take_interrupt(interrupts);  // what there is is given back, with its bound
  py::list out;
  for (const Extraction& e : found) out.append(plain(e));
  return out;
}

}  // namespace

void bind_schema(py::module_& m) {
  py::class_<Schema>(m, "Schema")
      .def_static("parse", [](const std::string& json, const std::string& name,
                              const std::string& mode) { return Schema::parse(json, name, mode); })
      .def_static("load", [](const std::string& path,
                             const std::string& mode) { return Schema::load(path, mode); })
      .def_property_readonly("facts", &Schema::facts)
      .def_property_readonly("mode", &Schema::mode)
      .def_property_readonly("types", &Schema::types)
      .def_property_readonly("relations", &Schema::relations)
      .def_property_readonly("rules", &Schema::rules)
      .def_property_readonly("json", &Schema::json);
  m.def("decode_schema", &decode_schema);
  m.def("decode_schema_json",
        [](const Schema& schema, const std::string& line, bool explain, int k_best) {
          const py::gil_scoped_release release;
          Decoder decoder(schema);
          extract::DecodeOptions o;
          o.explain = explain;
          o.k_best = k_best;
          return decoder.decode_json(line, o);
        });
}

}  // namespace entente::python
