// Aligns one pair of sentences with a model: posteriors of both directions, and what is made of
// them.
//
//   Aligner aligner(model);                            // immutable: one may serve many threads
//   Aligner::Work work;                                // one a thread
//   Aligned a = aligner.align(words0, words1, {.combine = Combine::kAgree}, work);
//   for (const Link& link : a.best[0].links) ...       // sorted; score: both directions' belief
//
// `posterior` takes the links whose posteriors have a geometric mean above a threshold; `agree`
// solves for the pair of Viterbi alignments that agree (agree.h); the others put the two Viterbi
// alignments together (links.h). Cost: O(n m (n + m)) a pair, times rounds for agree. No heap use
// once warm but for the result. Lines of more than 500 words are aligned in pieces.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/proofs.h"
#include "oracle/hmm_alignment.h"
#include "tasks/alignment/agree.h"
#include "tasks/alignment/links.h"
#include "tasks/alignment/model.h"

namespace entente::alignment {

enum class Combine {
  kPosterior,
  kAgree,
  kIntersect,
  kUnion,
  kGrowDiagFinalAnd,
  kForward,
  kBackward
};

// Error if there is no such way.
Combine combine_from_name(std::string_view name);
std::vector<std::string> combine_names();

struct AlignOptions {
  Combine combine = Combine::kPosterior;
  double threshold = 0.4;  // of posterior
  AgreeOptions agree = {};
  double agree_null = 0;  // agree: probability of a word of no source; 0: the model's
  int n_best = 1;
};

struct Candidate {
  std::vector<Link> links;
  double score = 0;  // log probability of both directions (agree, heuristics), log odds (posterior)
};

struct Aligned {
  std::vector<Candidate> best;             // at least one, best first
  std::array<double, 2> log_likelihood{};  // of each direction, over all alignments
  double bound = 0;                        // agree: no alignment scores more
  int rounds = 0, nodes = 0;               // agree
  bool optimal = true;                     // agree: the best is proven to be
};

class Aligner {
 public:
  explicit Aligner(const AlignmentModel& model) : model_(model) {}

  struct Work {
    std::array<std::vector<KnownWord>, 2> words;
    std::array<std::vector<float>, 2> t, null_t, posterior;
    std::array<std::vector<double>, 2> emission, null_emission, step, start;
    std::array<std::vector<std::int32_t>, 2> places;
    std::vector<std::int32_t> classes;
    std::vector<float> stays;
    std::array<JumpRows, 2> rows;
    HmmWork hmm;
    AgreeSolver solver;
    ProofSink* proofs = nullptr;  // not null: agree leaves the proof of its best alignment there
  };

  Aligned align(std::span<const std::string> side0, std::span<const std::string> side1,
                const AlignOptions& options, Work& work) const;
  // Reads the words, fills work.posterior and says the likelihoods. Neither side empty.
  std::array<double, 2> posteriors(std::span<const std::string> side0,
                                   std::span<const std::string> side1, Work& work) const;
  // The two directions in logarithms, after posteriors(): views into work. `null`: see AlignOptions.
  std::array<HmmScores, 2> scores(Work& work, double null = 0) const;

 private:
  Aligned align_long(std::span<const std::string> side0, std::span<const std::string> side1,
                     AlignOptions options, Work& work) const;
  void n_best_posterior(const AlignOptions& options, Work& work, Aligned& out) const;
  void n_best_agree(const AlignOptions& options, Work& work, Aligned& out) const;

  const AlignmentModel& model_;
};

}  // namespace entente::alignment
