// Certificates as JSON: the claim, and the log of steps, one array a step (docs/certificates.md). The
// factors are numbered as in a JSON problem file, without the groups' own, so that a certificate
// also fits the graph read back from that file.
#include <array>
#include <cmath>
#include <optional>

#include "base/json.h"
#include "engine/formats/names.h"
#include "entente/formats.h"

namespace entente {

namespace {

constexpr std::array<std::string_view, 15> kStepNames = {
    "close", "dominated", "cut",   "line",  "price", "strike", "suppose", "part",
    "pairs", "eliminate", "bound", "empty", "ray",   "sum",    "joint"};

// Factor numbers of a graph and of a file, and the states of soft rules that go with them.
struct Numbering {
  explicit Numbering(const Graph& graph)
      : states(2 * graph.variable_count()), to_file(graph.factor_count(), -1) {
    std::vector<bool> of_group(graph.factor_count());
    for (std::size_t g = 0; g < graph.groups().size(); ++g) {
      of_group[graph.group_factor(static_cast<int>(g))] = true;
    }
    for (int f = 0; f < graph.factor_count(); ++f) {
      if (of_group[f]) continue;
      to_file[f] = static_cast<std::int32_t>(to_graph.size());
      to_graph.push_back(f);
    }
  }
  std::int32_t factor(std::int32_t f, const std::vector<std::int32_t>& map) const {
    return f >= 0 && f < static_cast<std::int32_t>(map.size()) ? map[f] : f;
  }
  // States of joint nodes come after those of all factors.
  std::int32_t state(std::int32_t s, const std::vector<std::int32_t>& map) const {
    const auto known = static_cast<std::int32_t>(map.size());
    const auto others = static_cast<std::int32_t>(&map == &to_file ? to_graph.size() : to_file.size());
    if (s < states) return s;
    if (s >= states + 2 * known) return s + 2 * (others - known);
    return states + 2 * factor((s - states) / 2, map) + (s & 1);
  }

  const std::int32_t states;  // of variables
  std::vector<std::int32_t> to_file, to_graph;
};

// -infinity is null, +infinity the text "infinity".
void write_number(JsonWriter& out, double x) {
  if (std::isnan(x)) throw Error("a certificate holds something that is not a number");
  if (x == -kInfinity) {
    out.null();
  } else if (x == kInfinity) {
    out.string("infinity");
  } else {
    out.number(x);
  }
}

double read_number(JsonValue value) {
  if (value.is(JsonType::null)) return -kInfinity;
  if (value.is(JsonType::string) && value.string() == "infinity") return kInfinity;
  return value.number("a number, null (-infinity) or \"infinity\"");
}

// ---------------------------------------------------------------- writing

class ProofWriter {
 public:
  ProofWriter(const Graph& graph, const Proof& proof, JsonWriter& out)
      : proof_(proof), out_(out), numbering_(graph) {}

  void run() {
    out_.line(2).key("choices").begin_array();
    for (int f : proof_.choices) out_.number(numbering_.to_file[f]);
    out_.end_array().line(2).key("steps").begin_array();
    while (at_ < proof_.words.size()) {
      const auto step = static_cast<ProofStep>(next());
      out_.line(4).begin_array().string(kStepNames[static_cast<std::size_t>(step)]);
      write(step);
      out_.end_array();
    }
    if (!proof_.words.empty()) out_.line(2);
    out_.end_array();
  }

 private:
  std::int32_t next() { return proof_.words.at(at_++); }
  double number() {
    const double x = proof_.numbers.at(number_++);
    if (!std::isfinite(x)) throw Error("a price of a certificate is not finite");
    return x;
  }
  void states(int count) {
    for (int i = 0; i < count; ++i) out_.number(numbering_.state(next(), numbering_.to_file));
  }
  void write(ProofStep step) {
    switch (step) {
      case ProofStep::close:
      case ProofStep::cut:
      case ProofStep::suppose:
      case ProofStep::part:
        return states(next());
      case ProofStep::dominated:
        states(1);
        return states(next());
      case ProofStep::strike:
        out_.number(next());
        return states(next());
      case ProofStep::line:
        for (int i = next(); i > 0; --i) {
          out_.begin_array();
          states(1);
          const std::int32_t begin = next();
          out_.number(begin).number(next()).end_array();
        }
        return;
      case ProofStep::pairs:
        sizes_.clear();
        for (int i = next(); i > 0; --i) {
          out_.begin_array();
          sizes_.push_back(next());
          states(sizes_.back());
          out_.end_array();
        }
        return;
      case ProofStep::eliminate:
      case ProofStep::bound:
      case ProofStep::ray:
        out_.number(next());
        return;
      case ProofStep::empty: {
        const std::int32_t s = next();
        out_.number(s < 0 ? s : numbering_.state(s, numbering_.to_file));
        return;
      }
      case ProofStep::price:
        return write_price();
      case ProofStep::joint:
        out_.number(numbering_.factor(next(), numbering_.to_file));
        out_.begin_array();
        states(next());
        out_.end_array().begin_array();
        states(next());
        out_.end_array();
        return;
      case ProofStep::sum:
        return;
    }
  }
  // [disjoint, rows, nodes, shares, pairs]: lists of [factor, part, price], [state, price],
  // [factor, numbers...], [node, node, numbers...].
  void write_price() {
    out_.number(numbering_.factor(next(), numbering_.to_file));
    const std::int32_t rows = next(), nodes = next(), shares = next(), pairs = next();
    const std::int32_t like = next();
    out_.begin_array();
    for (int i = 0; i < rows; ++i) {
      const std::int32_t factor = numbering_.factor(next(), numbering_.to_file);
      const std::int32_t part = next();
      out_.begin_array().number(factor).number(part).number(number()).end_array();
    }
    out_.end_array().begin_array();
    for (int i = 0; i < nodes; ++i) {
      out_.begin_array();
      states(1);
      out_.number(number()).end_array();
    }
    out_.end_array().begin_array();
    for (int i = 0; i < shares; ++i) {
      out_.begin_array().number(numbering_.factor(next(), numbering_.to_file));
      for (int l = next(); l > 0; --l) out_.number(number());
      out_.end_array();
    }
    out_.end_array().begin_array();
    write_pairs(pairs);
    out_.end_array();
    if (like != Proof::kNone) out_.number(like);
  }
  void write_pairs(int count) {
    std::vector<std::pair<std::int32_t, std::int32_t>> nodes(count);
    for (auto& [a, b] : nodes) {
      a = next();
      b = next();
    }
    for (const auto& [a, b] : nodes) {
      out_.begin_array().number(a).number(b);
      for (int l = sizes_.at(a) + sizes_.at(b); l > 0; --l) out_.number(number());
      out_.end_array();
    }
  }

  const Proof& proof_;
  JsonWriter& out_;
  const Numbering numbering_;
  std::size_t at_ = 0, number_ = 0;
  std::vector<std::int32_t> sizes_;  // of the nodes of the last `pairs`
};

// ---------------------------------------------------------------- reading

// Turns arrays into the words of a Proof; what they mean is the checker's business.
class ProofReader {
 public:
  ProofReader(const Graph& graph, Proof& proof) : proof_(proof), numbering_(graph) {}

  void read_choices(JsonValue value) {
    value.expect(JsonType::array, "an array of factors");
    for (JsonValue f : value.elements()) proof_.choices.push_back(factor(f));
  }
  void read_steps(JsonValue value) {
    value.expect(JsonType::array, "an array of steps");
    for (JsonValue step : value.elements()) read_step(step);
  }

 private:
  std::int32_t integer(JsonValue value) {
    const double x = value.number("a whole number");
    if (x != std::floor(x) || std::abs(x) > 2e9) value.fail("a whole number is expected");
    return static_cast<std::int32_t>(x);
  }
  std::int32_t factor(JsonValue value) {
    const std::int32_t f = integer(value);
    if (f >= static_cast<std::int32_t>(numbering_.to_graph.size()))
      value.fail("there is no such factor");
    return numbering_.factor(f, numbering_.to_graph);
  }
  std::int32_t state(JsonValue value) {
    const std::int32_t s = integer(value);
    const auto rules = static_cast<std::int64_t>(numbering_.to_graph.size());
    if (s < -1 || s >= numbering_.states + 2 * rules + joint_states_)
      value.fail("there is no such state");
    return numbering_.state(s, numbering_.to_graph);
  }
  void word(std::int32_t w) { proof_.words.push_back(w); }

  // The elements of an array after the first `skip`.
  std::vector<JsonValue> rest(JsonValue array, std::size_t skip, std::string_view what) {
    array.expect(JsonType::array, what);
    std::vector<JsonValue> out;
    for (JsonValue v : array.elements()) out.push_back(v);
    if (out.size() < skip) array.fail(std::string(what) + " is too short");
    out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(skip));
    return out;
  }
  void list(const std::vector<JsonValue>& values, std::size_t from) {
    word(static_cast<std::int32_t>(values.size() - from));
    for (std::size_t i = from; i < values.size(); ++i) word(state(values[i]));
  }

  void read_step(JsonValue value) {
    const std::vector<JsonValue> parts = rest(value, 0, "a step");
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
        return list(parts, 1);
      case ProofStep::dominated:
        need(1, true);
        word(state(parts[1]));
        return list(parts, 2);
      case ProofStep::strike:
        need(1, true);
        word(integer(parts[1]));
        return list(parts, 2);
      case ProofStep::line:
        word(static_cast<std::int32_t>(parts.size() - 1));
        for (std::size_t i = 1; i < parts.size(); ++i) {
          const auto span = rest(parts[i], 0, "[state, begin, end]");
          if (span.size() != 3) parts[i].fail("[state, begin, end] is expected");
          word(state(span[0]));
          word(integer(span[1]));
          word(integer(span[2]));
        }
        return;
      case ProofStep::pairs:
        word(static_cast<std::int32_t>(parts.size() - 1));
        sizes_.clear();
        for (std::size_t i = 1; i < parts.size(); ++i) {
          const auto states = rest(parts[i], 0, "a list of states");
          sizes_.push_back(states.size());
          list(states, 0);
        }
        return;
      case ProofStep::eliminate:
      case ProofStep::bound:
      case ProofStep::ray:
        need(1, false);
        return word(integer(parts[1]));
      case ProofStep::empty:
        need(1, false);
        return word(state(parts[1]));
      case ProofStep::price:
        need(5, parts.size() == 7);
        return read_price(parts);
      case ProofStep::joint:
        need(3, false);
        word(factor(parts[1]));
        return read_joint(rest(parts[2], 0, "a list of states"),
                          rest(parts[3], 0, "a list of states"));
      case ProofStep::sum:
        return need(0, false);
    }
  }

  void read_joint(const std::vector<JsonValue>& a, const std::vector<JsonValue>& b) {
    list(a, 0);
    list(b, 0);
    joint_states_ += static_cast<std::int64_t>(a.size()) * static_cast<std::int64_t>(b.size());
    if (joint_states_ > 1'000'000'000) throw Error("a certificate has too many joint states");
  }

  void read_price(const std::vector<JsonValue>& parts) {
    word(factor(parts[1]));
    const auto rows = rest(parts[2], 0, "a list of rows"),
               nodes = rest(parts[3], 0, "a list of nodes"),
               shares = rest(parts[4], 0, "a list of shares"),
               pairs = rest(parts[5], 0, "a list of pairs");
    for (const auto* l : {&rows, &nodes, &shares, &pairs})
      word(static_cast<std::int32_t>(l->size()));
    word(parts.size() == 7 ? integer(parts[6]) : Proof::kNone);
    for (JsonValue row : rows) {
      const auto r = rest(row, 0, "[factor, part, price]");
      if (r.size() != 3) row.fail("[factor, part, price] is expected");
      word(factor(r[0]));
      word(integer(r[1]));
      proof_.numbers.push_back(r[2].number());
    }
    for (JsonValue node : nodes) {
      const auto n = rest(node, 0, "[state, price]");
      if (n.size() != 2) node.fail("[state, price] is expected");
      word(state(n[0]));
      proof_.numbers.push_back(n[1].number());
    }
    for (JsonValue share : shares) {
      const auto s = rest(share, 0, "[factor, shares...]");
      if (s.empty()) share.fail("[factor, shares...] is expected");
      word(factor(s[0]));
      word(static_cast<std::int32_t>(s.size() - 1));
      for (std::size_t i = 1; i < s.size(); ++i) proof_.numbers.push_back(s[i].number());
    }
    for (JsonValue pair : pairs) {
      const auto p = rest(pair, 0, "[node, node, numbers...]");
      if (p.size() < 2) pair.fail("[node, node, numbers...] is expected");
      const std::int32_t a = integer(p[0]), b = integer(p[1]);
      const auto known = static_cast<std::int32_t>(sizes_.size());
      if (a < 0 || b < 0 || a >= known || b >= known || p.size() != 2 + sizes_[a] + sizes_[b])
        pair.fail(
            "two nodes of the last \"pairs\" and a number for each of their states are expected");
      word(a);
      word(b);
      for (std::size_t i = 2; i < p.size(); ++i) proof_.numbers.push_back(p[i].number());
    }
  }

  Proof& proof_;
  const Numbering numbering_;
  std::int64_t joint_states_ = 0;   // of the joint nodes so far
  std::vector<std::size_t> sizes_;  // of the nodes of the last `pairs`
};

class CertificateReader {
 public:
  CertificateReader(const Graph& graph, Json& json) : graph_(graph), json_(json), names_(graph) {}

  Certificate run() {
    const auto [value, bound, complete, assignment, choices, steps] =
        parts(json_.root(), "a certificate",
              {"value", "bound", "complete", "assignment", "choices", "steps"});
    Certificate out;
    out.value = read_number(*value);
    out.bound = read_number(*bound);
    complete->expect(JsonType::boolean, "true or false");
    out.proof.complete = complete->boolean();
    if (!assignment->is(JsonType::null)) read_assignment(*assignment, out.assignment);
    ProofReader proof(graph_, out.proof);
    proof.read_choices(*choices);
    proof.read_steps(*steps);
    return out;
  }

 private:
  static constexpr std::size_t kKeys = 6;
  // The members of an object that has all of these keys and no other.
  std::array<std::optional<JsonValue>, kKeys> parts(
      JsonValue object, std::string_view what, const std::array<std::string_view, kKeys>& keys) {
    std::array<std::optional<JsonValue>, kKeys> out;
    object.expect(JsonType::object, what);
    for (auto [key, value] : object.members()) {
      std::size_t k = 0;
      while (k < kKeys && keys[k] != key.string()) ++k;
      if (k == kKeys) {
        Nearest nearest(key.string());
        for (std::string_view name : keys) nearest.consider(name);
        key.fail("unknown key " + quoted(key.string()) + nearest.suggestion());
      }
      if (out[k]) key.fail("the key " + quoted(keys[k]) + " occurs twice");
      out[k] = value;
    }
    for (std::size_t k = 0; k < kKeys; ++k) {
      if (!out[k]) object.fail(std::string(what) + " needs " + quoted(keys[k]));
    }
    return out;
  }

  void read_assignment(JsonValue value, std::vector<std::uint8_t>& out) {
    value.expect(JsonType::array, "an array of the variables that are 1, or null");
    out.assign(graph_.variable_count(), 0);
    for (JsonValue name : value.elements()) {
      const std::string_view text = name.string("a variable");
      const int v = names_.find(text);
      if (v < 0) name.fail("unknown variable " + quoted(text) + names_.suggestion(text));
      if (out[v]) name.fail("this variable occurs twice");
      out[v] = 1;
    }
  }

  const Graph& graph_;
  Json& json_;
  const VariableNames names_;
};

}  // namespace

std::string write_certificate(const Graph& graph, const Certificate& certificate) {
  const VariableNames unique(graph);  // throws where names are not
  JsonWriter out;
  write_number(out.begin_object().line(2).key("value"), certificate.value);
  write_number(out.line(2).key("bound"), certificate.bound);
  out.line(2).key("complete").boolean(certificate.proof.complete);
  out.line(2).key("assignment");
  if (certificate.assignment.empty()) {
    out.null();
  } else {
    out.begin_array();
    for (int v = 0; v < graph.variable_count(); ++v) {
      if (certificate.assignment[v]) out.string(graph.variable_name(Var{v}));
    }
    out.end_array();
  }
  ProofWriter(graph, certificate.proof, out).run();
  out.line(0).end_object();
  return out.take() + "\n";
}

Certificate read_certificate(const Graph& graph, std::string_view text, std::string_view file) {
  Json json;
  json.parse({text, file, 1});
  return CertificateReader(graph, json).run();
}

}  // namespace entente
