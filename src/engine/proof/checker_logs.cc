// Logs within logs: suppositions, parts, pairs, and how each ends.
#include <algorithm>
#include <cmath>

#include "engine/proof/checker.h"

namespace entente {

bool ProofChecker::begin(ProofStep kind) {
  Frame frame;
  frame.kind = kind;
  if (!states(frame.states)) return false;
  frame.trail = trail_.size();
  if (const PairModel* const model = pair_model()) frame.regions = model->regions();
  if (kind == ProofStep::part) {
    if (!begin_part(frame)) return false;
  } else {
    if (frame.states.empty()) return refuse("a supposition of nothing");
    const int n = m_.node[frame.states[0]];
    for (int s : frame.states) {
      if (m_.node[s] != n) return refuse("a supposition about two nodes");
    }
    for (int s : m_.states_of(n)) {
      if (std::find(frame.states.begin(), frame.states.end(), s) == frame.states.end()) shut(s);
    }
  }
  frames_.push_back(std::move(frame));
  return true;
}

bool ProofChecker::begin_part(Frame& frame) {
  if (pair_model()) return refuse("no parts among pairs");
  frames_.back().parted = true;
  const std::int32_t outside = scope_.current, inside = ++parts_;
  frame.part = outside;
  frame.nodes.swap(scope_.nodes);
  for (int s : frame.states) {
    const int n = m_.node[s];
    if (scope_.part[n] == inside) continue;
    if (scope_.part[n] != outside) return refuse("a part takes a node of another");
    set_part(Undo::part, scope_.part, n, inside);
    scope_.nodes.push_back(n);
    if (m_.open_count[n] == 1) continue;
    for (int t : m_.node_tables[n]) {
      if (scope_.table_part[t] == outside) set_part(Undo::table, scope_.table_part, t, inside);
    }
    for (int w : m_.node_whole[n]) {
      if (scope_.whole_part[w] == outside) set_part(Undo::whole, scope_.whole_part, w, inside);
    }
  }
  scope_.current = inside;
  return true;
}

bool ProofChecker::pairs() {
  std::int32_t count = 0;
  if (!next(count)) return false;
  if (pair_model()) return refuse("pairs within pairs");
  std::vector<std::vector<std::int32_t>> lists;
  std::vector<std::uint8_t> listed(m_.nodes(), 0);
  for (int i = 0; i < count; ++i) {
    if (!states(list_)) return false;
    int n = 0;
    if (!lists_open_states(list_, n) || listed[n] || scope_.part[n] != scope_.current)
      return refuse("a node of pairs is not listed as it is");
    listed[n] = 1;
    lists.push_back(list_);
  }
  frames_.back().pairs = std::make_unique<PairModel>(m_, rules_, scope_, std::move(lists));
  frames_.back().pairs_number = ++pairs_made_;
  return true;
}

bool ProofChecker::region() {
  std::int32_t count = 0;
  if (!next(count)) return false;
  std::vector<std::vector<std::int32_t>> lists;
  for (int i = 0; i < count; ++i) {
    if (!states(list_)) return false;
    lists.push_back(list_);
  }
  PairModel* const model = pair_model();
  if (!model || !model->add_region(lists)) return refuse("no region of nodes as they are");
  return true;
}

bool ProofChecker::end(ProofStep kind) {
  std::int32_t operand = 0;
  if (!next(operand)) return false;
  if (kind == ProofStep::empty) {
    if (pair_model()) return refuse("no empty node among pairs");
    if (operand != Proof::kNone && !m_.is_state(operand))
      return refuse("a step names a state that does not exist");
    if (empty_nodes_ == 0 &&
        (operand == Proof::kNone ? !rules_.empty_anywhere() : !rules_.empty_at(m_.node[operand])))
      return refuse("something is allowed where nothing should be");
    return pop(-kInfinity);
  }
  // What is in no part of the log counts beside them.
  std::vector<std::int32_t> all;
  if (frames_.back().parted) {
    all = scope_.nodes;
    std::erase_if(scope_.nodes, [&](int n) { return scope_.part[n] != scope_.current; });
  }
  double b = -kInfinity;
  if (!bound_at(operand, b)) return false;
  if (frames_.back().parted) scope_.nodes.swap(all);
  b += frames_.back().parts;
  return pop(std::isnan(b) ? -kInfinity : b);
}

// The log at hand has ended with bound b.
bool ProofChecker::pop(double b) {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  const double bound = down(frame, std::max(frame.bound, b));
  if (frames_.empty()) {
    bound_ = bound;
    return true;
  }
  undo(frame.trail);
  for (int row : frame.derived) m_.rows[row].upper = kInfinity;  // a side that cannot be priced
  if (PairModel* const model = pair_model()) model->forget_regions(frame.regions);
  Frame& outer = frames_.back();
  if (frame.kind == ProofStep::suppose) {
    outer.bound = std::max(outer.bound, bound);
    for (int s : frame.states) shut(s);
    return true;
  }
  // The part's nodes and factors are done: nobody counts them again.
  scope_.current = frame.part;
  scope_.nodes.swap(frame.nodes);
  outer.parts += bound;
  const std::int32_t done = ++parts_;
  for (int s : frame.states) {
    const int n = m_.node[s];
    if (scope_.part[n] == done) continue;
    set_part(Undo::part, scope_.part, n, done);
    if (m_.open_count[n] == 1) continue;
    for (int t : m_.node_tables[n]) {
      if (scope_.table_part[t] == scope_.current) set_part(Undo::table, scope_.table_part, t, done);
    }
    for (int w : m_.node_whole[n]) {
      if (scope_.whole_part[w] == scope_.current) set_part(Undo::whole, scope_.whole_part, w, done);
    }
  }
  return true;
}

}  // namespace entente
