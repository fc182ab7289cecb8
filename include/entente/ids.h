// The small values a Graph is spoken of with: variables, literals, groups, rules, intervals.
//
//   Var x = g.add_variable(1.5);
//   g.add_at_least_one({x, !y});      // a Literal is a variable or its negation
//
// All are trivially copyable and cost what an integer costs.
#pragma once

#include <cstdint>
#include <limits>

namespace entente {

// A 0/1 variable of a Graph.
struct Var {
  std::int32_t index = -1;
  friend bool operator==(Var, Var) = default;
};

// A variable or its negation.
struct Literal {
  std::uint32_t code = 0;  // 2 * variable + (negated ? 1 : 0)

  Literal() = default;
  Literal(Var v) : code(static_cast<std::uint32_t>(v.index) * 2) {}  // NOLINT: meant to convert
  Literal(Var v, bool negated)
      : code(static_cast<std::uint32_t>(v.index) * 2 + (negated ? 1 : 0)) {}

  std::int32_t var() const { return static_cast<std::int32_t>(code >> 1); }
  bool negated() const { return (code & 1) != 0; }
  // Value of the literal when its variable has value `v` (0 or 1).
  std::uint8_t value(std::uint8_t v) const { return static_cast<std::uint8_t>(v ^ (code & 1)); }
  Literal operator!() const {
    Literal out;
    out.code = code ^ 1;
    return out;
  }
  friend bool operator==(Literal, Literal) = default;
};

inline Literal operator!(Var v) { return Literal(v, true); }

// A categorical variable: `size` consecutive 0/1 variables of which exactly one is 1.
struct Group {
  std::int32_t first = 0;
  std::int32_t size = 0;
  Var operator[](int state) const { return Var{first + state}; }
};

// Half-open [begin, end). An empty interval overlaps nothing.
struct Interval {
  std::int32_t begin = 0;
  std::int32_t end = 0;
  bool empty() const { return begin >= end; }
  bool overlaps(Interval o) const {
    return !empty() && !o.empty() && begin < o.end && o.begin < end;
  }
  friend bool operator==(Interval, Interval) = default;
};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kHard = kInfinity;  // the cost of a rule that may not be broken

// What a factor is called in results, and what breaking it costs. Made by Graph::rule().
struct Rule {
  std::int32_t id = -1;  // -1: no name
  double cost = kHard;
};

// Scores of pairs of states that many factors share. Made by Graph::table().
struct Table {
  std::int32_t id = -1;
};

}  // namespace entente
