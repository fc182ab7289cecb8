// What a schema says as a whole: whether relations and their inverses fit, overlap policies together, modes and facts.
#include <algorithm>

#include "schema/schema_reader.h"

namespace entente::schema {

void SchemaReader::check_relation(int r, JsonValue v, bool symmetric, int inverse) {
  auto same = [](std::vector<int> a, std::vector<int> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  };
  const Relation& it = out_.relations[r];
  if (symmetric && inverse >= 0) v.fail("a relation cannot be both symmetric and an inverse");
  if (symmetric && !same(it.head, it.tail))
    v.fail("the symmetric relation " + quoted(it.name) + " needs the same types at head and tail");
}

// The head of one is the tail of the other: where no type may be both, neither can ever be chosen.
void SchemaReader::check_inverses() const {
  auto fit = [](const std::vector<int>& a, const std::vector<int>& b) {
    return a.empty() || b.empty() || std::any_of(a.begin(), a.end(), [&](int t) {
             return std::find(b.begin(), b.end(), t) != b.end();
           });
  };
  for (const SchemaRule& rule : out_.rules) {
    if (rule.kind != RuleKind::inverse || !rule.hard()) continue;
    const Relation &a = out_.relations[rule.relations[0]], &b = out_.relations[rule.other];
    if (fit(a.head, b.tail) && fit(a.tail, b.head)) continue;
    throw Error("no pair can be both " + quoted(a.name) + " and its inverse " + quoted(b.name) +
                    ": no type is allowed as the " +
                    (fit(a.head, b.tail) ? "tail of the first and the head of the second"
                                         : "head of the first and the tail of the second"),
                out_.rule_places[rule.name]);
  }
}

// What allow_nested says: a policy where none was written, and for GLiNER2 one more that must hold.
void SchemaReader::settle_overlap() {
  const auto nested = std::count(nested_.begin(), nested_.end(), true);
  const bool all = nested == static_cast<std::ptrdiff_t>(nested_.size());
  const Overlap said = nested == 0 ? Overlap::disallow : all ? Overlap::allow : Overlap::nested;
  for (EntityType& t : out_.types) {
    if (out_.as_nodes()) {
      t.overlap = std::max(t.overlap, said);
    } else if (!overlap_said_ && nested > 0) {
      t.overlap = said;
    }
  }
}

void SchemaReader::read_mode(JsonValue v) {
  const auto mode = mode_from_name(v.string("a mode"));
  if (!mode)
    v.fail("unknown mode " + quoted(v.string()) +
           "; there are entente, gliner2 and gliner2_unchecked");
  out_.mode = *mode;
}

// {"same_as": "a description"} or ["same_as"].
void SchemaReader::declare_facts(JsonValue v) {
  auto declare_fact = [&](JsonValue at) {
    const std::string name(at.string("the name of a fact"));
    if (name.empty()) at.fail("a name must not be empty");
    const bool known = std::find(out_.facts.begin(), out_.facts.end(), name) != out_.facts.end();
    if (known || out_.find_type(name) >= 0 || out_.find_relation(name) >= 0)
      at.fail("the name " + quoted(name) + " is given twice");
    out_.facts.push_back(name);
    out_.fact_rules.push_back(static_cast<int>(out_.rule_names.size()));
    out_.rule_names.push_back("fact " + name);
    out_.rule_places.push_back(at.place());
  };
  if (v.is(JsonType::object)) {
    for (auto [key, value] : v.members()) declare_fact(key);
    return;
  }
  v.expect(JsonType::array, "facts by name");
  for (JsonValue e : v.elements()) declare_fact(e);
}

}  // namespace entente::schema
