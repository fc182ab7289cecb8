// What the parts of the frame-semantic parser tell each other.
//
// A *problem* is one predicate whose frame is known: which of its candidate spans, if any, fills
// each role? Scores come from the argument model (arguments.h), rules from the lexicon
// (constraints.h), decisions from a decoder (decode.h).
#pragma once

#include <string>
#include <vector>

#include "corpus/span.h"

namespace entente::frames {

struct ArgumentProblem {
  int frame = -1;             // of the lexicon
  std::vector<int> roles;     // of the frame (indices into Frame::roles) that may be filled
  std::vector<Span> spans;    // candidates, without the null span
  std::vector<float> scores;  // [role * spans.size() + span], finite; the null span has score 0

  float score(std::size_t role, std::size_t span) const {
    return scores[role * spans.size() + span];
  }
};

struct ArgumentDecision {
  std::vector<int> span_of;  // for each of the problem's roles; -1: the null span
  double value = 0, bound = 0;
  bool proven = false;           // value == bound within tolerance and no rule is broken
  bool relaxation_tight = true;  // of decoders that relax
  bool feasible = true;          // false: what --require asks for cannot be had, and was left aside
};

}  // namespace entente::frames
