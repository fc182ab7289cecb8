// The best arguments under all rules, without a graph: what `exact` tries first.
//
//   ExactSearch search;  ArgumentDecision out;
//   if (search.solve(frame, problem, rules, true, out) == ExactSearch::End::kGaveUp) ...engine...
//
// 1. The best span of each role on its own is worth what nothing can exceed; if it breaks no rule
//    it is the optimum, and most problems end here.
// 2. Otherwise most roles and spans are put aside. A role is *live* if it has a span worth more
//    than nothing, or a live role requires it, or a wish or a core set asks for it; live roles of
//    the last three kinds may be *forced* and keep every span, others those worth more than
//    nothing. This loses nothing: in any solution, empty the roles that are not live and those that
//    are not forced and have a span worth no more than nothing; the value does not fall, overlap
//    and excludes still hold, and `requires` too, since what a live role requires is live and
//    forced, and was not emptied.
// 3. Depth first over the live roles, spans in order of their scores, cut where the value so far
//    and the best of all roles to come is not more than the best found. Exhausted, it is a proof.
//    It gives up after kNodes choices: the engine has better bounds for what is that tangled.
//
// O(roles * spans) mostly; no allocation once warm. One a thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tasks/frames/constraints.h"
#include "tasks/frames/types.h"

namespace entente::frames {

class ExactSearch {
 public:
  static constexpr int kNodes = 2000;
  enum class End : std::uint8_t { kOptimal, kInfeasible, kGaveUp };

  // Fills span_of, value and bound (kOptimal only). with_required: heed rules.require.
  End solve(const framenet::Frame& frame, const ArgumentProblem& problem, const RuleSet& rules,
            bool with_required, ArgumentDecision& out);

 private:
  struct Pair {
    int a, b;  // roles of the problem; requires: a overt -> b overt
  };
  enum class Wish : std::uint8_t { kNone, kMust, kMustNot };
  struct Candidate {
    float score;
    int span;
  };
  enum class Check : std::uint8_t { kExcludes, kRequiresThis, kRequiredByThis };
  struct EarlierRule {
    int depth, other;  // at which depth it is looked at, and the depth of the earlier role
    Check check;
  };

  struct Freedom {
    bool may_be_null = true, may_be_overt = true;
    double null_score = 0;  // below 0 where leaving the role empty breaks a soft rule
  };

  bool resolve(const framenet::Frame& frame, const RuleSet& rules, bool with_required);
  void set_wish(int role, Wish wish) {
    wish_[role] = wish;
    has_wishes_ = true;
  }
  void resolve_requires(const framenet::Frame& frame, const RuleSet& rules);
  void choose_locally(ArgumentDecision& out);
  bool local_is_allowed(const ArgumentDecision& out) const;
  bool overlap_free(const std::vector<int>& span_of) const;
  void find_live();
  void list_candidates();
  void list_earlier_rules();
  Freedom freedom(int depth) const;
  void descend(int depth, double value);
  void take(int depth, int span, double value);
  bool is_free(const Span& span) const;

  const ArgumentProblem* problem_ = nullptr;
  bool overlap_ = true;
  double core_set_cost_ = 0;

  // The rules, in roles of the problem.
  std::vector<int> position_;
  std::vector<Pair> excludes_, requires_;
  std::vector<Wish> wish_;
  std::vector<int> set_members_, set_begin_;  // core sets, flat
  bool has_rules_ = false;                    // any of the above; else they are not looked at
  bool has_wishes_ = false;                   // a wish that is not kNone

  std::vector<float> best_;  // of each role
  std::vector<int> overt_;   // roles that have a span when each is on its own
  std::vector<std::uint8_t> live_, forced_;

  // By depth of the search.
  std::vector<int> order_, depth_of_, candidate_begin_, earlier_begin_;
  std::vector<Candidate> candidates_;
  std::vector<EarlierRule> earlier_;
  std::vector<std::pair<int, int>> ending_sets_;  // depth of a core set's last member, set
  std::vector<double> rest_;                      // bound on the depths from here on
  std::vector<int> chosen_, best_chosen_;
  std::vector<Span> taken_;
  double best_value_ = 0;
  int nodes_ = 0;
};

}  // namespace entente::frames
