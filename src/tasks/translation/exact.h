// Exact decoding: the best translation of a chart under the language model,
// with a proof.
//
//   ExactResult r = decode_exact(scoring, {}, lower, forest);
//   r.optimal, r.bound                       // nothing scores more than bound
//   KBest list; list.start(forest.graph, forest.graph.score);     // if
//   r.complete
//
// From coarse to fine: a first forest in which parts know no words at their
// ends, then one word, two, up to what the model's order asks for. In each the
// score of a derivation is a bound on what it is worth (lm_forest.h); what
// cannot reach `lower`, the score of a translation already in hand, is left
// out, by the best score of a whole derivation through it (max-marginals). The
// next forest is made of what is left. When the last one is done, its best
// derivation is the best of all; often the bound meets `lower` before. The
// proof is the chain of bounds: at no stage was anything dropped that could be
// better. Limits: `edges` a forest; where it is reached the last bound stands.
#pragma once

#include <functional>

#include "tasks/translation/lm_forest.h"

namespace entente::translation {

struct ExactOptions {
  std::int64_t edges = 20'000'000;
  bool half_steps = false;     // one end after the other: more forests, each much smaller than the next
  std::function<bool()> stop;  // asked now and then
};

struct ExactResult {
  bool complete = false;  // the last forest was made: everything above `lower` is in it
  double bound = 0;       // no derivation scores more
  int stages = 0;
  std::int64_t edges = 0;                // of all forests
  std::vector<std::int32_t> derivation;  // of the chart: the best seen; empty: none above `lower`
  double value = 0;
};

ExactResult decode_exact(const Scoring& scoring, const ExactOptions& options, double lower,
                         bool stop_at_bound, LmForest& forest);

}  // namespace entente::translation
