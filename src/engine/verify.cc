#include "entente/verify.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/proof/checker.h"
#include "entente/error.h"

// Written apart from the solvers on purpose: what it shares with them is the Graph and what
// src/engine/factors says of a single factor.

namespace entente {

namespace {

double size_of(double x) { return std::max(1.0, std::abs(x)); }

bool near(double a, double b, double tolerance) {
  if (a == b) return true;  // infinities of the same sign
  return std::isfinite(a) && std::isfinite(b) && std::abs(a - b) <= tolerance * size_of(b);
}

bool refuse(Verdict& v, std::string reason) {
  v.reason = std::move(reason);
  return false;
}

bool check_assignment(const Graph& g, const Certificate& c, Verdict& v) {
  if (std::isnan(c.value) || std::isnan(c.bound)) return refuse(v, "a number is missing");
  if (c.assignment.empty() && (g.variable_count() > 0 || c.value == -kInfinity)) {
    if (c.value != -kInfinity) return refuse(v, "a value is claimed without an assignment");
    return true;
  }
  if (static_cast<int>(c.assignment.size()) != g.variable_count())
    return refuse(v, "the assignment has another number of variables than the problem");
  for (std::uint8_t z : c.assignment) {
    if (z > 1) return refuse(v, "the assignment holds a value other than 0 and 1");
  }
  v.value = g.evaluate(c.assignment);
  if (v.value == -kInfinity) return refuse(v, "the assignment breaks a rule or a fixed value");
  if (!near(v.value, c.value, 1e-9))
    return refuse(v, "the assignment is not worth what is claimed");
  return true;
}

bool check_proof(const Graph& g, const Certificate& c, double tolerance, Verdict& v) {
  if (c.proof.empty()) return refuse(v, "there is no proof");
  try {
    ProofChecker checker(g, c.proof);
    if (!checker.run()) return refuse(v, checker.reason());
    v.bound = std::max(checker.bound(), v.value);  // rounding errors aside it is never the smaller
  } catch (const Error& error) {
    return refuse(v, error.what());
  }
  if (!(c.bound >= c.value - 1e-7 * size_of(c.value)))
    return refuse(v, "the bound is below the value");
  if (!(c.bound >= v.bound - tolerance * size_of(v.bound)))
    return refuse(v, "the proof arrives at a bound above the one claimed");
  return true;
}

}  // namespace

Verdict verify(const Graph& graph, const Certificate& certificate, double tolerance) {
  Verdict v;
  v.value = v.bound = -kInfinity;
  v.accepted =
      check_assignment(graph, certificate, v) && check_proof(graph, certificate, tolerance, v);
  if (!v.accepted) return v;
  v.optimal = v.value == -kInfinity ? v.bound == -kInfinity
                                    : v.bound - v.value <= tolerance * size_of(v.value);
  return v;
}

}  // namespace entente
