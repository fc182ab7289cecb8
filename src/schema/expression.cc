#include "schema/expression.h"

#include <algorithm>
#include <utility>

namespace entente::schema {

namespace {

constexpr std::size_t kMostClauses = 16;  // of one instance without auxiliary variables

using Clauses = std::vector<std::vector<Literal>>;

class Clausifier {
 public:
  Clausifier(Model& model, Rule rule) : model_(model), rule_(rule) {}

  void add(const Expression& e) {
    Clauses clauses = clauses_of(e);
    if (rule_.cost == kHard || clauses.size() == 1) {
      for (auto& clause : clauses) model_.add_long_clause(clause, rule_);
    } else if (!clauses.empty()) {
      // One price for all of them: a variable that says whether they hold.
      std::vector<Literal> unit = {stand_in(clauses)};
      model_.add_clause(unit, rule_);
    }
  }

 private:
  // A variable that implies the clauses.
  Literal stand_in(Clauses& clauses) {
    const Literal v = model_.add_auxiliary();
    for (auto& clause : clauses) {
      clause.push_back(!v);
      model_.add_clause(clause, Rule{rule_.id, kHard});
    }
    return v;
  }

  Clauses clauses_of(const Expression& e) {
    switch (e.kind) {
      case Expression::yes:
        return {};
      case Expression::no:
        return {{}};
      case Expression::literal:
        return {{e.atom}};
      case Expression::all: {
        Clauses out;
        for (const Expression& part : e.parts) {
          for (auto& clause : clauses_of(part)) out.push_back(std::move(clause));
        }
        return out;
      }
      case Expression::any:
        break;
    }
    Clauses out = {{}};
    for (const Expression& part : e.parts) {
      Clauses more = clauses_of(part);
      if (out.size() * more.size() > kMostClauses) more = {{stand_in(more)}};
      Clauses product;
      for (const auto& a : out) {
        for (const auto& b : more) {
          product.push_back(a);
          product.back().insert(product.back().end(), b.begin(), b.end());
        }
      }
      out = std::move(product);
    }
    return out;
  }

  Model& model_;
  Rule rule_;
};

}  // namespace

bool Expression::put(Expression part) {
  const bool conjunction = kind == all;
  if (part.kind == (conjunction ? yes : no)) return true;
  if (part.kind == (conjunction ? no : yes)) {
    *this = std::move(part);
    return false;
  }
  if (part.kind == kind) {
    for (Expression& p : part.parts) parts.push_back(std::move(p));
  } else {
    parts.push_back(std::move(part));
  }
  return true;
}

Expression Expression::settled() && {
  if (kind != all && kind != any) return std::move(*this);
  if (parts.empty()) return {kind == all ? yes : no, {}, {}};
  if (parts.size() == 1) {
    Expression only = std::move(parts[0]);
    return only;
  }
  return std::move(*this);
}

Expression negated(Expression e) {
  switch (e.kind) {
    case Expression::yes:
      return {Expression::no, {}, {}};
    case Expression::no:
      return {Expression::yes, {}, {}};
    case Expression::literal:
      return {Expression::literal, !e.atom, {}};
    default:
      e.kind = e.kind == Expression::all ? Expression::any : Expression::all;
      for (Expression& part : e.parts) part = negated(std::move(part));
      return e;
  }
}

bool holds(const Expression& e, const Model& model, std::span<const std::uint8_t> z) {
  auto part_holds = [&](const Expression& part) { return holds(part, model, z); };
  switch (e.kind) {
    case Expression::yes:
    case Expression::no:
      return e.kind == Expression::yes;
    case Expression::literal:
      return model.chosen(e.atom, z);
    case Expression::all:
      return std::all_of(e.parts.begin(), e.parts.end(), part_holds);
    case Expression::any:
      return std::any_of(e.parts.begin(), e.parts.end(), part_holds);
  }
  return true;
}

void add_clauses(const Expression& e, Rule rule, Model& model) { Clausifier(model, rule).add(e); }

}  // namespace entente::schema
