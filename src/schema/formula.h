// The rule language: logic over spans, their types and their relations.
//
//   forall x, y: kill(x, y) implies person(x) and person(y)
//   forall x: company(x) implies exists y: based_in(x, y)
//
// Atoms: `type(x)` (x is chosen as it), `entity(x)` (x is chosen as anything), `relation(x, y)`
// (chosen between them), and what the text decides: `before(x, y)`, `overlaps(x, y)`, `inside(x,
// y)`, `same_text(x, y)`, `same_sentence(x, y)`, `x = y`, `x != y`, and facts that candidates bring
// along, of one span or two. Joined by `not`, `and`, `or`,
// `implies`, `iff` (binding in this order, the first tightest), `forall`, `exists` and brackets. A
// name with other characters than letters, digits, `_`, `-` and `.` stands in 'quotes'.
//
// parse_formula() gives a tree in flat arrays; ground.h makes factors of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace entente::schema {

enum class Op : std::uint8_t {
  forall,    // variables [a, b) over child
  exists,    // the same
  land,      // child, child2
  lor,       // child, child2
  lnot,      // child
  type,      // symbol = type of variable a; symbol -1: any
  relation,  // symbol between variables a and b
  before,    // variables a and b, as those that follow
  overlaps,
  inside,
  same_text,
  same_sentence,
  same,
  fact,  // symbol of variables a and b; b -1: of a alone
};

struct FormulaNode {
  Op op{};
  std::int32_t a = 0, b = 0;
  std::int32_t child = -1, child2 = -1;
  std::int32_t symbol = -1;
};

struct Formula {
  std::vector<FormulaNode> nodes;  // children before their parents
  std::vector<std::string> variables;
  int root = -1;

  bool uses_text() const;  // has an atom that the text or a fact decides
};

// Types, relations and facts by name; -1 where there is none.
struct FormulaNames {
  std::function<int(std::string_view)> type, relation, fact;
};

// fail(offset, message) must throw.
Formula parse_formula(std::string_view text, const FormulaNames& names,
                      const std::function<void(std::size_t, const std::string&)>& fail);

}  // namespace entente::schema
