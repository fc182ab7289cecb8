// Annotations in other formats, as candidates and as results.
//
//   read_brat(ann, txt, "a.ann", schema, 0.9, reader);     // one document
//   std::string out = write_brat(schema, candidates, extraction);
//
// brat standoff: text-bound annotations (T) and binary relations (R); a note (#) that is a number
// is the probability of what it is about, others are passed over, as are events and attributes.
// Spans in several pieces are read as one from the first to the last character.
//
// SpERT's JSON: tokens, entities by the numbers of their tokens, relations by the numbers of their
// entities; "score" of either, if it is there, is a probability. The text is the tokens with a
// space between them.
//
// Annotations without a probability get the one given. Offsets count Unicode characters in both.
// Linear; throws Error with file:line:column.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/candidates.h"
#include "schema/extract.h"

namespace entente::schema {

void read_brat(std::string_view ann, const std::optional<std::string>& text, std::string_view file,
               const Schema& schema, double probability, CandidateReader& reader);
std::string write_brat(const Schema& schema, const Candidates& c, const Extraction& e);

// One object of the list.
void read_spert(std::string_view object, std::string_view file, int line, const Schema& schema,
                double probability, CandidateReader& reader);
std::string write_spert(const Schema& schema, const Candidates& c, const Extraction& e);

}  // namespace entente::schema
