// Seeded candidates as a model would propose them, under one schema, and two decoders that people
// write for them: greedy and beam search.
//
//   const Schema schema = stress_schema(false);
//   Candidates c = make_stress(schema, 28, 232, 17);
//   Choice g = greedy(schema, c), b = beam(schema, c, 32);
//
// A text has a hidden truth: spans that do not overlap, and relations that fit their types. Scores
// (log-odds) favour it, with noise such that a good part of what scores above 0 cannot stand
// together. The same numbers on every machine. Both decoders keep every hard rule of the schema.
#pragma once

#include <cstdint>

#include "schema/candidates.h"
#include "schema/extract.h"
#include "schema/schema.h"

namespace entente::bench {

// Typed arguments, no overlap, one tail a head for some relations; for documents also counts over
// the whole and relations without cycles.
schema::Schema stress_schema(bool document);
// The same relations, each with at most `most` pairs a head or a tail, nothing over the whole.
schema::Schema limited_schema(int most);

// One sentence of `spans` candidates with two types each, and `pairs` pairs.
schema::Candidates make_stress(const schema::Schema& schema, int spans, int pairs,
                               std::uint64_t seed);
// Many sentences; most pairs are near each other, some far.
schema::Candidates make_document(const schema::Schema& schema, int spans, int pairs,
                                 std::uint64_t seed);
// Weights drawn anew, uniform in [-1, 1]: scores that say little, so that rules decide much.
void make_uniform(std::uint64_t seed, schema::Candidates& c);

// Spans by falling weight where they overlap nothing taken, then pairs by falling weight where
// their ends allow it.
schema::Choice greedy(const schema::Schema& schema, const schema::Candidates& c);
// The same order; each candidate is taken or left, and the `width` best partial answers stay.
schema::Choice beam(const schema::Schema& schema, const schema::Candidates& c, int width);

}  // namespace entente::bench
