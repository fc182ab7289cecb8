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
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/json.h"
#include "entente/formats.h"

namespace entente {

inline constexpr std::array<std::string_view, 18> kStepNames = {
    "close",     "dominated", "cut",   "line",  "price",  "strike", "suppose", "part",  "pairs",
    "eliminate", "bound",     "empty", "joint", "region", "derive", "grid",    "alike", "round"};

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

// The nodes of `pairs` and its regions, numbered on from them: how many numbers a price has of two.
class PairSizes {
 public:
  void begin_pairs() {
    lists_.clear();
    node_.clear();
    nodes_ = 0;
  }
  void add_node(std::span<const std::int32_t> states) {
    for (std::int32_t s : states) node_[s] = nodes_;
    lists_.push_back({{nodes_++, static_cast<std::int64_t>(states.size())}});
  }
  void begin_region() { lists_.emplace_back(); }
  void add_to_region(std::span<const std::int32_t> states) {
    const auto at = states.empty() ? node_.end() : node_.find(states[0]);
    lists_.back().push_back(
        {at == node_.end() ? -1 : at->second, static_cast<std::int64_t>(states.size())});
  }
  // Of two nodes the states of both; of a region and what lies within it, its states there. -1: no
  // such two.
  std::int64_t numbers(std::int32_t a, std::int32_t b) const {
    const auto known = static_cast<std::int32_t>(lists_.size());
    if (a < 0 || b < 0 || a >= known || b >= known) return -1;
    if (a < nodes_) return b < nodes_ ? lists_[a][0].second + lists_[b][0].second : -1;
    std::int64_t count = 1;
    for (const auto& [n, ignored] : lists_[b]) {
      std::int64_t size = -1;
      for (const auto& [m, states] : lists_[a]) size = m == n ? states : size;
      if (size < 0 || (count *= size) > INT32_MAX) return -1;
    }
    return count;
  }

 private:
  std::vector<std::vector<std::pair<std::int32_t, std::int64_t>>> lists_;  // node, states
  std::unordered_map<std::int32_t, std::int32_t> node_;                    // of a state
  std::int32_t nodes_ = 0;
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
  std::span<const std::int32_t> list(const std::vector<JsonValue>& values, std::size_t from);
  void read_step(JsonValue value);
  void read_joint(const std::vector<JsonValue>& parts);
  void read_rounded_rows(const std::vector<JsonValue>& rows);
  void read_price(const std::vector<JsonValue>& parts);

  Proof& proof_;
  const Numbering numbering_;
  std::int64_t joint_states_ = 0;  // of the joint nodes so far
  PairSizes sizes_;                // of the last `pairs`
};

}  // namespace entente
