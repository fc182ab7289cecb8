// The native format, read. docs/problem.schema.json says what it looks like; json_graph_write.cc
// writes it.
#include <array>
#include <optional>

#include "base/json.h"
#include "engine/formats/json_factors.h"
#include "engine/formats/json_keys.h"
#include "engine/formats/json_variables.h"
#include "engine/formats/readers.h"

namespace entente {

void read_json_graph(const Source& source, Graph& out) {
  static constexpr std::array<std::string_view, 6> kTop = {"name",   "description", "variables",
                                                           "groups", "fixed",       "factors"};
  Json json;
  json.parse(source);
  JsonVariables variables(json, out);
  std::array<std::optional<JsonValue>, 6> parts;
  const JsonValue root = json.root();
  root.expect(JsonType::object, "an object with \"variables\" and \"factors\"");
  for (auto [key, value] : root.members()) {
    std::size_t k = 0;
    while (k < kTop.size() && kTop[k] != key.string()) ++k;
    if (k == kTop.size()) unknown_key(key, kTop);
    if (parts[k]) key.fail("the key " + quoted(kTop[k]) + " occurs twice");
    parts[k] = value;
    if (k < 2) value.string();
    // Variables are numbered in the order of the file, whichever part they stand in.
    if (k == 2) variables.read_variables(value);
    if (k == 3) variables.read_groups(value);
  }
  variables.check_names();
  if (parts[4]) variables.read_fixed(*parts[4]);
  if (parts[5]) read_json_factors(json, *parts[5], variables, out);
}

}  // namespace entente
