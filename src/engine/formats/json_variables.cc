#include "engine/formats/json_variables.h"

#include <array>
#include <optional>
#include <string>

#include "engine/formats/json_keys.h"

namespace entente {

namespace {

// The name of a variable or group: what literals can speak of.
std::string_view checked_name(JsonValue value) {
  const std::string_view name = value.string("a name");
  if (name.empty()) value.fail("a name must not be empty");
  if (name.front() == '!') value.fail("a name must not begin with \"!\", which negates a literal");
  return name;
}

}  // namespace

void JsonVariables::read_variables(JsonValue value) {
  if (value.is(JsonType::object)) {
    for (auto [name, score] : value.members()) add_variable(score, &name);
    return;
  }
  value.expect(JsonType::array, "an array or an object of variables");
  names_.reserve(value.size());
  for (JsonValue entry : value.elements()) {
    if (entry.is(JsonType::number)) {
      add_variable(entry, nullptr);
    } else {
      read_entry(entry, false);
    }
  }
}

void JsonVariables::read_groups(JsonValue value) {
  if (value.is(JsonType::object)) {
    for (auto [name, states] : value.members()) add_group(&name, states);
    return;
  }
  value.expect(JsonType::array, "an array or an object of groups");
  for (JsonValue entry : value.elements()) read_entry(entry, true);
}

// {"name", "score"} or {"group" (or "name"), "states"}.
void JsonVariables::read_entry(JsonValue entry, bool group_only) {
  static constexpr std::array<std::string_view, 4> kKeys = {"name", "score", "group", "states"};
  std::array<std::optional<JsonValue>, 4> parts;
  entry.expect(JsonType::object, group_only ? "a group" : "a number, a variable or a group");
  for (auto [key, value] : entry.members()) {
    std::size_t k = 0;
    const std::string_view text = key.string();
    while (k < kKeys.size() && !same(kKeys[k], text)) ++k;
    if (k == kKeys.size()) unknown_key(key, kKeys);
    if (parts[k]) key.fail("the key " + quoted(kKeys[k]) + " occurs twice");
    parts[k] = value;
  }
  const auto& [name, score, group, states] = parts;
  if (states || group || group_only) {
    if (!states) entry.fail("a group needs \"states\"");
    if (score) score->fail("a group has no \"score\": its states have");
    if (name && group) name->fail("a group has one name: \"name\" or \"group\"");
    return add_group(name ? &*name : group ? &*group : nullptr, *states);
  }
  if (!score && !name) entry.fail("a variable needs \"name\" or \"score\"");
  if (score) return add_variable(*score, name ? &*name : nullptr);
  add_named(0, &*name);
}

void JsonVariables::add_variable(JsonValue score, const JsonValue* name) {
  add_named(score.number("a score"), name);
}

void JsonVariables::add_named(double score, const JsonValue* value) {
  std::string_view name = value ? checked_name(*value) : std::string_view();
  add_name(name, value ? *value : json_.root());
  // A default name need not be kept.
  if (!name.empty() && name.front() == 'x' && name == "x" + std::to_string(graph_.variable_count()))
    name = {};
  graph_.add_variable(score, name);
}

// `name` must outlive the reader; `place` is where it was given. Empty: the default name.
void JsonVariables::add_name(std::string_view name, JsonValue place) {
  if (!names_.add(name)) place.fail("the variable " + quoted(name) + " exists already");
  if (name.empty()) return;
  name_at_.resize(names_.size(), 0);
  name_at_.back() = place.index();
}

void JsonVariables::add_group(const JsonValue* name, JsonValue states) {
  const std::string_view group = name ? checked_name(*name) : std::string_view();
  if (name && !group_names_.add(group).fresh)
    name->fail("the group " + quoted(group) + " exists already");
  if (name) group_of_name_.push_back(static_cast<int>(graph_.groups().size()));
  group_scores_.clear();
  state_names_.clear();
  if (states.is(JsonType::object)) {
    for (auto [state, score] : states.members())
      add_state(&state, score.number("a score"), state, name);
  } else {
    states.expect(JsonType::array, "an array or an object of states");
    for (JsonValue entry : states.elements()) read_state(entry, name);
  }
  if (group_scores_.empty()) states.fail("a group needs at least one state");
  graph_.add_group(group_scores_, group, state_names_);
}

void JsonVariables::read_state(JsonValue entry, const JsonValue* group) {
  static constexpr std::array<std::string_view, 2> kKeys = {"name", "score"};
  if (entry.is(JsonType::number)) return add_state(nullptr, entry.number(), entry, group);
  entry.expect(JsonType::object, "a score or a state with \"name\" and \"score\"");
  std::optional<JsonValue> name, score;
  for (auto [key, value] : entry.members()) {
    if (key.string() != kKeys[0] && key.string() != kKeys[1]) unknown_key(key, kKeys);
    auto& part = key.string() == kKeys[0] ? name : score;
    if (part) key.fail("the key " + quoted(key.string()) + " occurs twice");
    part = value;
  }
  add_state(name ? &*name : nullptr, score ? score->number("a score") : 0.0, entry, group);
}

void JsonVariables::add_state(const JsonValue* name, double score, JsonValue place,
                              const JsonValue* group) {
  if (name && !group) name->fail("a group whose states have names needs a name");
  group_scores_.push_back(score);
  if (!group) return add_name({}, place);
  std::string state =
      name ? std::string(name->string("a name")) : std::to_string(group_scores_.size() - 1);
  add_name(names_.keep(std::string(group->string()) + "=" + state), place);
  state_names_.push_back(std::move(state));
}

void JsonVariables::check_names() const {
  if (const int v = names_.clash(); v >= 0) {
    JsonValue(&json_, name_at_[v])
        .fail("this is also the default name of a variable without a name");
  }
}

int JsonVariables::group(std::string_view name) const {
  const int number = group_names_.find(name);
  return number < 0 ? -1 : group_of_name_[number];
}

void JsonVariables::read_fixed(JsonValue value) {
  value.expect(JsonType::object, "an object of variables and 0 or 1");
  for (auto [key, entry] : value.members()) {
    const Var v{variable(key, key.string())};
    if (!graph_.fixed().empty() && graph_.fixed()[v.index] >= 0)
      key.fail("the variable " + quoted(key.string()) + " is fixed twice");
    if (entry.is(JsonType::boolean)) {
      graph_.fix(v, entry.boolean());
      continue;
    }
    const double x = entry.number("0 or 1");
    if (x != 0 && x != 1) entry.fail("expected 0 or 1");
    graph_.fix(v, x == 1);
  }
}
}  // namespace entente
