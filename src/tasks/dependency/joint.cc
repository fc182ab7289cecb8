#include "tasks/dependency/joint.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace entente::dependency {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-7;  // as the engine's Options
// Below the least damping branching gets further.
constexpr DampedSteps::Rules kSteps{.patience = 6, .damping = 0.7, .least = 0.05};
constexpr int kVoteEvery = 8;  // rounds between trees made of the average answer
constexpr int kStrikeFirst = 4, kStrikeEvery = 6;  // rounds in which arcs are struck out
constexpr double kFewer = 0.6;  // of the arcs are left: it pays to go on without the others

double slack(double value) { return kTolerance * std::max(1.0, std::fabs(value)); }

}  // namespace

bool joint_closes(double bound, double value) {
  return value == kNone ? bound == kNone : bound - value <= slack(value);
}

bool Joint::closed() const { return joint_closes(best_bound_, value_); }

bool Joint::alive(int arc) const { return tree_[arc] != kNone; }

HeadAutomaton Joint::view(int h) const {
  const Parts& p = *parts_;
  const int first = p.first_of_head[h], size = p.first_of_head[h + 1] - first;
  const int left = p.left_of_head[h], right = size - left;
  const int uppers = p.first_into[h + 1] - p.first_into[h];
  const std::size_t pairs = sibling_count(left) + sibling_count(right);
  const double* siblings = h == 0 ? root_pairs_.data() : scores_->siblings.data();
  return {left,
          right,
          uppers,
          {lower_.data() + first, static_cast<std::size_t>(size)},
          {siblings + automata_[h].pairs, pairs},
          {upper_.data() + p.first_into[h], static_cast<std::size_t>(uppers)},
          {grand_.data() + automata_[h].grand, static_cast<std::size_t>(uppers) * size}};
}

void Joint::setup_automata(const PartScores& scores) {
  const Parts& p = *parts_;
  const int arcs = static_cast<int>(p.arcs.size());
  lower_at_.resize(arcs);
  upper_at_.resize(arcs);
  automata_.resize(p.words + 1);
  grand_.clear();
  for (int x = 0; x < arcs; ++x) upper_at_[p.into[x]] = x;
  for (int h = 0; h <= p.words; ++h) {
    const int first = p.first_of_head[h], end = p.first_of_head[h + 1];
    const int left = p.left_of_head[h];
    for (int a = first; a < end; ++a) {
      lower_at_[a] = a < first + left ? first + (first + left - 1 - a) : a;
    }
    automata_[h] = {p.first_sibling[h], static_cast<int>(grand_.size()), 0, true};
    // g -> h -> g is not listed and stays forbidden.
    grand_.resize(grand_.size() + static_cast<std::size_t>(end - first) *
                                      (p.first_into[h + 1] - p.first_into[h]),
                  kNone);
    double* grand = grand_.data() + automata_[h].grand;
    for (int i = p.first_grandparent[first]; i < p.first_grandparent[end]; ++i) {
      const auto [upper, lower] = p.grandparents[i];
      const int u = upper_at_[upper] - p.first_into[h], m = lower_at_[lower] - first;
      grand[u * (end - first) + m] = scores.grandparents[i];
    }
  }
  root_pairs_.assign(scores.siblings.begin(), scores.siblings.begin() + p.first_sibling[1]);
  if (!single_root_) return;
  for (int i = 0; i < p.first_sibling[1]; ++i) {
    if (p.siblings[i].inner >= 0 && p.siblings[i].outer >= 0) root_pairs_[i] = kNone;
  }
}

// Half to the tree, half to the automaton of the head: fewer rounds than with all in one place (on
// Dutch 24 a sentence instead of 28).
void Joint::split_scores() {
  const std::size_t arcs = parts_->arcs.size();
  tree_.resize(arcs);
  lower_.resize(arcs);
  upper_.assign(arcs, 0.0);
  for (std::size_t a = 0; a < arcs; ++a) {
    tree_[a] = lower_[lower_at_[a]] = scores_->arcs[a] / 2;
  }
}

void Joint::start(const Parts& parts, const PartScores& scores, bool single_root) {
  parts_ = &parts;
  scores_ = &scores;
  single_root_ = single_root;
  may_shrink_ = true;
  origin_.resize(parts.arcs.size());
  std::iota(origin_.begin(), origin_.end(), 0);
  lay_out();
  split_scores();
  average_.assign(parts.arcs.size(), 0.0);
  for (auto* words : {&heads_, &chosen_, &marks_}) words->assign(parts.words, -1);
  best_.clear();
  value_ = kNone;
  best_bound_ = std::numeric_limits<double>::infinity();
}

// Automata and answers for the parts in hand; their shares are still to be set.
void Joint::lay_out() {
  setup_automata(*scores_);
  const std::size_t arcs = parts_->arcs.size();
  for (auto* on : {&tree_on_, &lower_on_, &upper_on_}) on->assign(arcs, 0);
  for (auto* numbers : {&with_, &without_, &with_upper_}) numbers->resize(arcs);
  votes_.assign(arcs, 0.0);
  tree_stale_ = true;
}

// Where many arcs are gone for good, rounds go on without them: automata cost the square of theirs.
void Joint::shrink() {
  const Parts& p = *parts_;
  keep_.clear();
  for (int a = 0; a < static_cast<int>(p.arcs.size()); ++a) {
    if (alive(a)) keep_.push_back(a);
  }
  if (static_cast<double>(keep_.size()) > kFewer * static_cast<double>(p.arcs.size())) return;
  std::fill(marks_.begin(), marks_.end(), 0);
  for (const std::int32_t a : keep_) marks_[p.arcs[a].modifier - 1] = 1;
  if (std::count(marks_.begin(), marks_.end(), 0) > 0) return;  // no tree is left
  for (auto& numbers : old_) numbers.clear();
  for (std::size_t i = 0; i < keep_.size(); ++i) {
    const int a = keep_[i];
    old_[0].push_back(tree_[a]);
    old_[1].push_back(lower_[lower_at_[a]]);
    old_[2].push_back(upper_[upper_at_[a]]);
    old_[3].push_back(average_[a]);
    origin_[i] = origin_[a];
  }
  now_ = 1 - now_;
  restrict_parts(p, *scores_, keep_, fewer_[now_], fewer_scores_[now_]);
  parts_ = &fewer_[now_];
  scores_ = &fewer_scores_[now_];
  lay_out();
  for (auto* shares : {&tree_, &lower_, &upper_}) shares->resize(keep_.size());
  for (std::size_t a = 0; a < keep_.size(); ++a) {
    tree_[a] = old_[0][a];
    lower_[lower_at_[a]] = old_[1][a];
    upper_[upper_at_[a]] = old_[2][a];
  }
  std::swap(average_, old_[3]);
}

void Joint::solve_automaton(int h) {
  const Parts& p = *parts_;
  const int first = p.first_of_head[h], into = p.first_into[h];
  const HeadAutomaton a = view(h);
  std::int32_t upper;
  std::span<std::uint8_t> taken(lower_on_.data() + first, a.modifiers());
  automata_[h].value = best_modifiers(a, taken, upper, work_);
  automata_[h].stale = false;
  std::fill_n(upper_on_.begin() + into, a.uppers, 0);
  if (upper >= 0) upper_on_[into + upper] = 1;
}

// heads_ hang together, from one word at the root if so asked.
bool Joint::is_allowed_tree() {
  const int words = parts_->words;
  if (single_root_ && std::count(heads_.begin(), heads_.end(), 0) != 1) return false;
  std::fill(marks_.begin(), marks_.end(), 0);
  for (int m = 1; m <= words; ++m) {
    int x = m;
    while (x != 0 && marks_[x - 1] == 0) {
      marks_[x - 1] = m;
      x = heads_[x - 1];
    }
    if (x != 0 && marks_[x - 1] == m) return false;
  }
  return true;
}

bool Joint::tree_of_best_heads() {
  const Parts& p = *parts_;
  tree_value_ = 0;
  for (int m = 1; m <= p.words; ++m) {
    double top = kNone;
    int best = -1;
    for (int x = p.first_into[m]; x < p.first_into[m + 1]; ++x) {
      if (tree_[p.into[x]] > top) top = tree_[p.into[x]], best = p.into[x];
    }
    tree_value_ += top;
    if (best < 0) return true;  // no tree at all
    chosen_[m - 1] = best;
    heads_[m - 1] = p.arcs[best].head;
  }
  return is_allowed_tree();
}

void Joint::solve_tree() {
  const Parts& p = *parts_;
  tree_stale_ = false;
  if (!tree_of_best_heads()) {
    tree_value_ = best_sparse_arborescence(p, tree_, single_root_, chosen_, sparse_);
  }
  if (tree_value_ == kNone) return;
  std::fill(tree_on_.begin(), tree_on_.end(), 0);
  for (std::int32_t arc : chosen_) tree_on_[arc] = 1;
  offer(chosen_);
}

void Joint::offer(std::span<const std::int32_t> chosen) {
  double total = 0;
  for_each_part(
      *parts_, chosen, last_, [&](int i) { total += scores_->arcs[i]; },
      [&](int i) { total += scores_->siblings[i]; },
      [&](int i) { total += scores_->grandparents[i]; });
  if (!(total > value_)) return;
  value_ = total;
  best_.clear();
  for (const std::int32_t arc : chosen) best_.push_back(origin_[arc]);
}

// The tree that most of the averaged answers are for.
void Joint::offer_votes() {
  const Parts& p = *parts_;
  left_.resize(p.arcs.size());
  for (std::size_t a = 0; a < p.arcs.size(); ++a) {
    left_[a] = alive(static_cast<int>(a)) ? average_[a] : kNone;
  }
  if (best_sparse_arborescence(p, left_, single_root_, marks_, sparse_) == kNone) return;
  offer(marks_);
}

void Joint::offer_tree(std::span<const std::int32_t> heads) {
  for (int m = 1; m <= parts_->words; ++m) marks_[m - 1] = parts_->find(heads[m - 1], m);
  offer(marks_);
}

double Joint::evaluate() {
  if (tree_stale_) solve_tree();
  double bound = tree_value_;
  for (int h = 0; h <= parts_->words; ++h) {
    if (automata_[h].stale) solve_automaton(h);
    bound += automata_[h].value;
  }
  return bound;
}

SharedIndicators<3> Joint::copies() {
  return {{tree_.data(), lower_.data(), upper_.data()},
          {tree_on_.data(), lower_on_.data(), upper_on_.data()},
          {nullptr, lower_at_.data(), upper_at_.data()},
          static_cast<int>(votes_.size())};
}

// How far the three answers about each arc are from their mean, squared and summed.
double Joint::differences() {
  return copies().count(votes_.data()) * (2.0 / 3);  // 1 of 3 or 2 of 3: both 2/3
}

void Joint::step(double size) {
  const Parts& p = *parts_;
  copies().move(votes_.data(), size, [&](int a) {
    tree_stale_ = true;
    automata_[p.arcs[a].head].stale = automata_[p.arcs[a].modifier].stale = true;
  });
}

void Joint::forbid(int arc) {
  const Arc& a = parts_->arcs[arc];
  tree_[arc] = lower_[lower_at_[arc]] = upper_[upper_at_[arc]] = kNone;
  tree_stale_ = tree_stale_ || tree_on_[arc];
  automata_[a.head].stale = automata_[a.head].stale || lower_on_[lower_at_[arc]];
  automata_[a.modifier].stale = automata_[a.modifier].stale || upper_on_[upper_at_[arc]];
}

void Joint::require(int arc) {
  const Parts& p = *parts_;
  const int m = p.arcs[arc].modifier;
  for (int x = p.first_into[m]; x < p.first_into[m + 1]; ++x) {
    if (p.into[x] != arc && alive(p.into[x])) forbid(p.into[x]);
  }
}

void Joint::strike_out() {
  const Parts& p = *parts_;
  double bound = tree_value_;
  for (int h = 0; h <= p.words; ++h) {
    const HeadAutomaton a = view(h);
    const std::size_t first = p.first_of_head[h], size = a.modifiers();
    automaton_max_marginals(a, std::span(without_).subspan(first, size),
                            std::span(with_).subspan(first, size),
                            std::span(with_upper_).subspan(p.first_into[h], a.uppers), work_);
    bound += automata_[h].value;
  }
  const double floor = value_ + slack(value_) / 2;
  for (int m = 1; m <= p.words; ++m) {
    strike_out_of(
        p.first_into[m], p.first_into[m + 1], bound - floor,
        [&](int x) {
          const int arc = p.into[x];
          return alive(arc) ? automata_[p.arcs[arc].head].value - without_[lower_at_[arc]] : 0;
        },
        [&](int x, double lost) {
          const int arc = p.into[x];
          if (!alive(arc)) return kNone;
          return lost + (automata_[p.arcs[arc].head].value - with_[lower_at_[arc]]) +
                 (automata_[m].value - with_upper_[x]);
        },
        [&](int x) { forbid(p.into[x]); });
  }
}

int Joint::run(int limit) {
  steps_.start(kSteps);
  weight_ = 0;
  for (int round = 0; round < limit; ++round) {
    const double bound = evaluate();
    if (!steps_.next(bound, best_bound_)) return round + 1;
    const double square = bound == kNone ? 0 : differences();
    if (square == 0 || closed()) return round + 1;
    weight_ += 1;
    add_to_average(votes_.data(), 3, weight_, average_.data(), votes_.size());
    if (round % kVoteEvery == kVoteEvery - 1) offer_votes();
    if (closed()) return round + 1;
    const bool struck = round % kStrikeEvery == kStrikeFirst && value_ > kNone;
    if (struck) strike_out();
    step(steps_.size(bound, value_, square));
    if (struck && may_shrink_) shrink();
  }
  return limit;
}

void Joint::save(Node& node) {
  may_shrink_ = false;
  node.tree = tree_;
  node.lower = lower_;
  node.upper = upper_;
  node.bound = best_bound_;
}

void Joint::restore(const Node& node) {
  tree_ = node.tree;
  lower_ = node.lower;
  upper_ = node.upper;
  best_bound_ = node.bound;
  tree_stale_ = true;
  for (Automaton& a : automata_) a.stale = true;
}

int Joint::most_doubtful() const {
  const Parts& p = *parts_;
  int best = -1;
  double most = -1;
  for (int m = 1; m <= p.words; ++m) {
    int choices = 0;
    for (int x = p.first_into[m]; x < p.first_into[m + 1]; ++x) choices += alive(p.into[x]);
    if (choices < 2) continue;
    for (int x = p.first_into[m]; x < p.first_into[m + 1]; ++x) {
      const int arc = p.into[x];
      if (!alive(arc)) continue;
      const double doubt = std::min(average_[arc], 1 - average_[arc]);
      if (doubt > most) most = doubt, best = arc;
    }
  }
  return best;
}

}  // namespace entente::dependency
