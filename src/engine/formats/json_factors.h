// The factors of a problem in the native format: one table says which keys each kind needs and may have.
//
//   read_json_factors(json, *parts.factors, variables, graph);
//
// Fails at the key, literal or number that is wrong. Never allocates more than a multiple of the text.
#pragma once

#include "base/json.h"
#include "engine/formats/json_variables.h"

namespace entente {

void read_json_factors(Json& json, JsonValue factors, const JsonVariables& variables, Graph& out);

}  // namespace entente
