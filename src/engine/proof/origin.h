// How a proof calls the variables, factors and links of a smaller problem that was made from the
// original one (presolve.h). Without an origin they are called what they are.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/proof/recorder.h"
#include "entente/graph.h"

namespace entente {

struct ProofOrigin {
  const Graph* graph = nullptr;          // the original
  std::vector<std::int32_t> variable;    // of each variable
  std::vector<std::int32_t> factor;      // of each factor; -1: a group's own
  std::vector<std::int32_t> link_begin;  // factors + 1, into link
  std::vector<std::int32_t> link;        // of each link: its place in the original factor

  void clear(const Graph& g) {
    graph = &g;
    factor.clear();
    link_begin.assign(1, 0);
    link.clear();
  }
};

// Closings that say a literal of `g` is true; states() lists those that say so.
class LiteralStates {
 public:
  explicit LiteralStates(const Graph& g);
  void close_others(Literal l, Recorder& record) const;
  // The open and closed states of the literal's node in which it is true.
  void list(Literal l, std::vector<std::int32_t>& out) const;

 private:
  const Graph& graph_;
  std::vector<std::int32_t> group_;  // of each variable, -1: none
};

}  // namespace entente
