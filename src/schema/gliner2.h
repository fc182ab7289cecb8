// GLiNER2's meaning of a schema: what its joint decoder may answer, said with our rules.
//
//   add_companions(schema);              // the reader does, where "mode" is gliner2
//   as_nodes(schema, candidates);        // the extractor does, before it builds a model
//
// There a candidate entity is one type at one place, so that a span has several types where its policy lets them
// overlap, and a pair is proposed once for each two types of its ends. A symmetric or inverse relation asks for nothing:
// the companion of what was chosen is added, for nothing, unless it was chosen as well. Companions are pairs of a
// relation of their own (Relation::companion_of) that other rules speak of too; those of GLiNER2's newer releases,
// where the final answer is checked, are counted and compared like any pair, and each relation gets one at most, since
// all of them stand in the same slot, "none". Linear in what they make.
#pragma once

#include "schema/candidates.h"
#include "schema/schema.h"

namespace entente::schema {

void add_companions(Schema& schema);

// Doing it again does nothing.
void as_nodes(const Schema& schema, Candidates& candidates);

}  // namespace entente::schema
