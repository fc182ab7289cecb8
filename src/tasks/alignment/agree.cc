#include "tasks/alignment/agree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "entente/error.h"

namespace entente::alignment {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kGap = 1e-6;  // scores that differ by less are equal

}  // namespace

void AgreeSolver::begin(const HmmScores& forward, const HmmScores& backward,
                        const AgreeOptions& options) {
  scores_[0] = forward;
  scores_[1] = backward;
  options_ = options;
  n_ = forward.sources;
  m_ = forward.targets;
  ENTENTE_CHECK(backward.sources == m_ && backward.targets == n_);
  const std::size_t cells = static_cast<std::size_t>(n_) * m_;
  prices_.assign(cells, 0);
  state_.assign(cells, kFree);
  differed_.assign(cells, 0);
  joined_.resize(cells);
  for (int d = 0; d < 2; ++d) {
    links_[d].resize(cells);
    emission_[d].resize(cells);
    null_[d].resize(scores_[d].targets);
    places_[d].resize(scores_[d].targets);
    repaired_[d].resize(scores_[d].targets);
  }
}

void AgreeSolver::set_states(const std::vector<std::pair<std::int32_t, bool>>& fixed) {
  std::fill(state_.begin(), state_.end(), kFree);
  for (const auto& [c, on] : fixed) {
    state_[c] = on ? kOn : kOff;
    prices_[c] = 0;
  }
}

// The best of one direction under the prices, with the links it puts into c.
double AgreeSolver::maximize(int d) {
  const int sources = scores_[d].sources, targets = scores_[d].targets;
  const double sign = d == 0 ? 1 : -1, near = options_.near;
  const std::size_t by_source = d == 0 ? m_ : 1, by_target = d == 0 ? 1 : m_;
  // What the cell beside a place adds, and whether it is taken.
  const auto beside = [&](std::size_t c) {
    if (state_[c] == kOff) return 0.0;
    if (state_[c] == kOn) return near;
    return std::max(0.0, sign * prices_[c] + near);
  };
  for (int t = 0; t < targets; ++t) {
    const std::size_t row = static_cast<std::size_t>(t) * sources, column = t * by_target;
    int first_on = sources, last_on = -1;
    for (int s = 0; s < sources; ++s) {
      if (state_[s * by_source + column] == kOn) {
        first_on = std::min(first_on, s);
        last_on = s;
      }
    }
    null_[d][t] = last_on >= 0 ? kNever : scores_[d].null_emission[t];
    for (int s = 0; s < sources; ++s) {
      const std::size_t c = s * by_source + column;
      double value = kNever;
      if (state_[c] != kOff && s >= last_on - 1 && s <= first_on + 1) {
        value = scores_[d].emission[row + s] + sign * prices_[c];
        if (s > 0) value += beside(c - by_source);
        if (s + 1 < sources) value += beside(c + by_source);
      }
      emission_[d][row + s] = value;
    }
  }
  HmmScores priced = scores_[d];
  priced.emission = emission_[d].data();
  priced.null_emission = null_[d].data();
  const double value = hmm_viterbi(priced, places_[d], work_);
  std::fill(links_[d].begin(), links_[d].end(), 0);
  if (value == kNever) return value;
  for (int t = 0; t < targets; ++t) {
    const int s = places_[d][t];
    if (s < 0) continue;
    const std::size_t c = s * by_source + t * by_target;
    links_[d][c] = 1;
    if (s > 0 && beside(c - by_source) != 0) links_[d][c - by_source] = 1;
    if (s + 1 < sources && beside(c + by_source) != 0) links_[d][c + by_source] = 1;
    // near = 0 would leave it open whether a cell decided to be on is taken
    if (s > 0 && state_[c - by_source] == kOn) links_[d][c - by_source] = 1;
    if (s + 1 < sources && state_[c + by_source] == kOn) links_[d][c + by_source] = 1;
  }
  return value;
}

AgreeSolver::Bound AgreeSolver::bound() {
  const double a = maximize(0);
  const double b = a == kNever ? kNever : maximize(1);
  if (a == kNever || b == kNever) return {kNever, false};
  return {a + b, links_[0] == links_[1]};
}

// Offers the two directions with c as the alignment they agree on.
void AgreeSolver::offer(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b,
                        const std::vector<std::int8_t>& c) {
  int added = 0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    const int i = static_cast<int>(k) / m_, j = static_cast<int>(k) % m_;
    if (c[k]) added += (a[j] != i) + (b[i] != j);
  }
  if (added > 0 && options_.near == kNever) return;
  const double value =
      hmm_score(scores_[0], a) + hmm_score(scores_[1], b) + (added ? added * options_.near : 0);
  if (value <= result_.value) return;
  result_.value = value;
  result_.places[0] = a;
  result_.places[1] = b;
  best_links_ = c;
}

// From the two directions as they are to a pair that agrees: links the other one does not support
// go.
void AgreeSolver::repair() {
  std::vector<std::int32_t>&a = repaired_[0], &b = repaired_[1];
  a = places_[0];
  b = places_[1];
  const int reach = options_.near == kNever ? 0 : 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (int j = 0; j < m_; ++j) {
      if (a[j] >= 0 && (b[a[j]] < 0 || std::abs(b[a[j]] - j) > reach)) a[j] = -1, changed = true;
    }
    for (int i = 0; i < n_; ++i) {
      if (b[i] >= 0 && (a[b[i]] < 0 || std::abs(a[b[i]] - i) > reach)) b[i] = -1, changed = true;
    }
  }
  std::fill(joined_.begin(), joined_.end(), 0);
  for (int j = 0; j < m_; ++j) {
    if (a[j] >= 0) joined_[cell(a[j], j)] = 1;
  }
  for (int i = 0; i < n_; ++i) {
    if (b[i] >= 0) joined_[cell(i, b[i])] = 1;
  }
  // Cells that are decided must stay as decided.
  for (std::size_t c = 0; c < state_.size(); ++c) {
    if (state_[c] != kFree && joined_[c] != (state_[c] == kOn)) return;
  }
  offer(a, b, joined_);
}

// Moves the prices until the node is closed (true) or its rounds are over.
bool AgreeSolver::search(Node& node, int rounds) {
  set_states(node.fixed);
  std::fill(differed_.begin(), differed_.end(), 0);
  best_prices_ = prices_;
  double best = node.bound, share = 1;
  int since = 0;
  for (int round = 0; round < rounds; ++round) {
    ++result_.rounds;
    const Bound now = bound();
    if (now.value < best) {
      best = now.value;
      best_prices_ = prices_;
      since = 0;
    } else if (++since >= 4) {
      share *= 0.6;
      since = 0;
    }
    node.bound = best;
    if (now.value == kNever) return true;
    if (now.agreed) {
      offer(places_[0], places_[1], links_[0]);
    } else {
      repair();
    }
    if (best <= result_.value + kGap) return true;
    if (now.agreed) break;  // equal up to rounding: only branching could tell
    int apart = 0;
    for (std::size_t c = 0; c < prices_.size(); ++c) {
      if (links_[0][c] != links_[1][c]) ++apart, ++differed_[c];
    }
    // Polyak's step: the gap that the best pair so far leaves, over the squared gradient.
    const double gap = result_.value == kNever ? 1 : now.value - result_.value;
    const float step = static_cast<float>(share * std::max(gap, kGap) / apart);
    for (std::size_t c = 0; c < prices_.size(); ++c) {
      prices_[c] -= step * static_cast<float>(links_[0][c] - links_[1][c]);
    }
  }
  return false;
}

// The free cell that the directions quarrelled about most.
int AgreeSolver::split_cell() const {
  int most = -1;
  for (std::size_t c = 0; c < state_.size(); ++c) {
    if (state_[c] != kFree) continue;
    if (most < 0 || differed_[c] > differed_[most]) most = static_cast<int>(c);
  }
  return most;
}

AgreeResult AgreeSolver::solve(const HmmScores& forward, const HmmScores& backward,
                               const AgreeOptions& options, std::vector<AgreeLeaf>* proof,
                               std::span<const std::pair<std::int32_t, bool>> fixed) {
  begin(forward, backward, options);
  result_ = {};
  result_.value = kNever;
  if (proof) proof->clear();
  constexpr double kOpen = std::numeric_limits<double>::infinity();
  std::vector<Node> open;
  open.push_back({{fixed.begin(), fixed.end()}, prices_, kOpen});
  double left = kNever;  // the best bound of what is not closed
  while (!open.empty()) {
    Node node = std::move(open.back());
    open.pop_back();
    prices_ = node.prices;
    const bool root = result_.nodes == 0;
    ++result_.nodes;
    bool closed = node.bound <= result_.value + kGap;
    if (!closed) {
      closed = search(node, root ? options.rounds : std::max(10, options.rounds / 4));
      node.prices = best_prices_;
    }
    const int at = closed || result_.nodes >= options.nodes ? -1 : split_cell();
    if (at >= 0) {
      for (const bool on : {false, true}) {
        Node child = node;
        child.fixed.emplace_back(at, on);
        open.push_back(std::move(child));
      }
      continue;
    }
    if (!closed) left = std::max(left, node.bound);
    if (proof) proof->push_back({std::move(node.fixed), std::move(node.prices)});
  }
  result_.optimal = left <= result_.value + kGap && result_.value > kNever;
  result_.bound = std::max(left, result_.value);
  if (result_.value > kNever) {
    for (std::size_t c = 0; c < best_links_.size(); ++c) {
      if (best_links_[c]) {
        result_.links.push_back({static_cast<int>(c) / m_, static_cast<int>(c) % m_});
      }
    }
  }
  return std::move(result_);
}

double check_agreement(const HmmScores& forward, const HmmScores& backward,
                       const AgreeOptions& options, std::span<const AgreeLeaf> proof) {
  // Leaves cover everything if, walking down by their cells in order, every split has both sides.
  double covered = 0;
  double best = kNever;
  AgreeSolver solver;
  solver.begin(forward, backward, options);
  for (const AgreeLeaf& leaf : proof) {
    if (leaf.prices.size() != solver.prices_.size())
      throw Error("a leaf has prices of another pair");
    for (const auto& [c, on] : leaf.fixed) {
      if (c < 0 || c >= static_cast<int>(solver.prices_.size())) {
        throw Error("a leaf decides a cell that is not there");
      }
    }
    // Two leaves that decide no cell differently would overlap; disjoint ones of sizes that sum to
    // one cover everything.
    for (const AgreeLeaf& other : proof) {
      if (&other == &leaf) break;
      const bool apart = std::any_of(leaf.fixed.begin(), leaf.fixed.end(), [&](const auto& x) {
        return std::any_of(other.fixed.begin(), other.fixed.end(), [&](const auto& y) {
          return x.first == y.first && x.second != y.second;
        });
      });
      if (!apart) throw Error("two leaves overlap");
    }
    std::vector<std::int32_t> cells;
    for (const auto& [c, on] : leaf.fixed) cells.push_back(c);
    std::sort(cells.begin(), cells.end());
    if (std::adjacent_find(cells.begin(), cells.end()) != cells.end()) {
      throw Error("a leaf decides a cell twice");
    }
    covered += std::ldexp(1.0, -static_cast<int>(cells.size()));
    solver.prices_ = leaf.prices;
    solver.set_states(leaf.fixed);
    best = std::max(best, solver.bound().value);
  }
  if (covered < 1) throw Error("the leaves do not cover everything");
  return best;
}

}  // namespace entente::alignment
