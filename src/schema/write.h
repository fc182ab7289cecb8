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
// The entities of a choice, for those who name or number them: a span of several types is several.
struct ChosenEntities {
  ChosenEntities(const Schema& schema, const Candidates& candidates, const Choice& choice)
      : schema_(schema), c_(candidates), choice_(choice) {}
  // Of each, no two the same: the span's name, and for its second type on also the type.
  std::vector<std::string> ids(const std::vector<std::string>& span_names) const;
  // The entity that is a chosen pair's head or tail: of the span's types one that the relation allows.
  int end_of(const Pair& pair, bool head) const;

 private:
  const Schema& schema_;
  const Candidates& c_;
  const Choice& choice_;
};
// Six digits.
double rounded(double confidence);

}  // namespace entente::schema
