// Mentions in text where nobody has marked them: candidates, how likely each is a mention, and the
// best labelled set of them that does not overlap and obeys the rules.
//
//   std::vector<Mention> spans = candidate_spans(passage);       // runs of name-like words
//   LinearModel model = train_spans(passages, gazetteer, options);
//   SpanScorer scorer(model, gazetteer);
//   scorer.likely(passage, spans);                               // keeps those worth a thought
//
// A candidate is up to kLongest words that begin and end with one written like a name, with "of",
// "the", "&" and the like inside. O(words * kLongest) candidates.
#pragma once

#include <span>
#include <vector>

#include "learn/log_linear.h"
#include "tasks/relations/classifiers.h"
#include "tasks/relations/features.h"

namespace entente::relations {

inline constexpr int kLongest = 9;     // words of a mention
inline constexpr int kMostSpans = 40;  // candidates of a passage that are decided together

std::vector<Mention> candidate_spans(const Passage& passage);

// Two classes: no mention, mention. Passages whose mentions are known.
LinearModel train_spans(std::span<const Passage> passages, const Gazetteer& gazetteer,
                        const ClassifierOptions& options);

struct ScoredSpan {
  Mention span;
  double log_no = 0, log_yes = 0;
};

class SpanScorer {
 public:
  SpanScorer(const LinearModel& model, const Gazetteer& gazetteer)
      : model_(model), maker_(gazetteer) {}

  // Candidates with a probability of at least `least`, the likeliest kMostSpans, in order of the
  // text.
  std::vector<ScoredSpan> likely(const Passage& passage, double least = 0.02);

 private:
  const LinearModel& model_;
  FeatureMaker maker_;
};

// The most likely set of spans that do not overlap.
std::vector<Mention> best_disjoint(std::span<const ScoredSpan> spans);

}  // namespace entente::relations
