// How good frames and arguments are against gold ones.
//
//   FrameScorer scorer;
//   for (...) scorer.add(gold_sentence.frames, parsed_sentence.frames);
//   scorer.arguments().plain.f1();                              // in percent
//
// What counts: an argument is right if its role, its first and its last word are those of a gold
// argument of the same predicate (same target words) and the frame is right. Every gold argument
// counts, also a role that occurs twice: a label is matched at most once, and a decoder that gives
// one span a role misses the other. Sums run over all predicates (micro-average). Two weightings:
//
//   plain      each argument 1
//   weighted   as in SemEval-2007 task 19: roles of type "Core" 1, all others 0.5 (also
//              Core-Unexpressed); a right argument counts what the gold one does, a predicted one
//              what its own role does
//
// A predicted frame that is wrong makes all its arguments wrong; a predicate that was not found
// loses its gold arguments; one that is not in gold adds what it claims. With gold frames and
// targets this is the measure of the paper's Table 1. frames() counts frames alone, together() both
// as SemEval's script does for whole parses (a frame counts 1).
//
// Cost: linear but for predicates of a sentence and arguments of a predicate, which are few.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "corpus/document.h"
#include "corpus/framenet/lexicon.h"
#include "tasks/frames/types.h"

namespace entente::frames {

struct Counts {
  double right = 0, predicted = 0, gold = 0;

  double precision() const { return percent(right, predicted); }
  double recall() const { return percent(right, gold); }
  double f1() const { return percent(2 * right, predicted + gold); }
  Counts& operator+=(const Counts& o);

 private:
  static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0.0; }
};

struct ArgumentScore {
  Counts plain, weighted;
  ArgumentScore& operator+=(const ArgumentScore& o);
};

// Arguments of one predicate, or of one and none: an empty side stands for a predicate (or frame)
// that the other does not have.
ArgumentScore score_arguments(std::span<const FrameArgument> gold,
                              std::span<const FrameArgument> predicted);

class FrameScorer {
 public:
  // The frames of one sentence.
  void add(std::span<const FrameInstance> gold, std::span<const FrameInstance> predicted);

  const ArgumentScore& arguments() const { return arguments_; }
  const Counts& targets() const { return targets_; }  // the same words evoke something
  const Counts& frames() const { return frames_; }    // ... and the same frame
  Counts together() const;                            // frames and weighted arguments
  // Arguments found for predicates that were found with their frame and have none in gold.
  double needless() const { return needless_; }
  // Share of gold predicates whose frame is right, in percent: with gold targets the accuracy.
  double frame_accuracy() const { return frames_.recall(); }

 private:
  ArgumentScore arguments_;
  Counts targets_, frames_;
  double needless_ = 0;
};

// A predicate with its gold arguments: role names and words. What the experiments run on.
struct ScoredPredicate {
  ArgumentProblem problem;
  std::vector<std::pair<std::string, Span>> gold;
};

// The same measure for a decision about a predicate whose frame is gold. A gold role that the frame
// does not have counts as not core.
ArgumentScore score_decision(const framenet::Frame& frame, const ScoredPredicate& predicate,
                             std::span<const int> span_of);

// How many gold arguments have a candidate span at all: what no decoder can exceed.
struct Coverage {
  long predicates = 0, spans = 0, gold = 0, covered = 0;

  void add(const ScoredPredicate& predicate);
  double recall() const;  // percent
  double spans_a_predicate() const;
};

}  // namespace entente::frames
