#include "schema/quick_answer.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace entente::schema {

// False if it is decided already.
bool QuickAnswer::hold(Literal literal, bool is) {
  const int v = literal.var();
  const auto fixed = model_.graph().fixed();
  if (!fixed.empty() && fixed[v] >= 0) return false;
  model_.graph().fix(Var{v}, is != literal.negated());
  held_.push_back(v);
  return true;
}

// Out of the answer at hand, too.
bool QuickAnswer::drop(Literal literal) {
  if (!hold(literal, false)) return false;
  best_.assignment[literal.var()] = literal.negated();
  return true;
}

void QuickAnswer::begin_step() {
  until_ = std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(
               std::chrono::duration<double>(seconds_ / 2));
}

void QuickAnswer::let_go() {
  for (int v : held_) model_.graph().free(Var{v});
  held_.clear();
}

// The nearest to `wanted` that keeps the rules which are in the graph.
bool QuickAnswer::round(std::span<const std::uint8_t> wanted) {
  const Graph& g = model_.graph();
  problem_.build(g);
  rounder_.reset(problem_);
  target_.assign(g.variable_count(), 0.0);
  std::copy_n(wanted.begin(), std::min(wanted.size(), target_.size()), target_.begin());
  best_.clear();
  return rounder_.offer(problem_, target_, scratch_, best_);
}

// Of the chosen pairs that an instance speaks of, -1 if there are none.
int QuickAnswer::weakest(const Cut& cut) const {
  const Candidates& c = model_.candidates();
  int best = -1;
  auto offer = [&](int p) {
    if (!model_.chosen(model_.pair_literal(p), best_.assignment)) return;
    if (best < 0 || c.pairs[p].weight < c.pairs[best].weight) best = p;
  };
  if (model_.schema().rules[cut.rule].kind == RuleKind::acyclic) {
    for (int p : cut.what) offer(p);
    return best;
  }
  const int relations = static_cast<int>(model_.schema().relations.size());
  for (int head : cut.what) {
    for (int tail : cut.what) {
      if (head < 0 || tail < 0) continue;
      for (int r = 0; r < relations; ++r) {
        if (const int p = c.find(r, head, tail); p >= 0) offer(p);
      }
    }
  }
  return best;
}

// What may stand broken for its cost is written down, and what says that something must be there.
// False if nothing was done.
bool QuickAnswer::leave_out(const std::vector<Cut>& broken) {
  const Candidates& c = model_.candidates();
  bool any = false;
  for (const Cut& cut : broken) {
    const SchemaRule& rule = model_.schema().rules[cut.rule];
    const int p = rule.hard() ? weakest(cut) : -1;
    bool left_out = p >= 0 && drop(model_.pair_literal(p));
    if (rule.hard() && p < 0 && rule.kind == RuleKind::formula) {
      for (int s : cut.what) left_out |= s >= 0 && leave_out_types(c.spans[s]);
    }
    any |= left_out;
    if (left_out) continue;
    lazy_.add(cut, model_);
    any = written_ = true;
  }
  return any;
}

bool QuickAnswer::leave_out_types(const Span& span) {
  bool any = false;
  for (int i = span.first; i < span.last; ++i) {
    const Literal l = model_.type_literal(i);
    if (model_.chosen(l, best_.assignment)) any |= drop(l);
  }
  return any;
}

// The weakest of what a count has too much of.
bool QuickAnswer::leave_out_surplus() {
  const auto scores = model_.graph().scores();
  bool any = false;
  for (const Model::WideRow& row : model_.wide_rows()) {
    std::vector<Literal> chosen;
    for (Literal l : row.literals) {
      if (model_.chosen(l, best_.assignment)) chosen.push_back(l);
    }
    const int surplus = static_cast<int>(chosen.size()) - row.upper;
    std::sort(chosen.begin(), chosen.end(), [&](Literal a, Literal b) {
      return std::pair(scores[a.var()], a.code) < std::pair(scores[b.var()], b.code);
    });
    for (int i = 0; i < surplus; ++i) any |= drop(chosen[i]);
  }
  return any;
}

bool QuickAnswer::keeps_counts() const {
  for (const Model::WideRow& row : model_.wide_rows()) {
    int chosen = 0;
    for (Literal l : row.literals) chosen += model_.chosen(l, best_.assignment);
    if (chosen < row.lower || chosen > row.upper) return false;
  }
  return true;
}

// False if it leads nowhere, or time is up. What is left out is held; with `only_these` nothing else
// comes in, so that every round has less to leave out.
bool QuickAnswer::mend(std::span<const std::uint8_t> wanted, bool only_these) {
  if (only_these) hold_others(wanted);
  std::vector<Cut> broken;
  for (bool more = true; more; more = !late()) {
    if (!round(wanted)) return false;
    bool whole = true;
    for (bool progress = true; progress; whole = false) {
      broken.clear();
      lazy_.find_broken_rules(model_, best_.assignment, broken);
      if (broken.empty() && keeps_counts()) break;
      progress = leave_out_surplus();
      progress |= leave_out(broken);
      if (!progress) return false;
      if (late()) return false;
      if (!std::exchange(written_, false)) continue;
      whole = false;
      break;
    }
    if (whole) return true;
  }
  return false;
}

void QuickAnswer::hold_others(std::span<const std::uint8_t> wanted) {
  const Candidates& c = model_.candidates();
  auto hold_other = [&](Literal l) {
    if (!model_.chosen(l, wanted)) hold(l, false);
  };
  for (int i = 0; i < static_cast<int>(c.types.size()); ++i) hold_other(model_.type_literal(i));
  for (int p = 0; p < static_cast<int>(c.pairs.size()); ++p) hold_other(model_.pair_literal(p));
}

bool QuickAnswer::take(const Choice& choice) {
  const Candidates& c = model_.candidates();
  for (int i : choice.types) hold(model_.type_literal(i), true);
  for (int p : choice.pairs) hold(model_.pair_literal(p), true);
  for (int i = 0; i < static_cast<int>(c.types.size()); ++i) hold(model_.type_literal(i), false);
  for (int p = 0; p < static_cast<int>(c.pairs.size()); ++p) hold(model_.pair_literal(p), false);
  return mend({}, false);
}

void QuickAnswer::settle(Solution& out) {
  const std::vector<SchemaRule>& rules = model_.schema().rules;
  const bool soft =
      std::any_of(rules.begin(), rules.end(), [](const SchemaRule& rule) { return !rule.hard(); });
  Graph& g = model_.graph();
  if ((!soft && model_.candidates().facts.empty()) || model_.decisions() == g.variable_count())
    return;
  for (int v = 0; v < model_.decisions(); ++v) hold(Var{v}, out.assignment[v] == 1);
  Options quick;
  quick.time_limit = seconds_;
  const Solution s = solve(g, quick);
  let_go();
  if (s.assignment.empty() || s.value <= out.value) return;
  out.assignment = s.assignment;
  out.value = s.value;
  out.bound = std::max(out.bound, out.value);
}

bool QuickAnswer::keep(Solution& out) {
  out.assignment = best_.assignment;
  out.value = best_.value;
  out.bound = std::max(out.bound, out.value);
  out.status = Status::feasible;
  settle(out);
  return true;
}

bool QuickAnswer::complete(const Choice& choice, Solution& out) {
  begin_step();
  const bool found = take(choice);
  let_go();
  return found && keep(out);
}

// Switches a literal on, in its group in place of what is on there.
void QuickAnswer::put(Literal literal, std::vector<std::uint8_t>& z) {
  const int v = literal.var(), group = group_of_[v];
  const std::uint8_t value = literal.negated() ? 0 : 1;
  if (z[v] == value) return;
  auto flip = [&](int variable) {
    changed_.push_back(variable);
    z[variable] ^= 1;
  };
  if (group >= 0) {
    const Group& g = model_.graph().groups()[group];
    for (int u = g.first; u < g.first + g.size; ++u) {
      if (z[u]) flip(u);
    }
  }
  flip(v);
}

// The pair with its ends as these types; false, and all as it was, if that breaks a rule or does
// not gain.
bool QuickAnswer::add(int pair, int head, int tail, std::vector<std::uint8_t>& z) {
  const Graph& g = model_.graph();
  changed_.clear();
  put(model_.type_literal(head), z);
  put(model_.type_literal(tail), z);
  put(model_.pair_literal(pair), z);
  double gain = 0;
  bool fine = true;
  for (int v : changed_) {
    gain += z[v] ? g.scores()[v] : -g.scores()[v];
    fine = fine && (g.fixed().empty() || g.fixed()[v] < 0);
    for (int k = problem_.var_begin[v]; fine && k < problem_.var_begin[v + 1]; ++k)
      fine = g.holds(problem_.factor_of[problem_.var_links[k]], z);
  }
  if (fine && gain > 0) return true;
  for (int v : changed_) z[v] ^= 1;
  return false;
}

// Adds pairs one by one, each with its ends where they are not there yet, what gains most first.
void QuickAnswer::add_pairs(std::vector<std::uint8_t>& z) {
  const Candidates& c = model_.candidates();
  const Graph& g = model_.graph();
  problem_.build(g);
  group_of_.assign(g.variable_count(), -1);
  for (std::size_t i = 0; i < g.groups().size(); ++i) {
    const Group& group = g.groups()[i];
    std::fill_n(group_of_.begin() + group.first, group.size, static_cast<int>(i));
  }
  struct Way {
    double gain;
    int pair, head, tail;
  };
  std::vector<Way> ways;
  for (int p = 0; p < static_cast<int>(c.pairs.size()); ++p) {
    const Span &head = c.spans[c.pairs[p].head], &tail = c.spans[c.pairs[p].tail];
    for (int i = head.first; i < head.last; ++i) {
      for (int j = tail.first; j < tail.last; ++j) {
        const double gain = c.pairs[p].weight + c.types[i].weight + c.types[j].weight;
        if (gain > 0) ways.push_back({gain, p, i, j});
      }
    }
  }
  std::sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) {
    return std::tuple(-a.gain, a.pair, a.head, a.tail) <
           std::tuple(-b.gain, b.pair, b.head, b.tail);
  });
  auto as = [&](int end, int type) {  // it is of this type, or of none yet
    for (int i = c.spans[end].first; i < c.spans[end].last; ++i) {
      if (i != type && model_.chosen(model_.type_literal(i), z)) return false;
    }
    return true;
  };
  for (const Way& way : ways) {
    if (late()) return;
    const Pair& pair = c.pairs[way.pair];
    if (model_.chosen(model_.pair_literal(way.pair), z)) continue;
    if (as(pair.head, way.head) && as(pair.tail, way.tail)) add(way.pair, way.head, way.tail, z);
  }
}

bool QuickAnswer::find(std::span<const std::uint8_t> wanted, Solution& out) {
  begin_step();
  bool found = !wanted.empty() && mend(wanted, true);
  let_go();
  if (!found && round({})) {  // what scores, and keeps the rules that are in the graph
    const std::vector<std::uint8_t> scored = best_.assignment;
    found = mend(scored, true);
    let_go();
    found = found || (!wanted.empty() && mend(wanted, false));
    let_go();
  }
  if (found) return keep(out);
  if (!complete({}, out)) return false;
  std::vector<std::uint8_t> more = out.assignment;  // and what can be added to nothing
  begin_step();
  add_pairs(more);
  begin_step();
  if (mend(more, true) && best_.value > out.value) {
    let_go();
    keep(out);
  }
  let_go();
  if (!round(out.assignment)) return true;
  const std::vector<std::uint8_t> added = best_.assignment;
  found = mend(added, true) && best_.value > out.value;
  let_go();
  return !found || keep(out);
}

}  // namespace entente::schema
