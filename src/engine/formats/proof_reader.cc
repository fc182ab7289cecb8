#include <cmath>

#include "engine/formats/proof_json.h"

namespace entente {

namespace {

std::int32_t whole_number(JsonValue value) {
  const double x = value.number("a whole number");
  if (x != std::floor(x) || std::abs(x) > 2e9) value.fail("a whole number is expected");
  return static_cast<std::int32_t>(x);
}

}  // namespace

std::vector<JsonValue> elements_of(JsonValue array, std::string_view what) {
  array.expect(JsonType::array, what);
  std::vector<JsonValue> out;
  for (JsonValue v : array.elements()) out.push_back(v);
  return out;
}

void ProofReader::read_choices(JsonValue value) {
  value.expect(JsonType::array, "an array of factors");
  for (JsonValue f : value.elements()) proof_.choices.push_back(factor(f));
}

void ProofReader::read_steps(JsonValue value) {
  value.expect(JsonType::array, "an array of steps");
  for (JsonValue step : value.elements()) read_step(step);
}

std::int32_t ProofReader::factor(JsonValue value) {
  const std::int32_t f = whole_number(value);
  if (f >= static_cast<std::int32_t>(numbering_.to_graph.size()))
    value.fail("there is no such factor");
  return numbering_.factor(f, numbering_.to_graph);
}

std::int32_t ProofReader::state(JsonValue value) {
  const std::int32_t s = whole_number(value);
  const auto rules = static_cast<std::int64_t>(numbering_.to_graph.size());
  if (s < -1 || s >= numbering_.states + 2 * rules + joint_states_)
    value.fail("there is no such state");
  return numbering_.state(s, numbering_.to_graph);
}

std::span<const std::int32_t> ProofReader::list(const std::vector<JsonValue>& values,
                                                std::size_t from) {
  word(static_cast<std::int32_t>(values.size() - from));
  for (std::size_t i = from; i < values.size(); ++i) word(state(values[i]));
  return std::span(proof_.words).last(values.size() - from);
}

void ProofReader::read_step(JsonValue value) {
  const std::vector<JsonValue> parts = elements_of(value, "a step");
  if (parts.empty()) value.fail("a step has a name");
  const std::string_view name = parts[0].string("the name of a step");
  std::size_t k = 0;
  while (k < kStepNames.size() && kStepNames[k] != name) ++k;
  if (k == kStepNames.size()) parts[0].fail("unknown step " + quoted(name));
  const auto step = static_cast<ProofStep>(k);
  word(static_cast<std::int32_t>(k));
  auto need = [&](std::size_t count, bool more) {
    if (parts.size() < count + 1 || (!more && parts.size() > count + 1))
      value.fail("the step " + quoted(name) + " has another number of parts");
  };
  switch (step) {
    case ProofStep::close:
    case ProofStep::cut:
    case ProofStep::suppose:
    case ProofStep::part:
      list(parts, 1);
      return;
    case ProofStep::dominated:
      need(1, true);
      word(state(parts[1]));
      list(parts, 2);
      return;
    case ProofStep::strike:
      need(1, true);
      word(whole_number(parts[1]));
      list(parts, 2);
      return;
    case ProofStep::line:
      word(static_cast<std::int32_t>(parts.size() - 1));
      for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto span = elements_of(parts[i], "[state, begin, end]");
        if (span.size() != 3) parts[i].fail("[state, begin, end] is expected");
        word(state(span[0]));
        word(whole_number(span[1]));
        word(whole_number(span[2]));
      }
      return;
    case ProofStep::pairs:
      word(static_cast<std::int32_t>(parts.size() - 1));
      sizes_.begin_pairs();
      for (std::size_t i = 1; i < parts.size(); ++i)
        sizes_.add_node(list(elements_of(parts[i], "a list of states"), 0));
      return;
    case ProofStep::region:
      word(static_cast<std::int32_t>(parts.size() - 1));
      sizes_.begin_region();
      for (std::size_t i = 1; i < parts.size(); ++i)
        sizes_.add_to_region(list(elements_of(parts[i], "a list of states"), 0));
      return;
    case ProofStep::eliminate:
    case ProofStep::bound:
      need(1, false);
      return word(whole_number(parts[1]));
    case ProofStep::alike:
      word(static_cast<std::int32_t>(parts.size() - 1));
      for (std::size_t i = 1; i < parts.size(); ++i)
        list(elements_of(parts[i], "a list of states"), 0);
      return;
    case ProofStep::grid:
      need(1, false);
      proof_.numbers.push_back(parts[1].number());
      return;
    case ProofStep::empty:
      need(1, false);
      return word(state(parts[1]));
    case ProofStep::price:
      need(5, parts.size() == 7);
      return read_price(parts);
    case ProofStep::joint:
      need(3, true);
      return read_joint(parts);
    case ProofStep::derive:
      need(4, true);
      word(factor(parts[1]));
      for (int i = 2; i < 5; ++i) word(whole_number(parts[i]));
      list(parts, 5);
      return;
    case ProofStep::round:
      need(1, true);
      read_rounded_rows(elements_of(parts[1], "a list of rows"));
      list(parts, 2);
      return;
  }
}

void ProofReader::read_rounded_rows(const std::vector<JsonValue>& rows) {
  word(static_cast<std::int32_t>(rows.size()));
  for (JsonValue row : rows) {
    const auto r = elements_of(row, "[factor, part, side, times]");
    if (r.size() != 4) row.fail("[factor, part, side, times] is expected");
    word(factor(r[0]));
    for (int i : {1, 2}) word(whole_number(r[i]));
    proof_.numbers.push_back(r[3].number());
  }
}

void ProofReader::read_joint(const std::vector<JsonValue>& parts) {
  constexpr std::int64_t kMost = 1'000'000'000;
  word(factor(parts[1]));
  word(static_cast<std::int32_t>(parts.size() - 2));
  std::int64_t choices = 1;
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const auto states = elements_of(parts[i], "a list of states");
    list(states, 0);
    choices *= static_cast<std::int64_t>(states.size());
    if (choices > kMost) throw Error("a certificate has too many joint states");
  }
  joint_states_ += choices;
  if (joint_states_ > kMost) throw Error("a certificate has too many joint states");
}

void ProofReader::read_price(const std::vector<JsonValue>& parts) {
  word(factor(parts[1]));
  const auto rows = elements_of(parts[2], "a list of rows"),
             nodes = elements_of(parts[3], "a list of nodes"),
             shares = elements_of(parts[4], "a list of shares"),
             pairs = elements_of(parts[5], "a list of pairs");
  for (const auto* l : {&rows, &nodes, &shares, &pairs}) word(static_cast<std::int32_t>(l->size()));
  word(parts.size() == 7 ? whole_number(parts[6]) : Proof::kNone);
  for (JsonValue row : rows) {
    const auto r = elements_of(row, "[factor, part, price]");
    if (r.size() != 3) row.fail("[factor, part, price] is expected");
    word(factor(r[0]));
    word(whole_number(r[1]));
    proof_.numbers.push_back(r[2].number());
  }
  for (JsonValue node : nodes) {
    const auto n = elements_of(node, "[state, price]");
    if (n.size() != 2) node.fail("[state, price] is expected");
    word(state(n[0]));
    proof_.numbers.push_back(n[1].number());
  }
  for (JsonValue share : shares) {
    const auto s = elements_of(share, "[factor, shares...]");
    if (s.empty()) share.fail("[factor, shares...] is expected");
    word(factor(s[0]));
    word(static_cast<std::int32_t>(s.size() - 1));
    for (std::size_t i = 1; i < s.size(); ++i) proof_.numbers.push_back(s[i].number());
  }
  for (JsonValue pair : pairs) {
    const auto p = elements_of(pair, "[node, node, numbers...]");
    if (p.size() < 2) pair.fail("[node, node, numbers...] is expected");
    const std::int32_t a = whole_number(p[0]), b = whole_number(p[1]);
    if (static_cast<std::int64_t>(p.size()) - 2 != sizes_.numbers(a, b))
      pair.fail(
          "two nodes of the last \"pairs\" and a number for each of their states are expected");
    word(a);
    word(b);
    for (std::size_t i = 2; i < p.size(); ++i) proof_.numbers.push_back(p[i].number());
  }
}

}  // namespace entente
