#include "engine/proof/checker.h"

namespace entente {

ProofChecker::ProofChecker(const Graph& g, const Proof& proof)
    : proof_(proof), m_(g, proof.choices), rules_(m_, scratch_), prices_(m_, rules_, scope_) {
  for (int n = 0; n < m_.nodes(); ++n) {
    scope_.nodes.push_back(n);
    empty_nodes_ += m_.open_count[n] == 0;
  }
  scope_.part.assign(m_.nodes(), 0);
  scope_.table_part.assign(m_.tables.size(), 0);
  scope_.whole_part.assign(m_.whole.size(), 0);
}

bool ProofChecker::run(const Limits* limits) {
  frames_.emplace_back();
  while (!frames_.empty()) {
    if (limits && limits->reached()) return refuse("no time to go through the log");
    if (!step()) return false;
  }
  if (at_ != proof_.words.size()) return refuse("the log goes on after its end");
  return true;
}

bool ProofChecker::refuse(std::string why) {
  if (reason_.empty()) reason_ = why + " (word " + std::to_string(at_) + " of the log)";
  return false;
}

bool ProofChecker::next(std::int32_t& out) {
  if (at_ >= proof_.words.size()) return refuse("the log has no end");
  out = proof_.words[at_++];
  return true;
}

bool ProofChecker::states(std::vector<std::int32_t>& out) {
  std::int32_t count = 0, s = 0;
  out.clear();
  if (!next(count)) return false;
  for (int i = 0; i < count; ++i) {
    if (!next(s)) return false;
    if (!m_.is_state(s)) return refuse("a step names a state that does not exist");
    out.push_back(s);
  }
  return true;
}

bool ProofChecker::step() {
  std::int32_t op = 0;
  if (!next(op)) return false;
  const bool parts = op == static_cast<std::int32_t>(ProofStep::part);
  if (frames_.back().parted && !parts && op != static_cast<std::int32_t>(ProofStep::bound))
    return refuse("only parts and the end come after a part");
  switch (static_cast<ProofStep>(op)) {
    case ProofStep::close:
      return close_listed();
    case ProofStep::dominated:
      return dominated();
    case ProofStep::cut:
      return cut();
    case ProofStep::line:
      return line();
    case ProofStep::price:
      return price();
    case ProofStep::strike:
      return strike();
    case ProofStep::suppose:
    case ProofStep::part:
      return begin(static_cast<ProofStep>(op));
    case ProofStep::pairs:
      return pairs();
    case ProofStep::region:
      return region();
    case ProofStep::joint:
      return joint();
    case ProofStep::derive:
      return derive();
    case ProofStep::round:
      return round();
    case ProofStep::grid:
      return grid();
    case ProofStep::alike:
      return alike();
    case ProofStep::eliminate: {
      std::int32_t n = 0;
      PairModel* const model = frames_.back().pairs.get();
      if (!next(n)) return false;
      if (!model || n < 0 || n >= model->nodes() || !model->eliminate(n))
        return refuse("a node cannot be maximised out here");
      return true;
    }
    case ProofStep::bound:
    case ProofStep::empty:
      return end(static_cast<ProofStep>(op));
  }
  return refuse("unknown step");
}

// ---------------------------------------------------------------- what is open

void ProofChecker::shut(int s) {
  if (!m_.open[s]) return;
  m_.open[s] = 0;
  if (--m_.open_count[m_.node[s]] == 0) ++empty_nodes_;
  trail_.push_back({Undo::open, s, 1});
}

void ProofChecker::set_part(Undo kind, std::vector<std::int32_t>& of, int index, std::int32_t to) {
  trail_.push_back({kind, index, of[index]});
  of[index] = to;
}

void ProofChecker::undo(std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) {
    const Change c = trail_.back();
    if (c.kind == Undo::open) {
      m_.open[c.index] = 1;
      if (m_.open_count[m_.node[c.index]]++ == 0) --empty_nodes_;
    } else if (c.kind == Undo::part) {
      scope_.part[c.index] = c.before;
    } else {
      (c.kind == Undo::table ? scope_.table_part : scope_.whole_part)[c.index] = c.before;
    }
  }
}

PairModel* ProofChecker::pair_model() {
  for (std::size_t i = frames_.size(); i-- > 0;) {
    if (frames_[i].pairs) return frames_[i].pairs.get();
  }
  return nullptr;
}

int ProofChecker::pairs_number() const {
  for (std::size_t i = frames_.size(); i-- > 0;) {
    if (frames_[i].pairs) return frames_[i].pairs_number;
  }
  return 0;
}

bool ProofChecker::close_listed() {
  if (!states(list_)) return false;
  PairModel* const pairs = pair_model();
  for (int s : list_) {
    if (!m_.open[s]) continue;
    if (empty_nodes_ == 0 && (pairs ? !pairs->closes(s) : !rules_.closes(s)))
      return refuse("no single rule closes state " + std::to_string(s));
    shut(s);
  }
  return true;
}

bool ProofChecker::dominated() {
  std::int32_t t = 0;
  if (!next(t) || !states(list_)) return false;
  if (!m_.is_state(t) || pair_model()) return refuse("a step names a state that does not exist");
  if (list_.empty()) {
    for (int s : m_.states_of(m_.node[t])) {
      if (s != t) list_.push_back(s);
    }
  }
  for (int s : list_) {
    if (!m_.open[s]) continue;
    if (empty_nodes_ == 0 && !rules_.dominates(t, s))
      return refuse("state " + std::to_string(t) + " does not dominate " + std::to_string(s));
    shut(s);
  }
  return true;
}

// ---------------------------------------------------------------- derived rows and intervals

}  // namespace entente
