// Certificates as JSON: the claim here, its log in proof_writer.cc and proof_reader.cc.
#include <array>
#include <cmath>
#include <optional>

#include "engine/formats/names.h"
#include "engine/formats/proof_json.h"

namespace entente {

namespace {

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
  write_proof(graph, certificate.proof, out);
  out.line(0).end_object();
  return out.take() + "\n";
}

Certificate read_certificate(const Graph& graph, std::string_view text, std::string_view file) {
  Json json;
  json.parse({text, file, 1});
  return CertificateReader(graph, json).run();
}

}  // namespace entente
