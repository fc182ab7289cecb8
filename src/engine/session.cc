#include "entente/session.h"

#include "engine/walk.h"
#include "entente/error.h"

namespace entente {

Session::Session(Graph graph, Options options)
    : full_(std::move(graph)), options_(std::move(options)), rule_off_(full_.rule_count(), false) {}

int Session::rule_index(std::string_view rule) const {
  for (int r = 0; r < full_.rule_count(); ++r) {
    if (full_.rule_name(r) == rule) return r;
  }
  throw Error("no rule is called \"" + std::string(rule) + "\"");
}

// The last optimum stays optimal as long as every change is in its favour: its own variables rise,
// others fall, clamps agree with it, and rules that come into force hold for it. Anything else is
// looked at anew.
void Session::set_score(Var v, double score) {
  const double change = score - full_.score(v);
  full_.set_score(v, score);
  if (!stale_) active_.set_score(v, score);
  if (change == 0 || !has_answer()) return;
  const bool on = last_.assignment[v.index] != 0;
  if (on != (change > 0)) moved_ = true;
}

void Session::clamp(Var v, bool value) {
  const bool other = !full_.fixed().empty() && full_.fixed()[v.index] >= 0 &&
                     (full_.fixed()[v.index] == 1) != value;
  full_.fix(v, value);
  if (!stale_) active_.fix(v, value);
  if (other || !has_answer() || (last_.assignment[v.index] == 1) != value) moved_ = true;
}

void Session::unclamp(Var v) {
  if (full_.fixed().empty() || full_.fixed()[v.index] < 0) return;
  full_.free(v);
  if (!stale_) active_.free(v);
  moved_ = true;
}

void Session::switch_rule(std::string_view rule, bool on) {
  const int r = rule_index(rule);
  if (rule_off_[r] == !on) return;
  rule_off_[r] = !on;
  stale_ = true;
  bool broken = !on || !has_answer();
  for (int f = 0; f < full_.factor_count() && !broken; ++f) {
    const FactorView view = full_.factor(f);
    if (view.rule != r) continue;
    const bool may_score = view.shape == Shape::table || view.shape == Shape::structured;
    broken = may_score || !full_.holds(f, last_.assignment);
  }
  moved_ |= broken;
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

bool Session::has_answer() const { return solved_ && last_.status == Status::optimal; }

const Solution& Session::solve() {
  const bool extras = options_.certificate || options_.trace || options_.explain;
  if (has_answer() && !moved_ && !extras && options_.method == Method::exact) {
    last_.value = last_.bound = active_graph().score_of(last_.assignment);
    last_.nodes = last_.iterations = 0;
    return last_;
  }
  entente::solve(active_graph(), options_, workspace_, last_);
  solved_ = true;
  moved_ = false;
  return last_;
}

}  // namespace entente
