#include "tasks/frames/exact_search.h"

#include <algorithm>

#include "entente/ids.h"
#include "tasks/frames/row_max.h"

namespace entente::frames {

// ---------------------------------------------------------------- rules, in roles of the problem

void ExactSearch::resolve_requires(const framenet::Frame& frame, const RuleSet& rules) {
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
bool ExactSearch::resolve(const framenet::Frame& frame, const RuleSet& rules, bool with_required) {
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
void ExactSearch::choose_locally(ArgumentDecision& out) {
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

bool ExactSearch::overlap_free(const std::vector<int>& span_of) const {
  for (std::size_t i = 1; i < overt_.size(); ++i) {
    const Span a = problem_->spans[span_of[overt_[i]]];
    for (std::size_t j = 0; j < i; ++j) {
      if (a.overlaps(problem_->spans[span_of[overt_[j]]])) return false;
    }
  }
  return true;
}

bool ExactSearch::local_is_allowed(const ArgumentDecision& out) const {
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

void ExactSearch::find_live() {
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
  // Large values first: they decide most. Ties by number, so that the answer is always the same.
  std::sort(order_.begin(), order_.end(),
            [&](int a, int b) { return best_[a] != best_[b] ? best_[a] > best_[b] : a < b; });
}

void ExactSearch::list_candidates() {
  const std::size_t spans = problem_->spans.size();
  const int depths = static_cast<int>(order_.size());
  double bound = 0;
  bool must = false;
  auto wish = [&](int r) { return has_wishes_ ? wish_[r] : Wish::kNone; };
  rest_.assign(depths + 1, 0.0);
  for (int d = depths - 1; d >= 0; --d) {
    const int r = order_[d];
    must |= wish(r) == Wish::kMust;
    const double most = wish(r) == Wish::kMustNot ? 0.0
                        : wish(r) == Wish::kMust  ? best_[r]
                                                  : std::max(0.0, static_cast<double>(best_[r]));
    rest_[d] = rest_[d + 1] + most;
  }
  bound = rest_[0];
  // All roles empty is a solution unless a wish says no: spans that cannot lead to more are out.
  const double floor =
      must ? -kInfinity
           : -core_set_cost_ * static_cast<double>(set_begin_.empty() ? 0 : set_begin_.size() - 1);
  candidates_.clear();
  candidate_begin_.clear();
  for (int d = 0; d < depths; ++d) {
    const int r = order_[d];
    const int begin = static_cast<int>(candidates_.size());
    candidate_begin_.push_back(begin);
    if (wish(r) == Wish::kMustNot) continue;
    const double without = bound - (rest_[d] - rest_[d + 1]);
    const float* row = problem_->scores.data() + static_cast<std::size_t>(r) * spans;
    const double least = forced_[r] ? std::min(0.0, floor - without) : 0.0;
    for (std::size_t s = 0; s < spans; ++s) {
      if (row[s] > least) candidates_.push_back({row[s], static_cast<int>(s)});
    }
    std::sort(candidates_.begin() + begin, candidates_.end(),
              [](const Candidate& x, const Candidate& y) {
                return x.score != y.score ? x.score > y.score : x.span < y.span;
              });
  }
  candidate_begin_.push_back(static_cast<int>(candidates_.size()));
}

// Each rule over two roles is looked at when the later one is decided.
void ExactSearch::list_earlier_rules() {
  const int depths = static_cast<int>(order_.size());
  depth_of_.assign(problem_->roles.size(), -1);
  for (int d = 0; d < depths; ++d) depth_of_[order_[d]] = d;
  earlier_.clear();
  for (const Pair& p : excludes_) {
    const int a = depth_of_[p.a], b = depth_of_[p.b];
    if (a >= 0 && b >= 0) earlier_.push_back({std::max(a, b), std::min(a, b), Check::kExcludes});
  }
  for (const Pair& p : requires_) {
    const int a = depth_of_[p.a], b = depth_of_[p.b];
    if (a < 0) continue;  // never overt; else b is live too
    earlier_.push_back(a < b ? EarlierRule{b, a, Check::kRequiresThis}
                             : EarlierRule{a, b, Check::kRequiredByThis});
  }
  std::sort(earlier_.begin(), earlier_.end(), [](const EarlierRule& x, const EarlierRule& y) {
    return x.depth != y.depth ? x.depth < y.depth : x.other < y.other;
  });
  earlier_begin_.assign(depths + 1, 0);
  for (const EarlierRule& e : earlier_) ++earlier_begin_[e.depth + 1];
  for (int d = 0; d < depths; ++d) earlier_begin_[d + 1] += earlier_begin_[d];
  ending_sets_.clear();
  for (int s = 0; s + 1 < static_cast<int>(set_begin_.size()); ++s) {
    int last = 0;
    for (int i = set_begin_[s]; i < set_begin_[s + 1]; ++i)
      last = std::max(last, depth_of_[set_members_[i]]);
    ending_sets_.push_back({last, s});
  }
}

// ---------------------------------------------------------------- the search

bool ExactSearch::is_free(const Span& span) const {
  return !overlap_ || std::none_of(taken_.begin(), taken_.end(),
                                   [&](const Span& t) { return t.overlaps(span); });
}

void ExactSearch::take(int depth, int span, double value) {
  if (value + rest_[depth + 1] <= best_value_) return;
  chosen_[depth] = span;
  if (span >= 0) taken_.push_back(problem_->spans[span]);
  descend(depth + 1, value);
  if (span >= 0) taken_.pop_back();
}

// What the roles above leave to the one at this depth.
ExactSearch::Freedom ExactSearch::freedom(int depth) const {
  Freedom out;
  out.may_be_null = !has_wishes_ || wish_[order_[depth]] != Wish::kMust;
  for (int i = earlier_begin_[depth]; i < earlier_begin_[depth + 1]; ++i) {
    const bool overt = chosen_[earlier_[i].other] >= 0;
    const Check check = earlier_[i].check;
    if (check == Check::kExcludes && overt) out.may_be_overt = false;
    if (check == Check::kRequiresThis && overt) out.may_be_null = false;
    if (check == Check::kRequiredByThis && !overt) out.may_be_overt = false;
  }
  for (auto [last, set] : ending_sets_) {
    if (last != depth) continue;
    bool filled = false;
    for (int i = set_begin_[set]; i < set_begin_[set + 1]; ++i) {
      const int d = depth_of_[set_members_[i]];
      filled |= d < depth && chosen_[d] >= 0;
    }
    if (!filled) out.null_score -= core_set_cost_;
  }
  return out;
}

void ExactSearch::descend(int depth, double value) {
  if (depth == static_cast<int>(order_.size())) {
    best_value_ = value;  // take() let only better ones through
    best_chosen_ = chosen_;
    return;
  }
  if (++nodes_ > kNodes) return;
  Freedom f;
  if (has_rules_) f = freedom(depth);
  const int end = candidate_begin_[f.may_be_overt ? depth + 1 : depth];
  for (int i = candidate_begin_[depth]; i < end; ++i) {
    const Candidate& c = candidates_[i];
    if (f.may_be_null && c.score <= f.null_score) {
      take(depth, -1, value + f.null_score);
      f.may_be_null = false;
    }
    if (value + c.score + rest_[depth + 1] <= best_value_) break;
    if (is_free(problem_->spans[c.span])) take(depth, c.span, value + c.score);
  }
  if (f.may_be_null) take(depth, -1, value + f.null_score);
}

ExactSearch::End ExactSearch::solve(const framenet::Frame& frame, const ArgumentProblem& problem,
                                    const RuleSet& rules, bool with_required,
                                    ArgumentDecision& out) {
  problem_ = &problem;
  overlap_ = rules.overlap;
  core_set_cost_ = rules.core_set_cost;
  if (!resolve(frame, rules, with_required)) return End::kInfeasible;
  choose_locally(out);
  if ((overt_.empty() && set_begin_.empty()) || local_is_allowed(out)) return End::kOptimal;
  find_live();
  list_candidates();
  if (has_rules_) list_earlier_rules();
  chosen_.assign(order_.size(), -1);
  taken_.clear();
  best_value_ = -kInfinity;
  nodes_ = 0;
  descend(0, 0.0);
  if (nodes_ > kNodes) return End::kGaveUp;
  if (best_value_ == -kInfinity) return End::kInfeasible;
  std::fill(out.span_of.begin(), out.span_of.end(), -1);
  for (std::size_t d = 0; d < order_.size(); ++d) out.span_of[order_[d]] = best_chosen_[d];
  out.value = out.bound = best_value_;
  return End::kOptimal;
}

}  // namespace entente::frames
