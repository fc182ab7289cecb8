#include "tasks/frames/constraints.h"

#include <algorithm>

#include "base/text.h"
#include "entente/error.h"

namespace entente::frames {

namespace {

constexpr std::string_view kSwitchable[] = {"overlap", "excludes", "requires", "core_sets"};

}  // namespace

std::span<const std::string_view> switchable_rules() { return kSwitchable; }

bool RuleSet::has_rule(std::string_view name) {
  return std::find(std::begin(kSwitchable), std::end(kSwitchable), name) != std::end(kSwitchable);
}

void RuleSet::switch_rule(std::string_view name, bool on) {
  bool* const switches[] = {&overlap, &excludes, &requires_, &core_sets};
  for (std::size_t i = 0; i < std::size(kSwitchable); ++i) {
    if (kSwitchable[i] != name) continue;
    *switches[i] = on;
    return;
  }
  Nearest nearest(name);
  for (std::string_view known : kSwitchable) nearest.consider(known);
  throw Error("no rule " + quoted(name) + nearest.suggestion() +
              "; there are overlap, excludes, requires and core_sets");
}

bool any_applies(const std::vector<RoleRule>& list, const framenet::Frame& frame, int role) {
  return std::any_of(list.begin(), list.end(),
                     [&](const RoleRule& r) { return r.applies(frame, frame.roles[role]); });
}

RoleRule parse_role_rule(std::string_view text, const framenet::Lexicon& lexicon) {
  const std::size_t colon = text.find(':');
  RoleRule out;
  if (colon != std::string_view::npos) out.frame = text.substr(0, colon);
  out.role = colon == std::string_view::npos ? text : text.substr(colon + 1);
  if (out.role.empty() || (colon != std::string_view::npos && out.frame.empty()))
    throw Error("expected a role such as Collaboration:Partner_2 or Partner_2, not " +
                quoted(text));
  bool frame_found = false;
  Nearest near_frame(out.frame), near_role(out.role);
  for (const framenet::Frame& frame : lexicon.frames) {
    near_frame.consider(frame.name);
    if (!out.frame.empty() && frame.name != out.frame) continue;
    frame_found = true;
    if (frame.find_role(out.role) >= 0) return out;
    for (const framenet::Role& role : frame.roles) near_role.consider(role.name);
  }
  if (!frame_found)
    throw Error("no frame " + quoted(out.frame) + " in the lexicon" +
                near_frame.suggestion());
  const std::string where =
      out.frame.empty() ? "no frame" : "the frame " + quoted(out.frame);
  throw Error(where + (out.frame.empty() ? " has a role " : " has no role ") +
              quoted(out.role) + near_role.suggestion());
}

std::vector<std::string> rules_in_words(const framenet::Frame& frame, const RuleSet& rules) {
  std::vector<std::string> out;
  auto name = [&](int role) -> const std::string& { return frame.roles[role].name; };
  if (rules.overlap) out.push_back("no overlap");
  if (rules.excludes) {
    for (auto [a, b] : frame.excludes) out.push_back(name(a) + " excludes " + name(b));
  }
  if (rules.requires_) {
    for (auto [a, b] : rules.requires_of(frame)) out.push_back(name(a) + " requires " + name(b));
  }
  if (rules.core_sets) {
    for (const auto& set : frame.core_sets) {
      std::string text = "one of";
      for (int role : set) text += (role == set.front() ? " " : ", ") + name(role);
      out.push_back(text);
    }
  }
  for (int role = 0; role < static_cast<int>(frame.roles.size()); ++role) {
    if (any_applies(rules.require, frame, role)) out.push_back(name(role) + " is required");
    if (any_applies(rules.forbid, frame, role)) out.push_back(name(role) + " is forbidden");
  }
  return out;
}

// ---------------------------------------------------------------- the graph

struct ArgumentGraph::Context {
  const framenet::Frame& frame;
  const ArgumentProblem& problem;
  const RuleSet& rules;
  bool named;
  Overlap overlap;

  std::string_view name(int role) const { return frame.roles[role].name; }
};

// Names are put together in one string, so that a warm builder does not touch the heap.
Rule ArgumentGraph::rule(const Context& c, Graph& out,
                         std::initializer_list<std::string_view> words, double cost) {
  if (!c.named) return Rule{-1, cost};
  text_ = c.frame.name;
  text_ += ": ";
  for (std::string_view word : words) text_ += word;
  return out.rule(text_, cost);
}

void ArgumentGraph::add_roles(const Context& c, Graph& out) {
  const std::size_t spans = c.problem.spans.size();
  if (c.named) {
    states_.assign(1, "none");
    for (const Span& s : c.problem.spans) {
      std::string name = std::to_string(s.begin) + "-" + std::to_string(s.end - 1);
      while (std::find(states_.begin(), states_.end(), name) != states_.end()) name += "'";
      states_.push_back(std::move(name));
    }
  }
  row_.resize(spans + 1);
  intervals_.clear();
  for (std::size_t role = 0; role < c.problem.roles.size(); ++role) {
    row_[0] = 0;
    const float* scores = c.problem.scores.data() + role * spans;
    std::copy(scores, scores + spans, row_.begin() + 1);
    intervals_.push_back({0, 0});
    for (const Span& s : c.problem.spans) intervals_.push_back({s.begin, s.end});
    if (c.named) {
      out.add_group(row_, c.name(c.problem.roles[role]), states_);
    } else {
      out.add_group(row_);
    }
  }
  if (!c.rules.overlap || intervals_.empty() || spans == 0) return;
  if (c.overlap == Overlap::kPositions) return add_positions(c, out);
  out.add_disjoint(Var{0}, intervals_, c.named ? out.rule("no overlap") : Rule{});
}

void ArgumentGraph::add_positions(const Context& c, Graph& out) {
  int end = 0;
  for (const Interval& i : intervals_) end = std::max(end, i.end);
  const Rule rule = c.named ? out.rule("no overlap") : Rule{};
  for (int position = 0; position < end; ++position) {
    literals_.clear();
    for (std::size_t v = 0; v < intervals_.size(); ++v) {
      if (intervals_[v].begin <= position && position < intervals_[v].end)
        literals_.push_back(Var{static_cast<int>(v)});
    }
    if (literals_.size() > 1) out.add_at_most_one(literals_, rule);
  }
}

// A partner that the problem leaves out is null for good: it excludes nothing, and what requires it
// must be null too.
void ArgumentGraph::add_pairs(const Context& c, Graph& out) {
  auto null_of = [&](int role) { return ArgumentGraph::null_of(c.problem, position_[role]); };
  if (c.rules.excludes) {
    for (auto [a, b] : c.frame.excludes) {
      if (position_[a] < 0 || position_[b] < 0) continue;
      out.add_at_least_one({null_of(a), null_of(b)},
                           rule(c, out, {c.name(a), " excludes ", c.name(b)}));
    }
  }
  if (!c.rules.requires_) return;
  const bool symmetric = c.rules.reading == RequiresReading::kSymmetric;
  for (auto [a, b] : c.rules.requires_of(c.frame)) {
    const bool has_a = position_[a] >= 0, has_b = position_[b] >= 0;
    if (!has_a && (!has_b || !symmetric)) continue;
    const Rule r = rule(c, out, {c.name(a), " requires ", c.name(b)});
    if (!has_a || !has_b) {
      out.add_at_least_one({null_of(has_a ? a : b)}, r);
    } else if (symmetric) {
      out.add_equal(null_of(a), null_of(b), r);
    } else {
      out.add_implies(!null_of(a), !null_of(b), r);
    }
  }
}

void ArgumentGraph::add_core_sets(const Context& c, Graph& out) {
  if (!c.rules.core_sets) return;
  for (const auto& set : c.frame.core_sets) {
    literals_.clear();
    for (int role : set) {
      if (position_[role] >= 0) literals_.push_back(!null_of(c.problem, position_[role]));
    }
    if (literals_.empty()) continue;
    out.add_at_least_one(
        literals_, rule(c, out, {"core set of ", c.name(set.front())}, c.rules.core_set_cost));
  }
}

void ArgumentGraph::add_wishes(const Context& c, Graph& out, bool with_required) {
  if (c.rules.require.empty() && c.rules.forbid.empty()) return;
  for (int role = 0; role < static_cast<int>(c.frame.roles.size()); ++role) {
    const int at = position_[role];
    if (at >= 0 && any_applies(c.rules.forbid, c.frame, role))
      out.add_at_least_one({null_of(c.problem, at)}, rule(c, out, {c.name(role), " is forbidden"}));
    if (!with_required || !any_applies(c.rules.require, c.frame, role)) continue;
    // A role that the problem leaves out can only be null: the rule then says why there is nothing.
    const Var null = at >= 0 ? null_of(c.problem, at)
                             : out.add_group({0.0}, c.named ? c.name(role) : std::string_view{})[0];
    out.add_at_least_one({!null}, rule(c, out, {c.name(role), " is required"}));
  }
}

void ArgumentGraph::build(const framenet::Frame& frame, const ArgumentProblem& problem,
                          const RuleSet& rules, Names names, Graph& out, bool with_required,
                          Overlap overlap) {
  const Context c{frame, problem, rules, names == Names::kAll, overlap};
  out.clear();
  add_roles(c, out);
  if (!rules.beyond_overlap(frame)) return;
  position_.assign(frame.roles.size(), -1);
  for (std::size_t i = 0; i < problem.roles.size(); ++i)
    position_[problem.roles[i]] = static_cast<int>(i);
  add_pairs(c, out);
  add_core_sets(c, out);
  add_wishes(c, out, with_required);
}

}  // namespace entente::frames
