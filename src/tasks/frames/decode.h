// Decoders: from scored spans to arguments, each in its own way.
//
//   Decoder decoder(parse_decoder("exact"));       // keep it: warm calls do not allocate
//   ArgumentDecision d;
//   decoder.decode(frame, problem, rules, d);
//   d.span_of[i]                                   // of role i; -1: not overt
//
//   local      the best span of each role; only uniqueness
//   beam_N     SEMAFOR's search with N partial choices; uniqueness and no overlap, roles in turn
//   lp, ilp    CBC on the problem as it is; lp takes each role's span of the largest value
//   ad3        the same relaxation by AD3, rounded as lp is (Das, Martins and Smith 2012)
//   ad3_exact  AD3 in branch and bound
//   ad3_positions, ad3_positions_exact    the same with the paper's decomposition: no overlap as one
//              at-most-one factor a position. `ad3` has a single factor over intervals instead.
//              Followed by _uncached: every factor is solved in every round; by _eta_X: the penalty
//              of AD3 is X from the first round to the last and does not adapt
//   exact      the look of early_check.h, and the engine where that leaves something to decide
//
// ilp, ad3_exact, ad3_positions_exact and exact obey every rule and prove that nothing is worth more. Where a role that
// `require` names cannot be filled they say so (feasible = false) and give the best without
// `require`. local and beam heed neither `require` nor `forbid`. All times in tables include what
// a decoder needs to build. One Decoder a thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/document.h"
#include "entente/solve.h"
#include "tasks/frames/beam_search.h"
#include "tasks/frames/constraints.h"
#include "tasks/frames/early_check.h"
#include "tasks/frames/types.h"

namespace entente::frames {

enum class DecoderKind : std::uint8_t { kLocal, kBeam, kLp, kIlp, kAd3, kAd3Exact, kExact };

struct DecoderSpec {
  DecoderKind kind = DecoderKind::kExact;
  int width = 100;         // beam
  bool positions = false;  // ad3: an at-most-one factor a position
  bool cache = true;       // ad3: factors whose input did not move are not solved again

  double eta = 0;  // ad3: the penalty; 0: that of the engine, which adapts

  std::string name() const;  // "beam_100"
  bool relaxes() const { return kind == DecoderKind::kLp || kind == DecoderKind::kAd3; }
  bool needs_cbc() const { return kind == DecoderKind::kLp || kind == DecoderKind::kIlp; }
  bool proves() const {
    return kind == DecoderKind::kIlp || kind == DecoderKind::kAd3Exact ||
           kind == DecoderKind::kExact;
  }
};

// Throws Error on another name, with the nearest; a bare "beam" has width 100.
DecoderSpec parse_decoder(std::string_view name);
// Those of the paper's Table 1, in its order, and exact. CBC's are among them even in a build
// without CBC: see cbc_is_available().
std::vector<DecoderSpec> all_decoders();
bool cbc_is_available();
// The paper's decomposition with one penalty after the other, the one that adapts, and exact.
std::vector<DecoderSpec> penalties();

class Decoder {
 public:
  explicit Decoder(DecoderSpec spec = {}) : spec_(spec) {}

  const DecoderSpec& spec() const { return spec_; }
  // Throws Error if the spec needs CBC and this build has none.
  void decode(const framenet::Frame& frame, const ArgumentProblem& problem, const RuleSet& rules,
              ArgumentDecision& out);

 private:
  void decode_exactly(const framenet::Frame& frame, const ArgumentProblem& problem,
                      const RuleSet& rules, ArgumentDecision& out);
  bool decide_rest(const framenet::Frame& frame, const RuleSet& rules, bool with_required,
                   ArgumentDecision& out);
  void decode_by_engine(const framenet::Frame& frame, const ArgumentProblem& problem,
                        const RuleSet& rules, const Options& options, ArgumentDecision& out);

  DecoderSpec spec_;
  EarlyCheck check_;
  BeamSearch beam_;
  ArgumentGraph builder_;
  Graph graph_;
  Workspace workspace_;
  Solution solution_;
  ArgumentDecision rest_;
};

// Why the best choice is the best: solves the whole problem by the engine, with its proof. Fills
// the decision too (its value is what `exact` finds); `margins[i]` is what the best choice in which
// role i does not have its span is worth less, infinity if there is none, 0 for roles that are not
// overt. Where `require` cannot be met, active_rules are rules that cannot all hold, and the rest
// speaks of the problem without `require`. Costs a few dozen times what decoding does; allocates.
FrameExplanation explain(const framenet::Frame& frame, const ArgumentProblem& problem,
                         const RuleSet& rules, ArgumentDecision& decision,
                         std::vector<double>& margins);

// The arguments of a decision as the document has them, in the order of their words. Core is what
// FrameNet calls "Core"; margins may be empty.
std::vector<FrameArgument> to_arguments(const framenet::Frame& frame,
                                        const ArgumentProblem& problem,
                                        std::span<const int> span_of,
                                        std::span<const double> margins = {});

}  // namespace entente::frames
