// The best tree over scored parts, with a proof or a bound.
//
//   Decoder decoder;                                       // one a thread: keeps its memory
//   Decoded d = decoder.decode(parts, scores, {.projective = false});
//   // d.heads[m - 1], d.value, d.bound, d.status
//
// First order: Chu-Liu-Edmonds or Eisner, always exact. Second order without crossing arcs: the
// program of oracle/projective.h, always exact. With crossing arcs: a tree and a head automaton a
// head made to agree (Rush and Collins 2012, section 6; Koo et al. 2010), starting from the best
// tree without crossings: dual decomposition first, branch and bound where it leaves a gap.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "entente/graph.h"
#include "entente/solution.h"
#include "oracle/projective_forest.h"
#include "tasks/dependency/parts.h"

namespace entente::dependency {

enum class Method { exact, subgradient, ad3 };  // exact: the fastest way to a proof

struct DecodeOptions {
  bool projective = false;
  bool single_root = true;
  Method method = Method::exact;
  int max_iterations = 0;  // of dual decomposition; 0: what is best
  int max_nodes = 0;  // of branch and bound; 0: what is best; the result then carries its bound
};

struct Decoded {
  std::span<const std::int32_t> heads;  // in the decoder's memory, until its next call
  Status status = Status::unknown;
  double value = 0, bound = 0;
  int iterations = 0, nodes = 0;
  bool by_dual_alone = false;  // proven without branching (always, without crossing arcs)
};

class Decoder {
 public:
  Decoder();
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  Decoded decode(const Parts& parts, const PartScores& scores, const DecodeOptions& options);
  // The k best trees of the last call, the best first, where it was of second order without
  // crossing arcs; else none.
  void k_best(int k, TreeList& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The problem as the engine sees it, one variable an arc, for certificates, files and other
// solvers.
void build(const Parts& parts, const PartScores& scores, const DecodeOptions& options,
           Graph& graph);

}  // namespace entente::dependency
