#include <climits>

#include "bench/extract_problems.h"
#include "bench/graph_families.h"
#include "schema/model.h"

namespace entente::bench {

GraphProblem make_limited_document(std::uint64_t seed, int spans, int pairs, int most,
                                   bool uniform) {
  const schema::Schema schema = limited_schema(most);
  schema::Candidates c = make_document(schema, spans, pairs, seed);
  if (uniform) make_uniform(seed, c);
  schema::Model model;
  model.build(schema, c, {.priced_from = INT_MAX});
  GraphProblem p;
  p.kind = "document " + std::to_string(spans) + " limit " + std::to_string(most) +
           (uniform ? " uniform" : "");
  p.graph = model.graph();
  return p;
}

}  // namespace entente::bench
