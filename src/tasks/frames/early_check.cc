#include "tasks/frames/early_check.h"

#include <algorithm>

#include "tasks/frames/row_max.h"

namespace entente::frames {

// ---------------------------------------------------------------- rules, in roles of the problem

void EarlyCheck::resolve_requires(const framenet::Frame& frame, const RuleSet& rules) {
  const bool symmetric = rules.reading == RequiresReading::kSymmetric;
  for (auto [first, second] : rules.requires_of(frame)) {
    const int a = position_[first], b = position_[second];
    // What requires a role that the problem leaves out is never overt.
    if (a >= 0 && b < 0) set_wish(a, Wish::kMustNot);
    if (b >= 0 && a < 0 && symmetric) set_wish(b, Wish::kMustNot);
    if (a < 0 || b < 0) continue;
    requires_.push_back({a, b});
    if (symmetric) requires_.push_back({b, a});
  }
}

// False if a wish cannot be met.
bool EarlyCheck::resolve(const framenet::Frame& frame, const RuleSet& rules, bool with_required) {
  excludes_.clear();
  requires_.clear();
  set_members_.clear();
  set_begin_.clear();
  has_wishes_ = false;
  has_rules_ = rules.beyond_overlap(frame);
  if (!has_rules_) return true;
  const std::size_t roles = problem_->roles.size();
  wish_.assign(roles, Wish::kNone);
  position_.assign(frame.roles.size(), -1);
  for (std::size_t i = 0; i < roles; ++i) position_[problem_->roles[i]] = static_cast<int>(i);
  if (rules.excludes) {
    for (auto [a, b] : frame.excludes) {
      if (position_[a] >= 0 && position_[b] >= 0) excludes_.push_back({position_[a], position_[b]});
    }
  }
  if (rules.requires_) resolve_requires(frame, rules);
  for (std::size_t s = 0; rules.core_sets && s < frame.core_sets.size(); ++s) {
    const int begin = static_cast<int>(set_members_.size());
    for (int role : frame.core_sets[s]) {
      if (position_[role] >= 0) set_members_.push_back(position_[role]);
    }
    if (static_cast<int>(set_members_.size()) > begin) set_begin_.push_back(begin);
  }
  if (!set_begin_.empty()) set_begin_.push_back(static_cast<int>(set_members_.size()));
  if (rules.require.empty() && rules.forbid.empty()) return true;
  for (int role = 0; role < static_cast<int>(frame.roles.size()); ++role) {
    const int at = position_[role];
    if (at >= 0 && any_applies(rules.forbid, frame, role)) set_wish(at, Wish::kMustNot);
    if (!with_required || !any_applies(rules.require, frame, role)) continue;
    if (at < 0 || wish_[at] == Wish::kMustNot || problem_->spans.empty()) return false;
    set_wish(at, Wish::kMust);
  }
  return true;
}

// ---------------------------------------------------------------- role by role

// Writes the best span of each role on its own.
void EarlyCheck::choose_locally(ArgumentDecision& out) {
  const std::size_t roles = problem_->roles.size(), spans = problem_->spans.size();
  best_.resize(roles);
  overt_.resize(roles);
  out.span_of.resize(roles);
  const float* row = problem_->scores.data();
  std::size_t overt = 0;
  double value = 0;
  for (std::size_t r = 0; r < roles; ++r, row += spans) {
    const float best = row_max(row, spans);
    best_[r] = best;
    out.span_of[r] = -1;
    const bool wanted =
        has_wishes_ ? wish_[r] == Wish::kMust || (wish_[r] == Wish::kNone && best > 0) : best > 0;
    if (!wanted) continue;
    out.span_of[r] = row_find(row, best);
    value += best;
    overt_[overt++] = static_cast<int>(r);
  }
  overt_.resize(overt);
  out.value = out.bound = value;
}

bool EarlyCheck::overlap_free(const std::vector<int>& span_of) const {
  for (std::size_t i = 1; i < overt_.size(); ++i) {
    const Span a = problem_->spans[span_of[overt_[i]]];
    for (std::size_t j = 0; j < i; ++j) {
      if (a.overlaps(problem_->spans[span_of[overt_[j]]])) return false;
    }
  }
  return true;
}

bool EarlyCheck::local_is_allowed(const ArgumentDecision& out) const {
  if (overlap_ && !overlap_free(out.span_of)) return false;
  for (const Pair& p : excludes_) {
    if (out.span_of[p.a] >= 0 && out.span_of[p.b] >= 0) return false;
  }
  for (const Pair& p : requires_) {
    if (out.span_of[p.a] >= 0 && out.span_of[p.b] < 0) return false;
  }
  for (std::size_t s = 0; s + 1 < set_begin_.size(); ++s) {
    const bool filled =
        std::any_of(set_members_.begin() + set_begin_[s], set_members_.begin() + set_begin_[s + 1],
                    [&](int r) { return out.span_of[r] >= 0; });
    if (!filled) return false;
  }
  return true;
}

// ---------------------------------------------------------------- what is left to decide

void EarlyCheck::find_live() {
  const std::size_t roles = problem_->roles.size();
  forced_.assign(roles, 0);
  order_ = overt_;
  if (has_rules_) {
    live_.assign(roles, 0);
    for (int r : overt_) live_[r] = 1;
    for (int r : overt_) forced_[r] = wish_[r] == Wish::kMust;
    for (int r : set_members_) live_[r] = forced_[r] = 1;
    for (bool moved = !requires_.empty(); moved;) {
      moved = false;
      for (const Pair& p : requires_) {
        if (!live_[p.a] || forced_[p.b]) continue;
        live_[p.b] = forced_[p.b] = 1;
        moved = true;
      }
    }
    order_.clear();
    for (std::size_t r = 0; r < roles; ++r) {
      if (live_[r]) order_.push_back(static_cast<int>(r));
    }
  }
}

// Spans that no live role is better off with go.
void EarlyCheck::make_rest() {
  const std::size_t spans = problem_->spans.size();
  wanted_.assign(spans, 0);
  for (int r : order_) {
    const float* row = problem_->scores.data() + static_cast<std::size_t>(r) * spans;
    for (std::size_t s = 0; s < spans; ++s)
      wanted_[s] = static_cast<std::uint8_t>(wanted_[s] | (forced_[r] || row[s] > 0 ? 1 : 0));
  }
  kept_spans_.clear();
  rest_.spans.clear();
  for (std::size_t s = 0; s < spans; ++s) {
    if (!wanted_[s]) continue;
    kept_spans_.push_back(static_cast<int>(s));
    rest_.spans.push_back(problem_->spans[s]);
  }
  rest_.frame = problem_->frame;
  rest_.roles.clear();
  rest_.scores.clear();
  for (int r : order_) {
    rest_.roles.push_back(problem_->roles[r]);
    for (int s : kept_spans_) rest_.scores.push_back(problem_->score(r, s));
  }
}

EarlyCheck::End EarlyCheck::settle(const framenet::Frame& frame, const ArgumentProblem& problem,
                                   const RuleSet& rules, bool with_required,
                                   ArgumentDecision& out) {
  problem_ = &problem;
  overlap_ = rules.overlap;
  if (!resolve(frame, rules, with_required)) return End::kInfeasible;
  choose_locally(out);
  if ((overt_.empty() && set_begin_.empty()) || local_is_allowed(out)) return End::kOptimal;
  find_live();
  make_rest();
  return End::kOpen;
}

}  // namespace entente::frames
