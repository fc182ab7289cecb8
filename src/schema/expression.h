// One instance of a rule's formula, with spans for its variables: an and-or tree over literals of the problem, and how it
// becomes clauses.
//
//   Expression e = ...;                              // ground.cc makes them
//   add_clauses(e, model.rule(rule), model);         // as factors
//   if (!holds(e, model, assignment)) ...            // or judged
//
// Clauses multiply where `any` stands over `all`; beyond a few an auxiliary variable stands for a part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schema/model.h"

namespace entente::schema {

struct Expression {
  enum Kind : std::uint8_t { yes, no, literal, all, any } kind = yes;
  Literal atom;
  std::vector<Expression> parts;

  // Adds a part to `all` or `any`; false if the whole is now decided.
  bool put(Expression part);
  // Without a frame around what has one part or none.
  Expression settled() &&;
};

Expression negated(Expression e);
bool holds(const Expression& e, const Model& model, std::span<const std::uint8_t> assignment);
void add_clauses(const Expression& e, Rule rule, Model& model);

}  // namespace entente::schema
