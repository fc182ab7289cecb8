// The log of a proof as JSON: one array a step, its name first (docs/certificates.md). What both
// directions share, and how certificate_json.cc calls them.
//
//   write_proof(graph, proof, json);                          // keys "choices" and "steps"
//   ProofReader reader(graph, proof);
//   reader.read_choices(value);  reader.read_steps(value);    // an Error names the place
//
// Factors are numbered as in a JSON problem file, without the groups' own, so that a certificate
// also fits the graph read back from that file. Linear in the text.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "entente/formats.h"

namespace entente {

inline constexpr std::array<std::string_view, 15> kStepNames = {
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
    const auto others =
        static_cast<std::int32_t>(&map == &to_file ? to_graph.size() : to_file.size());
    if (s < states) return s;
    if (s >= states + 2 * known) return s + 2 * (others - known);
    return states + 2 * factor((s - states) / 2, map) + (s & 1);
  }

  const std::int32_t states;  // of variables
  std::vector<std::int32_t> to_file, to_graph;
};

// The elements of an array, which it must be; `what` names it in the message.
std::vector<JsonValue> elements_of(JsonValue array, std::string_view what);

void write_proof(const Graph& graph, const Proof& proof, JsonWriter& out);

// Turns arrays into the words of a Proof; what they mean is the checker's business.
class ProofReader {
 public:
  ProofReader(const Graph& graph, Proof& proof) : proof_(proof), numbering_(graph) {}
  void read_choices(JsonValue value);
  void read_steps(JsonValue value);

 private:
  std::int32_t factor(JsonValue value);
  std::int32_t state(JsonValue value);
  void word(std::int32_t w) { proof_.words.push_back(w); }
  void list(const std::vector<JsonValue>& values, std::size_t from);
  void read_step(JsonValue value);
  void read_joint(const std::vector<JsonValue>& a, const std::vector<JsonValue>& b);
  void read_price(const std::vector<JsonValue>& parts);

  Proof& proof_;
  const Numbering numbering_;
  std::int64_t joint_states_ = 0;   // of the joint nodes so far
  std::vector<std::size_t> sizes_;  // of the nodes of the last `pairs`
};

}  // namespace entente
