// Scores of spans and pairs in, the best entities and relations under a schema out.
#include <entente/extract.h>

#include <iostream>

int main() {
  namespace extract = entente::extract;
  const auto schema = extract::Schema::parse(R"({
    "entities": {"person": {}, "place": {}},
    "relations": {"born_in": {"head": ["person"], "tail": ["place"]}}})");
  const std::vector<extract::SpanOf> spans = {{0, 2}, {4, 5}};
  const std::vector<float> span_scores = {2.0f, -1.0f, 0.3f, 0.2f};  // log-odds: person, place
  const std::vector<extract::PairOf> pairs = {{0, 1}};
  const std::vector<float> pair_scores = {0.5f};
  extract::Decoder decoder(schema);
  extract::Extraction found;
  decoder.decode({.spans = spans,
                  .span_scores = {span_scores.data(), 2, 2},
                  .pairs = pairs,
                  .pair_scores = {pair_scores.data(), 1, 1}},
                 {}, found);
  for (const extract::Entity& e : found.entities)
    std::cout << schema.types()[e.type] << "(" << e.span << ")\n";
  for (const extract::Relation& r : found.relations) {
    std::cout << schema.relations()[r.relation] << "(" << r.head << ", " << r.tail << ")\n";
  }
  std::cout << status_name(found.status) << ", " << found.value << " of at most " << found.bound
            << "\n";
}
