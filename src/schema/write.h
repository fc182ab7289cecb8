// An extraction as JSON: one object, whose "entities" and "relations" are those of GLiNER2's joint
// extraction, with ours beside them. docs/schema.md lists the keys.
//
//   std::cout << write_json(schema, candidates, extraction, {});      // one line
//
// Numbers read back to the same bits, but for confidences, which have six digits. Linear.
#pragma once

#include <string>
#include <vector>

#include "schema/candidates.h"
#include "schema/extract.h"
#include "schema/schema.h"

namespace entente::schema {

struct WriteOptions {
  bool document = false;  // several sentences: each entity says which
  bool brief = false;     // only what was chosen, status, value and bound
};

std::string write_json(const Schema& schema, const Candidates& candidates, const Extraction& e,
                       const WriteOptions& options);

// A name for each span: its id, or "e7"; no two are the same.
std::vector<std::string> span_names(const Candidates& candidates);
// Six digits.
double rounded(double confidence);

}  // namespace entente::schema
