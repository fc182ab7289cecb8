// The independent check of a certificate: no solver, only the Graph and the factors' maximize.
//
//   Verdict v = verify(graph, solution.certificate);
//   if (!v.accepted) std::cerr << v.reason;
//
// It checks that the assignment breaks no hard rule and is worth what is claimed, and that every step
// of the proof holds (proof.h); the proof must arrive at no more than the bound claimed. Cost: a
// pass over the problem for each bound of the proof.
#pragma once

#include <string>

#include "entente/graph.h"
#include "entente/solution.h"

namespace entente {

struct Verdict {
  bool accepted = false;  // every claim of the certificate is true
  bool optimal = false;   // accepted, and bound - value <= tolerance * max(1, |value|)
  double value = 0;       // recomputed
  double bound = 0;       // recomputed
  std::string reason;     // why it was refused; empty if accepted
};

Verdict verify(const Graph& graph, const Certificate& certificate, double tolerance = 1e-6);

}  // namespace entente
