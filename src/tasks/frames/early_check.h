// What can be said of a problem on its own arrays, before a graph is built: what `exact` asks first.
//
//   EarlyCheck check;  ArgumentDecision out;
//   if (check.settle(frame, problem, rules, true, out) == EarlyCheck::End::kOpen)
//     ...solve check.rest() by the engine; its role i is check.role(i), its span s check.span(s)...
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
//
// O(roles * spans); no allocation once warm. One a thread.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/frames/constraints.h"
#include "tasks/frames/types.h"

namespace entente::frames {

class EarlyCheck {
 public:
  enum class End : std::uint8_t { kOptimal, kInfeasible, kOpen };

  // Fills span_of, value and bound (kOptimal only). with_required: heed rules.require.
  End settle(const framenet::Frame& frame, const ArgumentProblem& problem, const RuleSet& rules,
             bool with_required, ArgumentDecision& out);

  // After kOpen: the live roles, and the spans that one of them may want.
  const ArgumentProblem& rest() const { return rest_; }
  int role(std::size_t i) const { return order_[i]; }
  int span(std::size_t i) const { return kept_spans_[i]; }

 private:
  struct Pair {
    int a, b;  // roles of the problem; requires: a overt -> b overt
  };
  enum class Wish : std::uint8_t { kNone, kMust, kMustNot };

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
  void make_rest();

  const ArgumentProblem* problem_ = nullptr;
  bool overlap_ = true;

  // The rules, in roles of the problem.
  std::vector<int> position_;
  std::vector<Pair> excludes_, requires_;
  std::vector<Wish> wish_;
  std::vector<int> set_members_, set_begin_;  // core sets, flat
  bool has_rules_ = false;                    // any of the above; else they are not looked at
  bool has_wishes_ = false;                   // a wish that is not kNone

  std::vector<float> best_;  // of each role
  std::vector<int> overt_;   // roles that have a span when each is on its own
  std::vector<std::uint8_t> live_, forced_, wanted_;
  std::vector<int> order_, kept_spans_;  // what is left
  ArgumentProblem rest_;
};

}  // namespace entente::frames
