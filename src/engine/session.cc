#include "entente/session.h"

#include <algorithm>

#include "engine/core/dominance.h"
#include "engine/walk.h"
#include "entente/error.h"

namespace entente {

namespace {

bool by_code(Literal a, Literal b) { return a.code < b.code; }

}  // namespace

Session::Session(Graph graph, Options options)
    : full_(std::move(graph)), options_(std::move(options)), rule_off_(full_.rule_count(), false) {
  for (int v = 0; v < static_cast<int>(full_.fixed().size()); ++v) {
    if (full_.fixed()[v] >= 0) clamps_.push_back(Literal(Var{v}, full_.fixed()[v] == 0));
  }
  std::sort(clamps_.begin(), clamps_.end(), by_code);
}

int Session::rule_index(std::string_view rule) const {
  for (int r = 0; r < full_.rule_count(); ++r) {
    if (full_.rule_name(r) == rule) return r;
  }
  throw Error("no rule is called \"" + std::string(rule) + "\"");
}

// An optimum stays one as long as every change is in its favour: its own variables rise, others
// fall, and rules that come into force hold for it. Under further clamps that it keeps it is the
// best as well. Anything else is looked at anew.
void Session::set_score(Var v, double score) {
  const double change = score - full_.score(v);
  full_.set_score(v, score);
  if (!stale_) active_.set_score(v, score);
  if (change == 0) return;
  for (Known& k : known_) k.value += k.assignment[v.index] ? change : 0.0;
  std::erase_if(known_, [&](const Known& k) {
    if (std::any_of(k.clamps.begin(), k.clamps.end(),
                    [&](Literal l) { return l.var() == v.index; }))
      return false;  // the same for all that it was compared with
    const bool on = k.assignment[v.index] != 0;
    return on != (change > 0) && (on || !never_needed(v, score, k));
  });
}

void Session::find_locks() {
  const Graph& g = active_graph();
  DominanceScratch scratch;
  std::vector<std::uint8_t> local;
  std::vector<std::int8_t> value;
  local_assignment(g, local, scratch.on);
  drop_dominated(g, scratch, value);
  locks_ = std::move(scratch.locks);
  group_of_.assign(g.variable_count(), -1);
  for (std::size_t i = 0; i < g.groups().size(); ++i) {
    const Group group = g.groups()[i];
    std::fill_n(group_of_.begin() + group.first, group.size, static_cast<std::int32_t>(i));
  }
}

// Is there, with this score, something at least as good that can always be taken instead: another
// state of its group that nothing keeps from rising, or nothing at all?
bool Session::never_needed(Var v, double score, const Known& known) const {
  if (locks_.empty() || (locks_[v.index] & kLockDown)) return false;
  if (group_of_[v.index] < 0) return score <= 0;
  const Group group = full_.groups()[group_of_[v.index]];
  for (int u = group.first; u < group.first + group.size; ++u) {
    if (u == v.index || (locks_[u] & kLockUp) || full_.scores()[u] < score) continue;
    const Literal off(Var{u}, true);
    if (!std::binary_search(known.clamps.begin(), known.clamps.end(), off, by_code)) return true;
  }
  return false;
}

void Session::clamp(Var v, bool value) {
  unclamp(v);
  full_.fix(v, value);
  if (!stale_) active_.fix(v, value);
  const Literal l(v, !value);
  clamps_.insert(std::lower_bound(clamps_.begin(), clamps_.end(), l, by_code), l);
}

void Session::unclamp(Var v) {
  if (full_.fixed().empty() || full_.fixed()[v.index] < 0) return;
  full_.free(v);
  if (!stale_) active_.free(v);
  std::erase_if(clamps_, [&](Literal l) { return l.var() == v.index; });
}

void Session::switch_rule(std::string_view rule, bool on) {
  const int r = rule_index(rule);
  if (rule_off_[r] == !on) return;
  rule_off_[r] = !on;
  stale_ = true;
  locks_.clear();
  std::erase_if(known_, [&](const Known& k) {
    bool broken = !on;
    for (int f = 0; f < full_.factor_count() && !broken; ++f) {
      const FactorView view = full_.factor(f);
      if (view.rule != r) continue;
      const bool may_score = view.shape == Shape::table || view.shape == Shape::structured;
      broken = may_score || !full_.holds(f, k.assignment);
    }
    return broken;
  });
}

bool Session::rule_is_on(std::string_view rule) const { return !rule_off_[rule_index(rule)]; }

const Graph& Session::active_graph() {
  if (!stale_) return active_;
  active_.clear();
  for (int r = 0; r < full_.rule_count(); ++r) active_.rule(full_.rule_name(r));
  copy_variables();
  int group = 0;
  for (int f = 0; f < full_.factor_count(); ++f) {
    if (group < static_cast<int>(full_.groups().size()) && full_.group_factor(group) == f) {
      ++group;
      continue;
    }
    const FactorView view = full_.factor(f);
    if (view.rule >= 0 && rule_off_[view.rule]) continue;
    active_.add_like(view, view.links, Rule{view.rule, view.cost});
  }
  stale_ = false;
  return active_;
}

void Session::copy_variables() {
  walk(
      full_,
      [&](int v) {
        active_.add_variable(full_.scores()[v],
                             full_.has_names() ? full_.variable_name(Var{v}) : "");
      },
      [&](Group group) { active_.add_group(full_.scores().subspan(group.first, group.size)); });
  for (int v = 0; v < static_cast<int>(full_.fixed().size()); ++v) {
    if (full_.fixed()[v] >= 0) active_.fix(Var{v}, full_.fixed()[v] == 1);
  }
}

// Found under some of the clamps of now, and keeping the others.
const Session::Known* Session::find_known() const {
  for (std::size_t i = known_.size(); i-- > 0;) {
    const Known& k = known_[i];
    if (!std::includes(clamps_.begin(), clamps_.end(), k.clamps.begin(), k.clamps.end(), by_code))
      continue;
    const bool keeps = std::all_of(clamps_.begin(), clamps_.end(),
                                   [&](Literal l) { return l.value(k.assignment[l.var()]) == 1; });
    if (keeps) return &k;
  }
  return nullptr;
}

void Session::keep_answer() {
  constexpr std::size_t kMost = 16;
  if (last_.status != Status::optimal) return;
  std::erase_if(known_, [&](const Known& k) { return k.clamps == clamps_; });
  if (known_.size() == kMost) known_.erase(known_.begin());
  known_.push_back({clamps_, last_.assignment, last_.value});
}

const Solution& Session::solve() {
  const bool extras = options_.certificate || options_.trace || options_.explain;
  const bool asks = !extras && options_.method == Method::exact;
  if (const Known* k = asks ? find_known() : nullptr) {
    last_.status = Status::optimal;
    last_.assignment.assign(k->assignment.begin(), k->assignment.end());
    last_.value = last_.bound = k->value;
    last_.nodes = last_.iterations = 0;
    return last_;
  }
  if (locks_.empty()) find_locks();
  entente::solve(active_graph(), options_, workspace_, last_);
  keep_answer();
  return last_;
}

}  // namespace entente
