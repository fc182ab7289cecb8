// Constraints and rules of a schema.
#include <algorithm>
#include <optional>

#include "schema/schema_reader.h"

namespace entente::schema {

// ---------------------------------------------------------------- constraints

void SchemaReader::read_typed_endpoints(JsonValue v) {
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
void SchemaReader::read_simple(JsonValue v, RuleKind kind, std::string_view type) {
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

void SchemaReader::read_slot(JsonValue v) {
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

void SchemaReader::read_overlap(JsonValue v) {
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
      out_.types[t].overlap =
          out_.as_nodes() ? std::max(out_.types[t].overlap, policy_of) : policy_of;
  }
  overlap_said_ = true;
  std::erase_if(out_.rules, [](const SchemaRule& r) { return r.kind == RuleKind::overlap; });
  add_rule(RuleKind::overlap, or_else(common.name, "overlap"), common.cost, v);
}

void SchemaReader::read_per(JsonValue v, RuleKind kind, std::string_view type, bool at_most) {
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

void SchemaReader::read_exclusive(JsonValue v) {
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

void SchemaReader::read_implied(JsonValue v) {
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

void SchemaReader::read_count(JsonValue v) {
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

void SchemaReader::add_formula(JsonValue text, Common common) {
  const std::string_view rule_text = text.string("a rule");
  const FormulaNames names{
      [&](std::string_view n) { return out_.find_type(n); },
      [&](std::string_view n) { return out_.find_relation(n); },
      [&](std::string_view n) {
        const auto at = std::find(out_.facts.begin(), out_.facts.end(), n);
        return at == out_.facts.end() ? -1 : static_cast<int>(at - out_.facts.begin());
      }};
  // Without escapes a character of the rule is a character of the file.
  const bool exact = text.raw_string() == rule_text;
  Formula formula =
      parse_formula(rule_text, names, [&](std::size_t offset, const std::string& message) {
        if (exact) json_.source().fail(text.offset() + 1 + offset, message);
        text.fail(message + " (character " + std::to_string(offset + 1) + " of the rule)");
      });
  const auto before =
      std::count_if(out_.rules.begin(), out_.rules.end(),
                    [](const SchemaRule& rule) { return rule.kind == RuleKind::formula; });
  const std::string name = or_else(common.name, "rule " + std::to_string(before + 1));
  add_rule(RuleKind::formula, name, common.cost, text).formula = std::move(formula);
}

void SchemaReader::read_rule(JsonValue v, std::string_view name) {
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

void SchemaReader::read_rules(JsonValue v) {
  if (v.is(JsonType::array)) {
    for (JsonValue e : v.elements()) read_rule(e, "");
    return;
  }
  v.expect(JsonType::object, "rules by name");
  for (auto [key, value] : v.members()) read_rule(value, key.string());
}

void SchemaReader::read_constraint(JsonValue v) {
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

}  // namespace entente::schema
