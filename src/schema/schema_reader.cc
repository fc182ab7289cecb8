// JSON to Schema. One function an object of the file; what types and relations say in their options
// becomes rules as if it had been written under "constraints".
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "base/json.h"
#include "schema/schema.h"

namespace entente::schema {

namespace {

// What several rules have in common, as written.
struct Common {
  std::string name;
  double cost = kHard;
};

struct Bounds {
  int at_least = 0, at_most = SchemaRule::kNoLimit;
  bool any = false;
};

class Reader {
 public:
  explicit Reader(Json& json) : json_(json) {}
  Schema run();

 private:
  using Keys = std::initializer_list<std::string_view>;
  template <typename Take>
  void read_object(JsonValue object, std::string_view what, Keys keys, Take take);
  [[noreturn]] void unknown(JsonValue at, std::string_view what, std::string_view name, Keys keys);

  // ---- scalars
  double probability(JsonValue v);
  int limit(JsonValue v);
  double cost(JsonValue v);
  bool is_null(JsonValue v) { return v.is(JsonType::null); }
  int type(JsonValue v);
  int relation(JsonValue v);
  template <typename One>
  std::vector<int> list(JsonValue v, std::string_view what, One one);
  std::vector<int> types(JsonValue v) {
    return list(v, "an entity type or a list of them", [&](JsonValue e) { return type(e); });
  }
  std::vector<int> relations(JsonValue v) {
    return list(v, "a relation or a list of them", [&](JsonValue e) { return relation(e); });
  }
  Overlap policy(JsonValue v);
  bool bound_key(std::string_view key, JsonValue v, Bounds& bounds);

  // ---- parts of the file
  void declare(JsonValue object, bool relations);
  void declare_one(JsonValue at, std::string_view name, bool relation);
  void read_entity(int index, JsonValue v);
  void read_relation(int index, JsonValue v);
  void relation_flag(int r, std::string_view key, JsonValue v);
  void check_relation(int r, JsonValue v, bool symmetric, int inverse);
  void read_constraint(JsonValue v);
  void read_typed_endpoints(JsonValue v);
  void read_simple(JsonValue v, RuleKind kind, std::string_view type);
  void read_slot(JsonValue v);
  void read_overlap(JsonValue v);
  void read_per(JsonValue v, RuleKind kind, std::string_view type, bool at_most);
  void read_exclusive(JsonValue v);
  void read_implied(JsonValue v);
  void read_count(JsonValue v);
  void read_rule(JsonValue v, std::string_view name);
  void read_rules(JsonValue v);
  void add_formula(JsonValue text, Common common);

  // ---- rules
  SchemaRule& add_rule(RuleKind kind, const std::string& name, double cost, JsonValue at);
  void add_bounds(const Bounds& bounds, bool relation, int index, JsonValue at);
  std::vector<int> all_relations() const;
  bool common_key(std::string_view key, JsonValue v, Common& common);
  static std::string or_else(const std::string& name, std::string fallback) {
    return name.empty() ? std::move(fallback) : name;
  }
  std::string of(std::string_view kind, const std::vector<int>& relations, bool all) const;

  Json& json_;
  Schema out_;
  std::vector<bool> nested_, has_nested_;  // allow_nested of each type
  bool overlap_said_ = false;              // some policy was written down
};

// ---------------------------------------------------------------- scalars

template <typename Take>
void Reader::read_object(JsonValue object, std::string_view what, Keys keys, Take take) {
  object.expect(JsonType::object, what);
  std::vector<std::string_view> seen;
  for (auto [key, value] : object.members()) {
    const std::string_view name = key.string();
    if (std::find(keys.begin(), keys.end(), name) == keys.end()) unknown(key, "key", name, keys);
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      key.fail("the key " + quoted(name) + " stands here twice");
    seen.push_back(name);
    if (is_null(value)) continue;  // as if it were not there
    take(name, value);
  }
}

void Reader::unknown(JsonValue at, std::string_view what, std::string_view name, Keys keys) {
  Nearest nearest(name);
  for (std::string_view k : keys) nearest.consider(k);
  at.fail("unknown " + std::string(what) + " " + quoted(name) + nearest.suggestion());
}

double Reader::probability(JsonValue v) {
  const double p = v.number("a probability");
  if (!(p >= 0 && p <= 1)) v.fail("expected a probability between 0 and 1");
  return p;
}

int Reader::limit(JsonValue v) {
  const std::int64_t n = v.integer("a number of 0 or more");
  if (n < 0 || n > 1'000'000'000) v.fail("expected a number of 0 or more");
  return static_cast<int>(n);
}

double Reader::cost(JsonValue v) {
  const double c = v.number("a cost");
  if (!(c > 0)) v.fail("expected a cost above 0 (without one a rule is hard)");
  return c;
}

int Reader::type(JsonValue v) {
  const std::string_view name = v.string("an entity type");
  const int found = out_.find_type(name);
  if (found >= 0) return found;
  Nearest nearest(name);
  for (const EntityType& t : out_.types) nearest.consider(t.name);
  v.fail("unknown entity type " + quoted(name) + nearest.suggestion());
}

int Reader::relation(JsonValue v) {
  const std::string_view name = v.string("a relation");
  const int found = out_.find_relation(name);
  if (found >= 0) return found;
  Nearest nearest(name);
  for (const Relation& r : out_.relations) nearest.consider(r.name);
  v.fail("unknown relation " + quoted(name) + nearest.suggestion());
}

template <typename One>
std::vector<int> Reader::list(JsonValue v, std::string_view what, One one) {
  if (v.is(JsonType::string)) return {one(v)};
  v.expect(JsonType::array, what);
  std::vector<int> out;
  for (JsonValue e : v.elements()) {
    const int found = one(e);
    if (std::find(out.begin(), out.end(), found) != out.end())
      e.fail(quoted(e.string()) + " stands here twice");
    out.push_back(found);
  }
  return out;
}

Overlap Reader::policy(JsonValue v) {
  const std::string_view name = v.string("a policy");
  if (name == "allow") return Overlap::allow;
  if (name == "nested") return Overlap::nested;
  if (name == "disallow") return Overlap::disallow;
  v.fail("unknown policy " + quoted(name) + "; there are disallow, nested and allow");
}

bool Reader::bound_key(std::string_view key, JsonValue v, Bounds& b) {
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

SchemaRule& Reader::add_rule(RuleKind kind, const std::string& name, double cost, JsonValue at) {
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

void Reader::add_bounds(const Bounds& b, bool relation, int index, JsonValue at) {
  if (!b.any) return;
  const std::string& name = relation ? out_.relations[index].name : out_.types[index].name;
  SchemaRule& rule = add_rule(RuleKind::count, name + ".count", kHard, at);
  (relation ? rule.relations : rule.types) = {index};
  rule.lower = b.at_least;
  rule.upper = b.at_most;
}

std::vector<int> Reader::all_relations() const {
  std::vector<int> out(out_.relations.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<int>(i);
  return out;
}

bool Reader::common_key(std::string_view key, JsonValue v, Common& common) {
  if (key == "name") common.name = v.string("a name");
  if (key == "cost") common.cost = cost(v);
  return key == "name" || key == "cost" || key == "type" || key == "description";
}

std::string Reader::of(std::string_view kind, const std::vector<int>& relations, bool all) const {
  std::string out(kind);
  if (all) return out;
  for (std::size_t i = 0; i < relations.size(); ++i)
    out += (i == 0 ? "(" : ", ") + out_.relations[relations[i]].name;
  return out + ")";
}

// ---------------------------------------------------------------- types and relations

// Names first, so that options may speak of what is declared later.
void Reader::declare_one(JsonValue at, std::string_view name, bool relation) {
  if (name.empty()) at.fail("a name must not be empty");
  if (out_.find_type(name) >= 0 || out_.find_relation(name) >= 0)
    at.fail("the name " + quoted(name) + " is given twice");
  if (relation) {
    out_.relations.emplace_back().name = name;
  } else {
    out_.types.emplace_back().name = name;
  }
}

void Reader::declare(JsonValue v, bool relations) {
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

void Reader::read_entity(int index, JsonValue v) {
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

void Reader::relation_flag(int r, std::string_view key, JsonValue v) {
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

void Reader::check_relation(int r, JsonValue v, bool symmetric, int inverse) {
  auto same = [](std::vector<int> a, std::vector<int> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  };
  const Relation& it = out_.relations[r];
  if (symmetric && inverse >= 0) v.fail("a relation cannot be both symmetric and an inverse");
  if (symmetric && !same(it.head, it.tail))
    v.fail("the symmetric relation " + quoted(it.name) + " needs the same types at head and tail");
}

void Reader::read_relation(int index, JsonValue v) {
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
  if (!directed && !symmetric)
    add_rule(RuleKind::one_direction, r.name + ".one_direction", kHard, v).relations = {index};
  add_bounds(bounds, true, index, v);
}

// ---------------------------------------------------------------- constraints

void Reader::read_typed_endpoints(JsonValue v) {
  Common common;
  std::vector<int> which, head, tail;
  read_object(v, "a constraint",
              {"type", "name", "cost", "description", "relation", "head_types", "tail_types"},
              [&](std::string_view key, JsonValue value) {
                if (common_key(key, value, common)) return;
                if (key == "relation") which = relations(value);
                if (key == "head_types") head = types(value);
                if (key == "tail_types") tail = types(value);
              });
  const bool all = which.empty();
  const std::string name = or_else(common.name, of("TypedEndpoints", which, all));
  if (all) which = all_relations();
  for (const bool at_head : {true, false}) {
    const std::vector<int>& allowed = at_head ? head : tail;
    if (allowed.empty()) continue;
    SchemaRule& rule =
        add_rule(at_head ? RuleKind::head_types : RuleKind::tail_types, name, common.cost, v);
    rule.relations = which;
    rule.types = allowed;
  }
}

// Those that need a relation and nothing else.
void Reader::read_simple(JsonValue v, RuleKind kind, std::string_view type) {
  Common common;
  std::vector<int> which;
  bool directed = true, add_missing = true;
  int other = -1;
  read_object(
      v, "a constraint",
      {"type", "name", "cost", "description", "relation", "inverse", "directed", "add_missing"},
      [&](std::string_view key, JsonValue value) {
        if (common_key(key, value, common)) return;
        if (key == "relation") which = relations(value);
        if (key == "inverse") other = relation(value);
        if (key == "directed") directed = value.boolean();
        if (key == "add_missing") add_missing = value.boolean();
      });
  const bool optional = kind == RuleKind::no_self_loops || kind == RuleKind::one_direction;
  if (which.empty() && !optional) v.fail("expected a \"relation\" here");
  if (kind == RuleKind::inverse && other < 0) v.fail("expected an \"inverse\" here");
  if (kind == RuleKind::one_direction && directed) return;  // a pair is proposed once anyway
  const std::string name = or_else(common.name, of(type, which, which.empty()));
  if (which.empty()) which = all_relations();
  for (int r : which) {
    SchemaRule& rule = add_rule(kind, name, common.cost, v);
    rule.relations = {r};
    rule.other = other;
    rule.add_missing = add_missing;
  }
}

void Reader::read_slot(JsonValue v) {
  Common common;
  std::vector<int> which;
  std::string slot = "head";
  read_object(v, "a constraint", {"type", "name", "cost", "description", "relation", "slot"},
              [&](std::string_view key, JsonValue value) {
                if (common_key(key, value, common)) return;
                if (key == "relation") which = relations(value);
                if (key != "slot") return;
                slot = value.string("a slot");
                if (slot != "head" && slot != "tail" && slot != "slot")
                  value.fail("unknown slot " + quoted(slot) + "; there are head, tail and slot");
              });
  if (slot == "slot") return;  // slots of a decoder we do not have: a pair stands for itself
  const std::string name = or_else(common.name, of("UniqueRelationSlot", which, which.empty()));
  if (which.empty()) which = all_relations();
  for (int r : which) {
    SchemaRule& rule =
        add_rule(slot == "head" ? RuleKind::per_head : RuleKind::per_tail, name, common.cost, v);
    rule.relations = {r};
    rule.upper = 1;
  }
}

void Reader::read_overlap(JsonValue v) {
  Common common;
  Overlap policy_of = Overlap::disallow;
  std::vector<int> which;
  read_object(v, "a constraint", {"type", "name", "cost", "description", "policy", "types"},
              [&](std::string_view key, JsonValue value) {
                if (common_key(key, value, common)) return;
                if (key == "policy") policy_of = policy(value);
                if (key == "types") which = types(value);
              });
  for (int t = 0; t < static_cast<int>(out_.types.size()); ++t) {
    if (which.empty() || std::find(which.begin(), which.end(), t) != which.end())
      out_.types[t].overlap = policy_of;
  }
  overlap_said_ = true;
  std::erase_if(out_.rules, [](const SchemaRule& r) { return r.kind == RuleKind::overlap; });
  add_rule(RuleKind::overlap, or_else(common.name, "overlap"), common.cost, v);
}

void Reader::read_per(JsonValue v, RuleKind kind, std::string_view type, bool at_most) {
  Common common;
  std::vector<int> which;
  int bound = -1;
  read_object(v, "a constraint", {"type", "name", "cost", "description", "relation", "limit"},
              [&](std::string_view key, JsonValue value) {
                if (common_key(key, value, common)) return;
                if (key == "relation") which = relations(value);
                if (key == "limit") bound = limit(value);
              });
  if (bound < 0) v.fail("expected a \"limit\" here");
  if (!at_most && which.empty()) v.fail("expected a \"relation\" here");
  const std::string name = or_else(common.name, of(type, which, which.empty()));
  SchemaRule& rule = add_rule(kind, name, common.cost, v);
  rule.relations = which.empty() ? all_relations() : which;
  (at_most ? rule.upper : rule.lower) = bound;
}

void Reader::read_exclusive(JsonValue v) {
  Common common;
  std::vector<int> which;
  bool directed = true;
  read_object(v, "a constraint", {"type", "name", "cost", "description", "relations", "directed"},
              [&](std::string_view key, JsonValue value) {
                if (common_key(key, value, common)) return;
                if (key == "relations") which = relations(value);
                if (key == "directed") directed = value.boolean();
              });
  if (which.size() < 2) v.fail("expected two or more \"relations\" here");
  SchemaRule& rule =
      add_rule(RuleKind::exclusive, or_else(common.name, of("ExclusiveRelations", which, false)),
               common.cost, v);
  rule.relations = which;
  rule.directed = directed;
}

void Reader::read_implied(JsonValue v) {
  Common common;
  std::vector<int> which, others;
  bool add_missing = true;
  read_object(v, "a constraint",
              {"type", "name", "cost", "description", "relation", "implies", "add_missing"},
              [&](std::string_view key, JsonValue value) {
                if (common_key(key, value, common)) return;
                if (key == "relation") which = relations(value);
                if (key == "implies") others = relations(value);
                if (key == "add_missing") add_missing = value.boolean();
              });
  if (which.empty() || others.empty())
    v.fail("expected a \"relation\" and what it \"implies\" here");
  const std::string name = or_else(common.name, of("ImpliedRelation", which, false));
  for (int r : which) {
    for (int other : others) {
      SchemaRule& rule = add_rule(RuleKind::implied, name, common.cost, v);
      rule.relations = {r};
      rule.other = other;
      rule.add_missing = add_missing;
    }
  }
}

void Reader::read_count(JsonValue v) {
  Common common;
  Bounds bounds;
  std::string of_what;
  SchemaRule counted;
  auto one = [&](JsonValue e) {
    const std::string_view name = e.string("an entity type or relation");
    of_what += (of_what.empty() ? "" : ", ") + std::string(name);
    if (const int r = out_.find_relation(name); r >= 0) {
      counted.relations.push_back(r);
    } else {
      counted.types.push_back(type(e));
    }
  };
  read_object(
      v, "a constraint",
      {"type", "name", "cost", "description", "of", "per", "at_least", "at_most", "exactly"},
      [&](std::string_view key, JsonValue value) {
        if (common_key(key, value, common) || bound_key(key, value, bounds)) return;
        if (key == "of" && value.is(JsonType::array)) {
          for (JsonValue e : value.elements()) one(e);
        } else if (key == "of") {
          one(value);
        } else if (value.string("\"sentence\" or \"document\"") == "document") {
          counted.per_document = true;
        } else if (value.string() != "sentence") {
          value.fail("expected \"sentence\" or \"document\"");
        }
      });
  if (of_what.empty()) v.fail("expected what to count: \"of\"");
  if (!bounds.any) v.fail("expected \"at_least\", \"at_most\" or \"exactly\" here");
  SchemaRule& rule =
      add_rule(RuleKind::count, or_else(common.name, "Count(" + of_what + ")"), common.cost, v);
  rule.relations = counted.relations;
  rule.types = counted.types;
  rule.per_document = counted.per_document;
  rule.lower = bounds.at_least;
  rule.upper = bounds.at_most;
}

void Reader::add_formula(JsonValue text, Common common) {
  const std::string_view rule_text = text.string("a rule");
  const FormulaNames names{[&](std::string_view n) { return out_.find_type(n); },
                           [&](std::string_view n) { return out_.find_relation(n); }};
  // Without escapes a character of the rule is a character of the file.
  const bool exact = text.raw_string() == rule_text;
  Formula formula =
      parse_formula(rule_text, names, [&](std::size_t offset, const std::string& message) {
        if (exact) json_.source().fail(text.offset() + 1 + offset, message);
        text.fail(message + " (character " + std::to_string(offset + 1) + " of the rule)");
      });
  const std::string name = or_else(common.name, "rule " + std::to_string(out_.rules.size() + 1));
  add_rule(RuleKind::formula, name, common.cost, text).formula = std::move(formula);
}

void Reader::read_rule(JsonValue v, std::string_view name) {
  Common common{std::string(name), kHard};
  if (v.is(JsonType::string)) return add_formula(v, common);
  std::optional<JsonValue> text;
  read_object(v, "a rule", {"type", "name", "cost", "description", "rule"},
              [&](std::string_view key, JsonValue value) {
                if (common_key(key, value, common)) return;
                text = value;
              });
  if (!text) v.fail("expected a \"rule\" here");
  add_formula(*text, common);
}

void Reader::read_rules(JsonValue v) {
  if (v.is(JsonType::array)) {
    for (JsonValue e : v.elements()) read_rule(e, "");
    return;
  }
  v.expect(JsonType::object, "rules by name");
  for (auto [key, value] : v.members()) read_rule(value, key.string());
}

void Reader::read_constraint(JsonValue v) {
  v.expect(JsonType::object, "a constraint");
  std::optional<JsonValue> kind;
  for (auto [key, value] : v.members()) {
    if (key.string() == "type") kind = value;
  }
  if (!kind) v.fail("expected the \"type\" of the constraint");
  const std::string_view type = kind->string("the type of the constraint");
  if (type == "TypedEndpoints") return read_typed_endpoints(v);
  if (type == "NoSelfLoops") return read_simple(v, RuleKind::no_self_loops, type);
  if (type == "UniqueRelationPair") return read_simple(v, RuleKind::one_direction, type);
  if (type == "UniqueRelationSlot") return read_slot(v);
  if (type == "EntityOverlapPolicy") return read_overlap(v);
  if (type == "MaxRelationsPerHead") return read_per(v, RuleKind::per_head, type, true);
  if (type == "MaxRelationsPerTail") return read_per(v, RuleKind::per_tail, type, true);
  if (type == "MinRelationsPerHead") return read_per(v, RuleKind::per_head, type, false);
  if (type == "MinRelationsPerTail") return read_per(v, RuleKind::per_tail, type, false);
  if (type == "SymmetricRelation") return read_simple(v, RuleKind::symmetric, type);
  if (type == "InverseRelation") return read_simple(v, RuleKind::inverse, type);
  if (type == "AcyclicRelation") return read_simple(v, RuleKind::acyclic, type);
  if (type == "ExclusiveRelations") return read_exclusive(v);
  if (type == "ImpliedRelation") return read_implied(v);
  if (type == "Count") return read_count(v);
  if (type == "Rule") return read_rule(v, "");
  unknown(*kind, "type of constraint", type,
          {"TypedEndpoints", "NoSelfLoops", "UniqueRelationPair", "UniqueRelationSlot",
           "EntityOverlapPolicy", "MaxRelationsPerHead", "MaxRelationsPerTail",
           "MinRelationsPerHead", "MinRelationsPerTail", "SymmetricRelation", "InverseRelation",
           "AcyclicRelation", "ExclusiveRelations", "ImpliedRelation", "Count", "Rule"});
}

Schema Reader::run() {
  std::optional<JsonValue> entities, relations_at, constraints, rules;
  const JsonValue root = json_.root();
  read_object(root, "a schema",
              {"name", "description", "version", "$schema", "scale", "multi_label", "overlap",
               "entities", "relations", "constraints", "rules"},
              [&](std::string_view key, JsonValue v) {
                if (key == "entities") entities = v;
                if (key == "relations") relations_at = v;
                if (key == "constraints") constraints = v;
                if (key == "rules") rules = v;
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
              {"name", "description", "version", "$schema", "scale", "multi_label", "overlap",
               "entities", "relations", "constraints", "rules"},
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
  const auto nested = std::count(nested_.begin(), nested_.end(), true);
  if (!overlap_said_ && nested > 0) {
    const bool all = nested == static_cast<std::ptrdiff_t>(nested_.size());
    for (EntityType& t : out_.types) t.overlap = all ? Overlap::allow : Overlap::nested;
  }
  return std::move(out_);
}

}  // namespace

std::optional<Scale> scale_from_name(std::string_view name) {
  if (name == "log_odds") return Scale::log_odds;
  if (name == "log_probability") return Scale::log_probability;
  if (name == "probability") return Scale::probability;
  return std::nullopt;
}

int Schema::find_type(std::string_view name) const {
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

int Schema::find_relation(std::string_view name) const {
  for (std::size_t i = 0; i < relations.size(); ++i) {
    if (relations[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

void Schema::drop_rule(std::string_view name) {
  const auto known = std::find(rule_names.begin(), rule_names.end(), name);
  if (known == rule_names.end()) {
    Nearest nearest(name);
    for (const std::string& n : rule_names) nearest.consider(n);
    throw Error("no rule is called " + quoted(name) + nearest.suggestion());
  }
  const int index = static_cast<int>(known - rule_names.begin());
  std::erase_if(rules, [&](const SchemaRule& r) { return r.name == index; });
}

Schema read_schema(std::string_view text, std::string_view file) {
  Json json;
  json.parse({text, file, 1});
  return Reader(json).run();
}

}  // namespace entente::schema
