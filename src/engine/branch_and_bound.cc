#include "engine/branch_and_bound.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "engine/rounding.h"
#include "engine/solvers.h"
#include "engine/workspace.h"

namespace entente {

namespace {

constexpr std::size_t kStateBytes = std::size_t{1} << 30;  // for what open nodes start from

}  // namespace

void BranchAndBound::reset(const Graph& g) {
  graph_ = &g;
  propagator_.reset(ad3_->problem);
  nodes_.assign(1, Node{});
  open_.assign(1, 0);
  dive_ = -1;
  free_states_.clear();
  for (int s = static_cast<int>(states_.size()) - 1; s >= 0; --s) free_states_.push_back(s);
  forced_.clear();
  clamped_.clear();
  kept_.clear();
  even_.assign(ad3_->shares.begin(), ad3_->shares.end());
  start_u_.assign(ad3_->u.begin(), ad3_->u.end());
  leaf_bound_ = -kInfinity;
}

void BranchAndBound::release(int state) {
  if (state >= 0 && --states_[state].users == 0) free_states_.push_back(state);
}

int BranchAndBound::next() {
  if (dive_ >= 0) {
    const int node = dive_;
    dive_ = -1;
    return node;
  }
  if (open_.empty()) return -1;
  // Highest bound first; of equal ones the youngest, which is the deepest and so the nearest to an
  // end.
  auto lower = [&](std::int32_t a, std::int32_t b) {
    return nodes_[a].bound != nodes_[b].bound ? nodes_[a].bound < nodes_[b].bound : a < b;
  };
  std::pop_heap(open_.begin(), open_.end(), lower);
  const int node = open_.back();
  open_.pop_back();
  return node;
}

void BranchAndBound::list_path(int node) {
  path_.clear();
  for (int n = node; n >= 0; n = nodes_[n].parent) {
    for (int i = nodes_[n].forced_end; i-- > nodes_[n].forced_begin;) path_.push_back(forced_[i]);
    if (n != 0) path_.push_back(nodes_[n].branch);
  }
  std::reverse(path_.begin(), path_.end());
}

void BranchAndBound::enter(int node) {
  DualProblem& p = ad3_->problem;
  for (int v : clamped_) p.set_clamp(v, -1);
  clamped_.clear();
  list_path(node);
  for (Literal l : path_) {
    p.set_clamp(l.var(), l.negated() ? 0 : 1);
    clamped_.push_back(l.var());
  }
  const int state = nodes_[node].state;
  ad3_->shares = state < 0 ? even_ : states_[state].shares;
  ad3_->u = state < 0 ? start_u_ : states_[state].u;
  ad3_->eta = state < 0 ? options_->eta : states_[state].eta;
}

// False if the node is empty.
bool BranchAndBound::propagate(int node) {
  fresh_.clear();
  changed_.clear();
  if (node != 0) changed_.push_back(nodes_[node].branch.var());
  const bool possible = propagator_.run(ad3_->problem, changed_, *scratch_, fresh_);
  nodes_[node].forced_begin = static_cast<std::int32_t>(forced_.size());
  for (Literal l : fresh_) {
    clamped_.push_back(l.var());
    path_.push_back(l);
    forced_.push_back(l);
  }
  nodes_[node].forced_end = static_cast<std::int32_t>(forced_.size());
  return possible;
}

// ---------------------------------------------------------------- a first answer
// Takes what the relaxation is surest of, with all that follows, and steps back where that ends in a
// contradiction: a fixed number of times.
void BranchAndBound::dive() {
  constexpr int kMostFailures = 200;
  DualProblem& p = ad3_->problem;
  dived_.clear();
  levels_.clear();
  int failures = 0;
  for (int v = surest(); v >= 0; v = surest()) {
    levels_.emplace_back(v, dived_.size());
    bool fine = decide(Var{v});
    while (!fine && !levels_.empty()) {
      const auto [variable, mark] = levels_.back();
      levels_.pop_back();
      take_back(mark);
      fine = ++failures <= kMostFailures && decide(!Literal(Var{variable}));
      if (failures > kMostFailures) break;
    }
    if (!fine || limits_->reached()) return take_back(0);
  }
  dive_answer_.resize(p.variables);
  for (int v = 0; v < p.variables; ++v)
    dive_answer_[v] = p.clamp[v] >= 0 ? p.clamp[v] == 1 : graph_->scores()[v] > 0;
  ad3_->rounder.offer_assignment(p, dive_answer_, ad3_->incumbent);
  take_back(0);
}

// False at a contradiction.
bool BranchAndBound::decide(Literal literal) {
  ad3_->problem.set_clamp(literal.var(), literal.negated() ? 0 : 1);
  dived_.push_back(literal);
  changed_.assign(1, literal.var());
  return propagator_.run(ad3_->problem, changed_, *scratch_, dived_);
}

void BranchAndBound::take_back(std::size_t mark) {
  for (std::size_t i = mark; i < dived_.size(); ++i) ad3_->problem.set_clamp(dived_[i].var(), -1);
  dived_.resize(mark);
}

int BranchAndBound::surest() const {
  const DualProblem& p = ad3_->problem;
  int best = -1;
  for (int v = 0; v < p.variables; ++v) {
    if (p.clamp[v] >= 0 || p.degree(v) == 0) continue;
    if (best < 0 || ad3_->u[v] > ad3_->u[best] ||
        (ad3_->u[v] == ad3_->u[best] && graph_->scores()[v] > graph_->scores()[best]))
      best = v;
  }
  return best;
}

void BranchAndBound::close(int node, std::span<const double> shares, double bound) {
  leaf_bound_ = std::max(leaf_bound_, bound);
  release(nodes_[node].state);
  nodes_[node].state = -1;
  if (!options_->certificate || bound == -kInfinity) return;
  nodes_[node].kept = static_cast<std::int32_t>(kept_.size() / std::max(1, ad3_->problem.links));
  kept_.insert(kept_.end(), shares.begin(), shares.end());
}

// The most fractional variable, else one the factors disagree on, else any that is free.
int BranchAndBound::branch_variable() const {
  const DualProblem& p = ad3_->problem;
  int best = -1, torn = -1, any = -1;
  double nearest = 0.499;
  for (int v = 0; v < p.variables; ++v) {
    if (p.clamp[v] >= 0 || p.degree(v) == 0) continue;
    if (any < 0) any = v;
    const double distance = std::abs(ad3_->u[v] - 0.5);
    if (distance < nearest - 1e-6) {
      nearest = distance;
      best = v;
    }
    for (int k = p.var_begin[v] + 1; k < p.var_begin[v + 1] && torn < 0; ++k) {
      if (ad3_->dual.config[p.var_links[k]] != ad3_->dual.config[p.var_links[k - 1]]) torn = v;
    }
  }
  return best >= 0 ? best : torn >= 0 ? torn : any;
}

// Keeps the shares and u for two children; -1 where that would take too much memory: they start
// afresh.
int BranchAndBound::save_state() {
  if (free_states_.empty()) {
    const std::size_t each = (ad3_->shares.size() + ad3_->u.size()) * sizeof(double);
    if (states_.size() * each > kStateBytes) return -1;
    free_states_.push_back(static_cast<std::int32_t>(states_.size()));
    states_.emplace_back();
  }
  const int s = free_states_.back();
  free_states_.pop_back();
  State& state = states_[s];
  state.shares.assign(ad3_->best_shares.begin(), ad3_->best_shares.end());
  state.u.assign(ad3_->u.begin(), ad3_->u.end());
  state.eta = ad3_->eta;
  state.users = 2;
  return s;
}

void BranchAndBound::branch(int node, int variable) {
  const int s = save_state();
  release(nodes_[node].state);
  nodes_[node].state = -1;
  const bool first = ad3_->u[variable] >= 0.5;
  nodes_[node].child = static_cast<std::int32_t>(nodes_.size());
  for (bool value : {!first, first}) {
    Node child;
    child.parent = node;
    child.branch = Literal(Var{variable}, !value);
    child.state = s;
    child.bound = nodes_[node].bound;
    nodes_.push_back(child);
  }
  dive_ = static_cast<std::int32_t>(nodes_.size()) - 1;
  open_.push_back(dive_ - 1);
  std::push_heap(open_.begin(), open_.end(), [&](std::int32_t a, std::int32_t b) {
    return nodes_[a].bound != nodes_[b].bound ? nodes_[a].bound < nodes_[b].bound : a < b;
  });
}

// A node that is not looked into: its bound is what the parent's shares give under its own clamps.
void BranchAndBound::close_open(int node) {
  if (!options_->certificate && nodes_[node].bound != kInfinity) {
    leaf_bound_ = std::max(leaf_bound_, nodes_[node].bound);
    release(nodes_[node].state);
    nodes_[node].state = -1;
    return;
  }
  // The parent's shares give no more under the node's own clamps: nothing need be evaluated.
  const int state = nodes_[node].state;
  if (state >= 0 && nodes_[node].bound != kInfinity)
    return close(node, states_[state].shares, nodes_[node].bound);
  enter(node);
  ad3_->dual.reset(ad3_->problem);
  close(node, ad3_->shares, ad3_->dual.evaluate(ad3_->problem, ad3_->shares, *scratch_));
}

void BranchAndBound::process(int node) {
  enter(node);
  if (!propagate(node)) return close(node, {}, -kInfinity);
  Ad3::Plan plan;
  plan.node = true;
  plan.max_iterations = options_->max_iterations;
  plan.node_number = out_->nodes;
  if (options_->trace) plan.trace = &out_->trace;
  plan.dive = [this] { dive(); };
  const Ad3::End end = ad3_->run(*options_, *limits_, plan, *scratch_);
  if (end == Ad3::End::infeasible) return close(node, ad3_->best_shares, -kInfinity);
  // best_bound is at most the inherited one: the run looked at the parent's shares first.
  nodes_[node].bound = std::min(nodes_[node].bound, ad3_->best_bound);
  const int variable = end == Ad3::End::closed ? -1 : branch_variable();
  if (variable < 0) return close(node, ad3_->best_shares, ad3_->best_bound);
  branch(node, variable);
}

void BranchAndBound::run(const Graph& g, const Options& o, const Limits& l, Ad3& ad3,
                         FactorScratch& scratch, Solution& out) {
  options_ = &o;
  limits_ = &l;
  ad3_ = &ad3;
  scratch_ = &scratch;
  out_ = &out;
  ad3.start(g, o);
  if (out.status == Status::feasible) {
    ENTENTE_CHECK(static_cast<int>(out.assignment.size()) == g.variable_count());
    ad3.rounder.offer_assignment(ad3.problem, out.assignment, ad3.incumbent);
  }
  reset(g);
  out.nodes = 0;
  out.trace.clear();
  bool stopped = false;
  for (int node = next(); node >= 0; node = next()) {
    stopped = stopped || out.nodes >= o.node_limit || l.reached();
    if (stopped || closes(nodes_[node].bound, ad3.incumbent.value, o.tolerance)) {
      close_open(node);
    } else {
      ++out.nodes;
      process(node);
    }
  }
  finish(ad3.problem, ad3.incumbent, ad3.rounder, leaf_bound_, o, out);
  out.iterations = ad3.iterations;
}

void BranchAndBound::write_proof(const ProofOrigin* origin, Recorder& record) const {
  const LiteralStates states(origin ? *origin->graph : *graph_);
  auto original = [&](Literal l) {
    return origin ? Literal(Var{origin->variable[l.var()]}, l.negated()) : l;
  };
  std::vector<std::int32_t> list;
  std::vector<std::int32_t> stack{0};
  while (!stack.empty()) {
    const std::int32_t at = stack.back();
    stack.pop_back();
    const Node& node = nodes_[at];
    // Of two children the first is a supposition; once it is done, the second is what is left.
    if (node.parent >= 0 && nodes_[node.parent].child == at) {
      states.list(original(node.branch), list);
      record.suppose(list);
    }
    for (int i = node.forced_begin; i < node.forced_end; ++i) {
      states.close_others(original(forced_[i]), record);
    }
    if (node.child >= 0) {
      stack.push_back(node.child + 1);
      stack.push_back(node.child);
    } else if (node.kept < 0) {
      record.empty();
    } else {
      const std::size_t links = static_cast<std::size_t>(graph_->link_count());
      const auto shares = std::span(kept_).subspan(node.kept * links, links);
      record.bound(write_shares(*graph_, origin, shares, record));
    }
  }
}

void solve_branch_and_bound(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
                            Solution& out) {
  ws.branch_and_bound.run(g, o, l, ws.ad3, ws.factor, out);
  if (!o.certificate) return;
  Proof& proof = out.certificate.proof;
  proof.clear();
  Recorder record(proof);
  ws.branch_and_bound.write_proof(nullptr, record);
  proof.complete = true;
  claim_solution(out);
}

}  // namespace entente
