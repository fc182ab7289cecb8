// What the fuzzers of schemas and candidates ask: a text that is no Error can be extracted from,
// and what comes out can be read again.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "entente/error.h"
#include "schema/converters.h"
#include "schema/extract.h"
#include "schema/write.h"

namespace entente::fuzz {

inline void require(bool condition) {
  if (!condition) std::abort();
}

// True if the text was a schema. A line of two spans and a few pairs goes through it.
inline bool schema_judge(std::string_view text) {
  try {
    const schema::Schema s = schema::read_schema(text, "s.json");
    if (s.types.size() > 20 || s.relations.size() > 20 || s.rules.size() > 60) return true;
    schema::CandidateReader reader(s, schema::Scale::log_odds);
    reader.add_sentence({});
    for (int k = 0; k < 3; ++k) {
      reader.add_span(2 * k, 2 * k + 3, "", "x", {});
      for (std::size_t t = 0; t < s.types.size(); ++t)
        reader.add_type(k, static_cast<int>(t), 0.3 + 0.2 * k);
    }
    for (std::size_t r = 0; r < s.relations.size(); ++r) {
      reader.add_pair(0, 1, static_cast<int>(r), 0.7);
      reader.add_pair(1, 2, static_cast<int>(r), 0.6);
    }
    schema::Candidates c;
    reader.finish(c);
    schema::ExtractOptions options;
    options.engine.time_limit = 1;
    schema::Extraction e;
    schema::Extractor(s).run(c, options, e);
    require(e.status != Status::optimal || e.bound >= e.value - 1e-6);
    require(e.status != Status::infeasible || !e.conflict.empty());
    require(!schema::write_json(s, c, e, {}).empty());
    return true;
  } catch (const Error& error) {
    // A place, but for what only the grounding can see.
    require(error.place().line > 0 || !error.message().empty());
    return false;
  }
}

inline const schema::Schema& fuzz_schema() {
  static const schema::Schema s = schema::read_schema(
      R"({"scale": "probability", "entities": {"person": {}, "place": {"overlap": "nested"}},
          "relations": {"in": {"head": "person", "tail": "place", "max_per_head": 1},
                        "knows": {"symmetric": true}, "part_of": {"acyclic": true}}})",
      "s.json");
  return s;
}

// True if the text was a line of candidates: what is extracted from it is read again, and stands.
inline bool candidates_judge(std::string_view text) {
  const schema::Schema& s = fuzz_schema();
  try {
    schema::CandidateReader reader(s, std::nullopt);
    reader.add(text, "c.jsonl", 1);
    schema::Candidates c;
    reader.finish(c);
    if (c.spans.size() > 60 || c.pairs.size() > 200) return true;
    schema::ExtractOptions options;
    options.engine.time_limit = 1;
    schema::Extraction e;
    schema::Extractor(s).run(c, options, e);
    require(e.status != Status::infeasible);  // nothing is asked for by this schema
    const std::string out = schema::write_json(s, c, e, {.brief = true});
    schema::Candidates again;
    reader.add(out.substr(0, out.size() - 1), "again.jsonl", 1);
    reader.finish(again);
    require(again.types.size() <= e.chosen.types.size());
    require(!schema::write_brat(s, c, e).empty() || e.chosen.types.empty());
    return true;
  } catch (const Error& error) {
    require(error.place().line >= 1 && !error.place().file.empty());
    return false;
  }
}

}  // namespace entente::fuzz
