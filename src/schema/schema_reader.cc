#include "schema/schema_reader.h"

#include "engine/graph_arrays.h"
#include "schema/gliner2.h"

namespace entente::schema {

// ---------------------------------------------------------------- scalars

void SchemaReader::unknown(JsonValue at, std::string_view what, std::string_view name, Keys keys) {
  Nearest nearest(name);
  for (std::string_view k : keys) nearest.consider(k);
  at.fail("unknown " + std::string(what) + " " + quoted(name) + nearest.suggestion());
}

double SchemaReader::probability(JsonValue v) {
  const double p = v.number("a probability");
  if (!(p >= 0 && p <= 1)) v.fail("expected a probability between 0 and 1");
  return p;
}

int SchemaReader::limit(JsonValue v) {
  const std::int64_t n = v.integer("a whole number of 0 or more");
  if (n < 0) v.fail("expected a whole number of 0 or more");
  if (n > 1'000'000'000) v.fail("expected a whole number of at most 1000000000");
  return static_cast<int>(n);
}

double SchemaReader::cost(JsonValue v) {
  const double c = v.number("a cost");
  if (!(c > 0)) v.fail("expected a cost above 0 (without one a rule is hard)");
  if (c > kLargest) v.fail("a cost must be at most 1e100, or left out");
  return c;
}

int SchemaReader::type(JsonValue v) {
  const std::string_view name = v.string("an entity type");
  const int found = out_.find_type(name);
  if (found >= 0) return found;
  Nearest nearest(name);
  for (const EntityType& t : out_.types) nearest.consider(t.name);
  v.fail("unknown entity type " + quoted(name) + nearest.suggestion());
}

int SchemaReader::relation(JsonValue v) {
  const std::string_view name = v.string("a relation");
  const int found = out_.find_relation(name);
  if (found >= 0) return found;
  Nearest nearest(name);
  for (const Relation& r : out_.relations) nearest.consider(r.name);
  v.fail("unknown relation " + quoted(name) + nearest.suggestion());
}

Overlap SchemaReader::policy(JsonValue v) {
  const std::string_view name = v.string("a policy");
  if (name == "allow") return Overlap::allow;
  if (name == "nested") return Overlap::nested;
  if (name == "disallow") return Overlap::disallow;
  v.fail("unknown policy " + quoted(name) + "; there are disallow, nested and allow");
}

bool SchemaReader::bound_key(std::string_view key, JsonValue v, Bounds& b) {
  if (key == "at_least") b.at_least = limit(v);
  if (key == "at_most") b.at_most = limit(v);
  if (key == "exactly") b.at_least = b.at_most = limit(v);
  const bool known = key == "at_least" || key == "at_most" || key == "exactly";
  b.any |= known;
  if (known && b.at_least > b.at_most)
    v.fail("at least " + std::to_string(b.at_least) + " and at most " + std::to_string(b.at_most) +
           " cannot both hold");
  return known;
}

// ---------------------------------------------------------------- rules

SchemaRule& SchemaReader::add_rule(RuleKind kind, const std::string& name, double cost,
                                   JsonValue at) {
  const auto known = std::find(out_.rule_names.begin(), out_.rule_names.end(), name);
  SchemaRule rule;
  rule.kind = kind;
  rule.cost = cost;
  rule.name = static_cast<int>(known - out_.rule_names.begin());
  if (known == out_.rule_names.end()) {
    out_.rule_names.push_back(name);
    out_.rule_places.push_back(at.place());
  }
  return out_.rules.emplace_back(std::move(rule));
}

void SchemaReader::add_bounds(const Bounds& b, bool relation, int index, JsonValue at) {
  if (!b.any) return;
  const std::string& name = relation ? out_.relations[index].name : out_.types[index].name;
  SchemaRule& rule = add_rule(RuleKind::count, name + ".count", kHard, at);
  (relation ? rule.relations : rule.types) = {index};
  rule.lower = b.at_least;
  rule.upper = b.at_most;
}

std::vector<int> SchemaReader::all_relations() const {
  std::vector<int> out(out_.relations.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<int>(i);
  return out;
}

bool SchemaReader::common_key(std::string_view key, JsonValue v, Common& common) {
  if (key == "name") common.name = v.string("a name");
  if (key == "cost") common.cost = cost(v);
  return key == "name" || key == "cost" || key == "type" || key == "description";
}

std::string SchemaReader::of(std::string_view kind, const std::vector<int>& relations,
                             bool all) const {
  std::string out(kind);
  if (all) return out;
  for (std::size_t i = 0; i < relations.size(); ++i)
    out += (i == 0 ? "(" : ", ") + out_.relations[relations[i]].name;
  return out + ")";
}

// ---------------------------------------------------------------- types and relations

// Names first, so that options may speak of what is declared later.
void SchemaReader::declare_one(JsonValue at, std::string_view name, bool relation) {
  if (name.empty()) at.fail("a name must not be empty");
  if (out_.find_type(name) >= 0 || out_.find_relation(name) >= 0)
    at.fail("the name " + quoted(name) + " is given twice");
  if (relation) {
    out_.relations.emplace_back().name = name;
  } else {
    out_.types.emplace_back().name = name;
  }
}

void SchemaReader::declare(JsonValue v, bool relations) {
  const char* what = relations ? "relations by name" : "entity types by name";
  if (v.is(JsonType::object)) {
    for (auto [key, value] : v.members()) declare_one(key, key.string(), relations);
    return;
  }
  v.expect(JsonType::array, what);
  for (JsonValue e : v.elements()) {
    if (e.is(JsonType::string) && !relations) {
      declare_one(e, e.string(), relations);
      continue;
    }
    e.expect(JsonType::object, relations ? "a relation" : "an entity type");
    bool named = false;
    for (auto [key, value] : e.members()) {
      if (key.string() != "name") continue;
      declare_one(value, value.string("a name"), relations);
      named = true;
    }
    if (!named) e.fail("expected a \"name\" here");
  }
}

void SchemaReader::read_entity(int index, JsonValue v) {
  if (is_null(v) || v.is(JsonType::string)) return;  // a description
  EntityType& t = out_.types[index];
  Bounds bounds;
  read_object(v, "the options of an entity type",
              {"name", "description", "threshold", "candidate_threshold", "max_candidates",
               "allow_nested", "overlap", "at_least", "at_most", "exactly"},
              [&](std::string_view key, JsonValue value) {
                if (bound_key(key, value, bounds)) return;
                if (key == "threshold") t.threshold = probability(value);
                if (key == "candidate_threshold") t.candidate_threshold = probability(value);
                if (key == "max_candidates") t.max_candidates = limit(value);
                if (key == "allow_nested") {
                  nested_[index] = value.boolean();
                  has_nested_[index] = true;
                }
                if (key == "overlap") {
                  t.overlap = policy(value);
                  overlap_said_ = true;
                }
              });
  add_bounds(bounds, false, index, v);
}

void SchemaReader::relation_flag(int r, std::string_view key, JsonValue v) {
  const std::string& name = out_.relations[r].name;
  auto add = [&](RuleKind kind, const char* what) -> SchemaRule& {
    SchemaRule& rule = add_rule(kind, name + "." + what, kHard, v);
    rule.relations = {r};
    return rule;
  };
  if (key == "max_per_head") add(RuleKind::per_head, "max_per_head").upper = limit(v);
  if (key == "max_per_tail") add(RuleKind::per_tail, "max_per_tail").upper = limit(v);
  if (key == "min_per_head") add(RuleKind::per_head, "min_per_head").lower = limit(v);
  if (key == "min_per_tail") add(RuleKind::per_tail, "min_per_tail").lower = limit(v);
  if (key == "unique_head" && v.boolean()) add(RuleKind::per_head, "unique_head").upper = 1;
  if (key == "unique_tail" && v.boolean()) add(RuleKind::per_tail, "unique_tail").upper = 1;
  if (key == "acyclic" && v.boolean()) add(RuleKind::acyclic, "acyclic");
  if (key == "symmetric" && v.boolean()) add(RuleKind::symmetric, "symmetric");
  if (key == "inverse" || key == "inverse_of")
    add(RuleKind::inverse, "inverse").other = relation(v);
  if (key == "implies") {
    for (int other : relations(v)) add(RuleKind::implied, "implies").other = other;
  }
  if (key == "excludes") {
    for (int other : relations(v)) {
      if (other == r) v.fail("a relation cannot exclude itself");
      add(RuleKind::exclusive, "excludes").relations = {r, other};
    }
  }
}

void SchemaReader::read_relation(int index, JsonValue v) {
  Bounds bounds;
  Relation& r = out_.relations[index];
  bool directed = true, symmetric = false, self = false;
  int inverse = -1;
  read_object(v, "the options of a relation",
              {"name",          "description",  "head",
               "tail",          "threshold",    "candidate_threshold",
               "directed",      "symmetric",    "inverse",
               "inverse_of",    "allow_self",   "allow_self_loops",
               "no_self_loops", "max_per_head", "max_per_tail",
               "min_per_head",  "min_per_tail", "unique_head",
               "unique_tail",   "unique_pair",  "acyclic",
               "implies",       "excludes",     "at_least",
               "at_most",       "exactly"},
              [&](std::string_view key, JsonValue value) {
                if (bound_key(key, value, bounds)) return;
                relation_flag(index, key, value);
                if (key == "head") r.head = types(value);
                if (key == "tail") r.tail = types(value);
                if (key == "threshold") r.threshold = probability(value);
                if (key == "candidate_threshold") r.candidate_threshold = probability(value);
                if (key == "directed") directed = value.boolean();
                if (key == "symmetric") symmetric = value.boolean();
                if (key == "inverse" || key == "inverse_of") inverse = relation(value);
                if (key == "allow_self" || key == "allow_self_loops") self = value.boolean();
                if (key == "no_self_loops") self = !value.boolean();
              });
  check_relation(index, v, symmetric, inverse);
  if (!r.head.empty()) {
    SchemaRule& rule = add_rule(RuleKind::head_types, r.name + ".head", kHard, v);
    rule.relations = {index};
    rule.types = r.head;
  }
  if (!r.tail.empty()) {
    SchemaRule& rule = add_rule(RuleKind::tail_types, r.name + ".tail", kHard, v);
    rule.relations = {index};
    rule.types = r.tail;
  }
  if (!self)
    add_rule(RuleKind::no_self_loops, r.name + ".no_self_loops", kHard, v).relations = {index};
  // GLiNER2 makes a symmetric relation undirected: of (a, b) and (b, a) one is chosen, the other its companion.
  if ((!directed && !symmetric) || (symmetric && out_.as_nodes()))
    add_rule(RuleKind::one_direction, r.name + ".one_direction", kHard, v).relations = {index};
  add_bounds(bounds, true, index, v);
}

Schema SchemaReader::run() {
  std::optional<JsonValue> entities, relations_at, constraints, rules, facts;
  const JsonValue root = json_.root();
  read_object(root, "a schema",
              {"name", "description", "version", "$schema", "scale", "mode", "multi_label",
               "overlap", "entities", "relations", "facts", "constraints", "rules"},
              [&](std::string_view key, JsonValue v) {
                if (key == "entities") entities = v;
                if (key == "relations") relations_at = v;
                if (key == "constraints") constraints = v;
                if (key == "rules") rules = v;
                if (key == "facts") facts = v;
                if (key == "mode") read_mode(v);
                if (key == "multi_label") out_.multi_label = v.boolean();
                if (key != "scale") return;
                out_.scale = scale_from_name(v.string("a scale"));
                if (!out_.scale)
                  v.fail("unknown scale " + quoted(v.string()) +
                         "; there are log_odds, log_probability and probability");
              });
  if (!entities) root.fail("expected the \"entities\" of the schema");
  declare(*entities, false);
  if (relations_at) declare(*relations_at, true);
  if (facts) declare_facts(*facts);
  if (given_mode_) out_.mode = *given_mode_;
  if (out_.as_nodes()) {  // policies are added up, from the loosest on
    for (EntityType& t : out_.types) t.overlap = Overlap::allow;
  }
  nested_.resize(out_.types.size());
  has_nested_.resize(out_.types.size());
  add_rule(RuleKind::overlap, "overlap", kHard, *entities);
  auto each = [](JsonValue v, auto read) {
    int index = 0;
    if (v.is(JsonType::object)) {
      for (auto [key, value] : v.members()) read(index++, value);
    } else {
      for (JsonValue e : v.elements()) read(index++, e);
    }
  };
  // A policy for all, before those of single types.
  read_object(root, "a schema",
              {"name", "description", "version", "$schema", "scale", "mode", "multi_label",
               "overlap", "entities", "relations", "facts", "constraints", "rules"},
              [&](std::string_view key, JsonValue v) {
                if (key != "overlap") return;
                for (EntityType& t : out_.types) t.overlap = policy(v);
                overlap_said_ = true;
              });
  each(*entities, [&](int i, JsonValue v) { read_entity(i, v); });
  if (relations_at) each(*relations_at, [&](int i, JsonValue v) { read_relation(i, v); });
  if (constraints) {
    for (JsonValue v : constraints->expect(JsonType::array, "a list of constraints").elements())
      read_constraint(v);
  }
  if (rules) read_rules(*rules);
  check_inverses();
  settle_overlap();
  if (out_.as_nodes()) {
    // Where nothing may overlap a span has one type, and is best said as one variable.
    out_.multi_label = std::any_of(out_.types.begin(), out_.types.end(), [](const EntityType& t) {
      return t.overlap != Overlap::disallow;
    });
    add_companions(out_);
  }
  return std::move(out_);
}

}  // namespace entente::schema
