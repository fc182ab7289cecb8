// A second look at roles: what was guessed for other spans and predicates corrects each guess.
//
//   std::vector<Guess> guesses;                            // of a sentence's predicates
//   guesses[p].word = w; guesses[p].problem = problem;     // log-odds of a first model
//   guess(labels, guesses[p]);
//   ContextMaker maker(labels);                            // scratch, one a thread
//   maker.features(input, guesses, p, c, features);        // of candidate c of predicate p
//   SecondLook look(file);                                 // where a model has one
//   look.correct(input, labels, guesses, work);            // problems' scores, in place
//
// The first model sees one span at a time. Here features tell of the roles around it (a sequence
// such as ARG0 V * ARG2), of guesses that overlap it or claim the same role, and of what the span is to other predicates
// of the sentence; their weights are added to the first log-odds (stacking, Wolpert 1992). The rules
// still decide. Cost: some thirty features for each span that is not hopeless.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/label_rows.h"
#include "tasks/roles/argument_model.h"

namespace entente::roles {

struct Guess {
  int word = 0;         // the predicate
  RoleProblem problem;  // candidates and log-odds
  struct Best {
    int label = 0, second = 0;  // the two likeliest roles
    float p = 0, q = 0;         // their probabilities
    float some = 0;             // of any role
    float odds = 0;             // log-odds of any role
  };
  std::vector<Best> best;  // of each candidate
  std::vector<int> taken;  // candidates that would be chosen one by one, in the order of words

  bool hopeless(std::size_t candidate) const { return best[candidate].some < 0.004f; }
};

// From the problem's scores: best and taken.
void guess(const RoleLabels& labels, Guess& guess);

class ContextMaker {
 public:
  explicit ContextMaker(const RoleLabels& labels) : labels_(labels) {}
  void features(const Input& input, std::span<const Guess> guesses, std::size_t predicate,
                std::size_t candidate, FeatureList& out);

 private:
  void add_own(const Guess& g, const Candidate& c, const Guess::Best& own, FeatureList& out) const;
  void add_roles_around(const Input& input, const Guess& g, const Candidate& c,
                        const Guess::Best& own, FeatureList& out) const;
  void add_other_predicates(const Input& input, std::span<const Guess> guesses, const Guess& g,
                            const Candidate& c, const Guess::Best& own, FeatureList& out) const;
  const RoleLabels& labels_;
};

class SecondLook {
 public:
  explicit SecondLook(const ModelFile& file) : weights_(file, kSection, 2) {}
  static constexpr const char* kSection = "roles/second";
  struct Work {
    explicit Work(const RoleLabels& labels) : maker(labels) {}
    ContextMaker maker;
    FeatureList features;
  };
  // All predicates' problems; what was guessed stays as it was.
  void correct(const Input& input, std::span<Guess> guesses, Work& work) const;

 private:
  LabelRowView weights_;
};

}  // namespace entente::roles
