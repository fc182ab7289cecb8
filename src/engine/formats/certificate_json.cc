// Certificates as JSON. Shares are listed in the order of the factors in a JSON problem file (the
// groups' own factors first), so that a certificate also fits the graph read back from that file.
#include <array>
#include <cmath>
#include <optional>

#include "base/json.h"
#include "engine/formats/names.h"
#include "entente/formats.h"

namespace entente {

namespace {

// Factors in the order of a file.
std::vector<int> file_order(const Graph& graph) {
  std::vector<int> order;
  std::vector<bool> of_group(graph.factor_count());
  for (std::size_t g = 0; g < graph.groups().size(); ++g) {
    order.push_back(graph.group_factor(static_cast<int>(g)));
    of_group[order.back()] = true;
  }
  for (int f = 0; f < graph.factor_count(); ++f) {
    if (!of_group[f]) order.push_back(f);
  }
  return order;
}

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

class CertificateReader {
 public:
  CertificateReader(const Graph& graph, Json& json)
      : graph_(graph), json_(json), names_(graph), order_(file_order(graph)) {}

  Certificate run() {
    const auto [value, bound, assignment, leaves] =
        parts<4>(json_.root(), "a certificate", {"value", "bound", "assignment", "leaves"});
    Certificate out;
    out.value = read_number(*value);
    out.bound = read_number(*bound);
    if (!assignment->is(JsonType::null)) read_assignment(*assignment, out.assignment);
    leaves->expect(JsonType::array, "an array of leaves");
    for (JsonValue leaf : leaves->elements()) out.leaves.push_back(read_leaf(leaf));
    return out;
  }

 private:
  // The members of an object that has all of these keys and no other.
  template <std::size_t N>
  std::array<std::optional<JsonValue>, N> parts(JsonValue object, std::string_view what,
                                                const std::array<std::string_view, N>& keys) {
    std::array<std::optional<JsonValue>, N> out;
    object.expect(JsonType::object, what);
    for (auto [key, value] : object.members()) {
      std::size_t k = 0;
      while (k < N && keys[k] != key.string()) ++k;
      if (k == N) {
        Nearest nearest(key.string());
        for (std::string_view name : keys) nearest.consider(name);
        key.fail("unknown key " + quoted(key.string()) + nearest.suggestion());
      }
      if (out[k]) key.fail("the key " + quoted(keys[k]) + " occurs twice");
      out[k] = value;
    }
    for (std::size_t k = 0; k < N; ++k) {
      if (!out[k]) object.fail(std::string(what) + " needs " + quoted(keys[k]));
    }
    return out;
  }

  int variable(JsonValue value, std::string_view name) const {
    const int v = names_.find(name);
    if (v < 0) value.fail("unknown variable " + quoted(name) + names_.suggestion(name));
    return v;
  }

  void read_assignment(JsonValue value, std::vector<std::uint8_t>& out) {
    value.expect(JsonType::array, "an array of the variables that are 1, or null");
    out.assign(graph_.variable_count(), 0);
    for (JsonValue name : value.elements()) {
      auto& bit = out[variable(name, name.string("a variable"))];
      if (bit) name.fail("this variable occurs twice");
      bit = 1;
    }
  }

  Leaf read_leaf(JsonValue value) {
    const auto [fixed, bound, shares] = parts<3>(value, "a leaf", {"fixed", "bound", "shares"});
    Leaf leaf;
    fixed->expect(JsonType::array, "an array of literals");
    for (JsonValue l : fixed->elements()) {
      std::string_view name = l.string("a literal: \"name\" or \"!name\"");
      const bool negated = name.starts_with('!');
      if (negated) name.remove_prefix(1);
      leaf.fixed.push_back(Literal(Var{variable(l, name)}, negated));
    }
    leaf.bound = read_number(*bound);
    read_shares(*shares, leaf.shares);
    return leaf;
  }

  void read_shares(JsonValue value, std::vector<double>& out) {
    value.expect(JsonType::array, "an array of numbers");
    if (value.size() == 0) return;  // all zero
    const auto links = static_cast<std::size_t>(graph_.link_count());
    if (value.size() != links)
      value.fail("\"shares\" has " + std::to_string(value.size()) + " entries, 0 or " +
                 std::to_string(links) + " (one a link) are needed");
    out.resize(links);
    auto element = value.elements().begin();
    for (int f : order_) {
      const int begin = graph_.link_begin(f);
      const int size = static_cast<int>(graph_.factor(f).links.size());
      for (int l = begin; l < begin + size; ++l, ++element) out[l] = (*element).number();
    }
  }

  const Graph& graph_;
  Json& json_;
  const VariableNames names_;
  const std::vector<int> order_;
};

}  // namespace

std::string write_certificate(const Graph& graph, const Certificate& certificate) {
  const VariableNames unique(graph);  // throws where names are not
  const std::vector<int> order = file_order(graph);
  JsonWriter out;
  write_number(out.begin_object().line(2).key("value"), certificate.value);
  write_number(out.line(2).key("bound"), certificate.bound);
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
  out.line(2).key("leaves").begin_array();
  for (const Leaf& leaf : certificate.leaves) {
    out.line(4).begin_object().key("fixed").begin_array();
    for (Literal l : leaf.fixed) {
      const std::string name = graph.variable_name(Var{l.var()});
      out.string(l.negated() ? "!" + name : name);
    }
    write_number(out.end_array().key("bound"), leaf.bound);
    out.key("shares").begin_array();
    if (!leaf.shares.empty()) {
      for (int f : order) {
        const int begin = graph.link_begin(f);
        const int size = static_cast<int>(graph.factor(f).links.size());
        for (int l = begin; l < begin + size; ++l) {
          if (!std::isfinite(leaf.shares[l])) throw Error("a share of a certificate is not finite");
          out.number(leaf.shares[l]);
        }
      }
    }
    out.end_array().end_object();
  }
  if (!certificate.leaves.empty()) out.line(2);
  out.end_array().line(0).end_object();
  return out.take() + "\n";
}

Certificate read_certificate(const Graph& graph, std::string_view text, std::string_view file) {
  Json json;
  json.parse({text, file, 1});
  return CertificateReader(graph, json).run();
}

}  // namespace entente
