// Formulas as factors: a formula's instances are its bindings of the outer `forall` variables to
// spans; what no candidate can make true is left out.
//
//   if (!ground(rule, model, 20000)) {                     // too many: nothing was added
//     find_broken(rule, model, assignment, 100, bindings); // those that an assignment breaks
//     for (const Binding& b : bindings) add_instance(rule, model, b);
//   }
//
// An instance whose relation or type atoms on the left of `implies` were not proposed holds anyway,
// so that only proposed pairs are gone through, not all pairs of spans. A hard instance becomes one
// clause or several, a soft one a clause with its cost (or an auxiliary variable, where one clause
// cannot say it). Throws Error where a rule has more instances than can be gone through.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schema/model.h"

namespace entente::schema {

using Binding = std::vector<int>;  // a span for each variable of the formula, -1: not bound

// False, and nothing is added, if there are more than `most` instances that candidates could break.
bool ground(const SchemaRule& rule, Model& model, int most);

// At most `most` instances that the assignment breaks.
void find_broken(const SchemaRule& rule, const Model& model,
                 std::span<const std::uint8_t> assignment, int most, std::vector<Binding>& out);
void add_instance(const SchemaRule& rule, Model& model, const Binding& binding);

}  // namespace entente::schema
