// SEMAFOR's decoder (Das et al. 2010b, Algorithm 1): roles in turn, keeping the k best partial
// choices in which no two spans overlap. It knows no other rule, and proves nothing.
//
//   BeamSearch beam;  beam.solve(problem, 100, true, out);
//
// O(roles * k * spans) at most; a role that cannot change the beam costs one look at its row. No
// allocation once warm. One a thread.
#pragma once

#include <vector>

#include "tasks/frames/types.h"

namespace entente::frames {

class BeamSearch {
 public:
  // Fills span_of, value, and as a bound what the roles would be worth one by one.
  void solve(const ArgumentProblem& problem, int width, bool overlap, ArgumentDecision& out);

 private:
  struct State {
    double value;
    int link;  // the last argument of its choice, -1: none yet
  };
  struct Link {
    int before, role, span;
  };
  struct Extension {
    double value;
    int state, span;  // span -1: the role stays empty
  };
  static bool better(const Extension& a, const Extension& b) {
    if (a.value != b.value) return a.value > b.value;
    return a.state != b.state ? a.state < b.state : a.span < b.span;
  }

  void extend(const ArgumentProblem& problem, int role, float best, int width, bool overlap);
  void keep_best(int width);
  void step(int role);
  bool overlaps(const ArgumentProblem& problem, int link, const Span& span) const;

  std::vector<State> states_, next_states_;  // best first
  std::vector<Link> links_;
  std::vector<Extension> extensions_;
};

}  // namespace entente::frames
