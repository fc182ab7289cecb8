// A schema: which entities and relations there can be, and the rules that hold between them.
//
//   Schema schema = read_schema(text, "news.json");       // throws Error with file:line:column
//   schema.drop_rule("overlap");                          // as if it had not been written
//
// docs/schema.md is the page for those who write one, docs/schema.schema.json its JSON Schema. What
// stands in the options of a type or relation becomes a rule with a name as well (`kill.head`), so
// that there is one list of rules: messages name them, and each can be dropped. Reading is linear;
// a Schema is a value, and safe to share between threads once read.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entente/error.h"
#include "entente/ids.h"
#include "schema/formula.h"

namespace entente::schema {

enum class Overlap : std::uint8_t { allow, nested, disallow };  // each stricter than the one before
enum class Scale : std::uint8_t { log_odds, log_probability, probability };

// Whose meaning a schema has: ours, or that of GLiNER2's decoder, whose answers are checked at the end in its newer
// releases and were not in older ones (docs/schema.md, "GLiNER2").
enum class Mode : std::uint8_t { entente, gliner2, gliner2_unchecked };

std::optional<Scale> scale_from_name(std::string_view name);
std::optional<Mode> mode_from_name(std::string_view name);

struct EntityType {
  std::string name;
  double threshold = 0.5;          // a probability: what scores more is worth choosing
  double candidate_threshold = 0;  // what is less probable is not proposed
  int max_candidates = -1;         // of one text; -1: any number
  Overlap overlap = Overlap::disallow;
};

struct Relation {
  std::string name;
  double threshold = 0.5, candidate_threshold = 0;
  std::vector<int> head, tail;  // types; empty: any
  int companion_of = -1;        // gliner2: holds the pairs that this relation got as companions
};

enum class RuleKind : std::uint8_t {
  head_types,     // the head of `relations` is of one of `types`
  tail_types,     // the tail
  no_self_loops,  // head and tail differ
  one_direction,  // not both (a, b) and (b, a)
  overlap,        // the types' overlap policies
  per_head,       // lower <= relations from one head <= upper
  per_tail,       // ... to one tail
  symmetric,      // (a, b) and (b, a), or neither
  inverse,        // (a, b) of one and (b, a) of the other, or neither
  implied,        // (a, b) of one only with (a, b) of the other
  acyclic,        // no directed cycle
  exclusive,      // at most one of `relations` between two spans
  count,          // lower <= how many of `types` and `relations` <= upper
  formula,        // in the rule language
};

struct SchemaRule {
  static constexpr int kNoLimit = std::numeric_limits<int>::max();

  RuleKind kind{};
  int name = 0;         // index into Schema::rule_names
  double cost = kHard;  // of breaking it once: see docs/schema.md for what "once" is
  std::vector<int> relations, types;
  int other = -1;  // inverse, implied: the second relation
  int lower = 0, upper = kNoLimit;
  bool per_document = false;  // count: over the document, not each sentence
  bool directed = true;       // exclusive: (b, a) is another pair than (a, b)
  bool add_missing = true;    // symmetric, inverse, implied: the second need not be proposed
  Formula formula;

  bool hard() const { return cost == kHard; }
};

// gliner2: (b, a) of the relation `shadow` is added for (a, b) of `from`, as the rule of this name says.
struct CompanionOf {
  int from = 0, shadow = 0, rule = 0;
};

struct Schema {
  std::vector<EntityType> types;
  std::vector<Relation> relations;
  std::vector<SchemaRule> rules;
  std::vector<std::string> rule_names;  // each once
  std::vector<Place> rule_places;       // where a name was first given
  std::optional<Scale> scale;           // what scores are, unless the candidates say
  bool multi_label = false;             // a span may have several types
  Mode mode = Mode::entente;
  std::vector<CompanionOf> companions;
  std::vector<std::string> facts;  // what candidates may say beside scores, atoms of rules
  std::vector<int> fact_rules;     // of each fact: the name of giving it up, into rule_names

  bool as_nodes() const { return mode != Mode::entente; }
  // Those that candidates speak of: without companions, which come last.
  int relation_count() const;

  int find_type(std::string_view name) const;      // -1: none
  int find_relation(std::string_view name) const;  // -1: none
  // Throws Error naming the nearest rule if there is none of this name.
  void drop_rule(std::string_view name);
};

// mode: whatever the file says.
Schema read_schema(std::string_view text, std::string_view file,
                   std::optional<Mode> mode = std::nullopt);

}  // namespace entente::schema
