// The reader of schemas, in three files: schema_reader.cc has the types and relations, constraint_reader.cc
// the constraints and rules, schema_checks.cc what is said by several of them together. Only read_schema()
// (schema.h) uses it. One function an object of the file; what types and relations say in their options
// becomes rules as if it had been written under "constraints".
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "schema/schema.h"

namespace entente::schema {

// What several rules have in common, as written.
struct Common {
  std::string name;
  double cost = kHard;
};

struct Bounds {
  int at_least = 0, at_most = SchemaRule::kNoLimit;
  bool any = false;
};

class SchemaReader {
 public:
  SchemaReader(Json& json, std::optional<Mode> mode) : json_(json), given_mode_(mode) {}
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
  void check_inverses() const;
  void read_mode(JsonValue v);
  void declare_facts(JsonValue v);
  void settle_overlap();
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
  std::optional<Mode> given_mode_;
  Schema out_;
  std::vector<bool> nested_, has_nested_;  // allow_nested of each type
  bool overlap_said_ = false;              // some policy was written down
};

template <typename Take>
void SchemaReader::read_object(JsonValue object, std::string_view what, Keys keys, Take take) {
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

template <typename One>
std::vector<int> SchemaReader::list(JsonValue v, std::string_view what, One one) {
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

}  // namespace entente::schema
