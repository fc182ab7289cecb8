// The variables of a problem in the native format: "variables", "groups" and "fixed", and the names that literals speak of.
//
//   JsonVariables variables(json, graph);
//   variables.read_variables(value);              // in the order of the file: they are numbered so
//   variables.check_names();                      // when all are there
//   Literal l = variables.literal(value);         // "role=null", "!x3"
//
// Fails where a name is unknown, with the nearest one. Names are views of the text: both must outlive this.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "engine/formats/names.h"
#include "entente/graph.h"

namespace entente {

class JsonVariables {
 public:
  JsonVariables(Json& json, Graph& graph) : json_(json), graph_(graph) {}

  void read_variables(JsonValue value);
  void read_groups(JsonValue value);
  void check_names() const;
  void read_fixed(JsonValue value);

  int variable(JsonValue value, std::string_view name) const {
    const int v = names_.find(name);
    if (v < 0) value.fail("unknown variable " + quoted(name) + names_.suggestion(name));
    return v;
  }
  Literal literal(JsonValue value) const {
    std::string_view name = value.string("a literal: \"name\" or \"!name\"");
    const bool negated = name.starts_with('!');
    if (negated) name.remove_prefix(1);
    return Literal(Var{variable(value, name)}, negated);
  }
  void prefetch(std::string_view name) const { names_.prefetch(name); }
  // Of graph.groups(); -1: none has this name.
  int group(std::string_view name) const;

 private:
  void read_entry(JsonValue entry, bool group_only);
  void add_variable(JsonValue score, const JsonValue* name);
  void add_named(double score, const JsonValue* value);
  void add_name(std::string_view name, JsonValue place);
  void add_group(const JsonValue* name, JsonValue states);
  void read_state(JsonValue entry, const JsonValue* group);
  void add_state(const JsonValue* name, double score, JsonValue place, const JsonValue* group);

  Json& json_;
  Graph& graph_;
  VariableNames names_;
  NameTable group_names_;
  std::vector<int> group_of_name_;      // index in graph_.groups() of each of group_names_
  std::vector<std::uint32_t> name_at_;  // JSON node of each variable's name
  std::vector<double> group_scores_;
  std::vector<std::string> state_names_;
};

}  // namespace entente
