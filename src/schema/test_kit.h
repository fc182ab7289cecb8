// What tests of extraction share: random schemas with texts for them, and the judge that enumeration uses.
#pragma once

#include <string>
#include <vector>

#include "schema/candidates.h"
#include "schema/judge_kit.h"
#include "schema/random_schema_kit.h"

namespace entente::schema::kit {

inline Candidates read_lines(const Schema& schema, const std::vector<std::string>& lines) {
  CandidateReader reader(schema, std::nullopt);
  for (std::size_t i = 0; i < lines.size(); ++i)
    reader.add(lines[i], "c.jsonl", static_cast<int>(i) + 1);
  Candidates out;
  reader.finish(out);
  return out;
}

}  // namespace entente::schema::kit
