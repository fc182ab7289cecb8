// The best roles of a predicate under the rules, by a depth-first search made for them.
//
//   RoleSearch search;                                          // scratch, one a thread
//   search.clear();
//   search.add(candidate, begin, end, label, score);            // any number
//   switch (search.run(labels, once, continues, refers, wished)) ...
//   search.chosen()                                             // pairs of candidate and label
//
// Candidates stand in the order of their words. What is left of them is bounded by the best choice
// of spans that do not overlap, whatever their labels (exact for that rule alone, one pass), so
// that the search only branches where other rules disagree. Exact, or it gives up after kMostNodes;
// then the engine decides. A few hundred nanoseconds for most predicates. No heap use once warm.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tasks/roles/labels.h"

namespace entente::roles {

class RoleSearch {
 public:
  static constexpr int kMostNodes = 20000, kMostLabels = 64;

  void clear() { options_.clear(); }
  void add(int candidate, int begin, int end, int label, double score) {
    options_.push_back({begin, end, candidate, label, score});
  }
  enum class End { kBest, kInfeasible, kGaveUp };
  // wished: bits of labels that must be there. At most kMostLabels labels.
  End run(const RoleLabels& labels, bool once, bool continues, bool refers, std::uint64_t wished);
  double value() const { return best_; }
  const std::vector<std::pair<int, int>>& chosen() const { return best_choice_; }

 private:
  struct Option {
    int begin, end, candidate, label;
    double score;
  };
  struct Span {
    int first, last;  // of options_, best first
    int next;         // the first span that begins where this one ends, or later
  };
  void make_spans();
  void visit(int span, double value, std::uint64_t present);

  std::vector<Option> options_;
  std::vector<Span> spans_;
  std::vector<double> bound_;  // of spans from here on
  std::vector<std::pair<int, int>> now_, best_choice_;
  double best_ = 0;
  bool found_ = false;
  int nodes_ = 0;
  const RoleLabels* labels_ = nullptr;
  bool once_ = true, continues_ = true, refers_ = true;
  std::uint64_t wished_ = 0;
};

}  // namespace entente::roles
