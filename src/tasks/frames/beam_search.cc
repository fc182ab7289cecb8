#include "tasks/frames/beam_search.h"

#include <algorithm>
#include <limits>

#include "tasks/frames/row_max.h"

namespace entente::frames {

// Choices have few arguments, so that walking along them is cheaper than keeping what they cover.
bool BeamSearch::overlaps(const ArgumentProblem& problem, int link, const Span& span) const {
  for (; link >= 0; link = links_[link].before) {
    if (problem.spans[links_[link].span].overlaps(span)) return true;
  }
  return false;
}

void BeamSearch::keep_best(int width) {
  if (static_cast<int>(extensions_.size()) <= width) return;
  std::nth_element(extensions_.begin(), extensions_.begin() + (width - 1), extensions_.end(),
                   better);
  extensions_.resize(width);
}

// All states with the role left empty, and with every span that beats what is dropped for it.
void BeamSearch::extend(const ArgumentProblem& problem, int role, float best, int width,
                        bool overlap) {
  const std::size_t spans = problem.spans.size();
  const float* row = problem.scores.data() + static_cast<std::size_t>(role) * spans;
  const std::size_t room = std::max<std::size_t>(2 * static_cast<std::size_t>(width), 64);
  extensions_.clear();
  for (std::size_t i = 0; i < states_.size(); ++i)
    extensions_.push_back({states_[i].value, static_cast<int>(i), -1});
  double least = static_cast<int>(states_.size()) >= width
                     ? states_.back().value
                     : -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const double base = states_[i].value;
    if (base + best <= least) break;  // states are sorted
    for (std::size_t s = 0; s < spans; ++s) {
      const double value = base + row[s];
      if (value <= least) continue;
      if (overlap && overlaps(problem, states_[i].link, problem.spans[s])) continue;
      extensions_.push_back({value, static_cast<int>(i), static_cast<int>(s)});
      if (extensions_.size() < room) continue;
      keep_best(width);
      least = extensions_[width - 1].value;  // nth_element put the last of the best there
    }
  }
  keep_best(width);
  std::sort(extensions_.begin(), extensions_.end(), better);
}

void BeamSearch::step(int role) {
  next_states_.clear();
  for (const Extension& e : extensions_) {
    State state{e.value, states_[e.state].link};
    if (e.span >= 0) {
      links_.push_back({state.link, role, e.span});
      state.link = static_cast<int>(links_.size()) - 1;
    }
    next_states_.push_back(state);
  }
  states_.swap(next_states_);
}

void BeamSearch::solve(const ArgumentProblem& problem, int width, bool overlap,
                       ArgumentDecision& out) {
  const std::size_t spans = problem.spans.size();
  states_.assign(1, {0.0, -1});
  links_.clear();
  out.bound = 0;
  for (std::size_t role = 0; role < problem.roles.size(); ++role) {
    const float best = row_max(problem.scores.data() + role * spans, spans);
    if (best > 0) out.bound += best;
    if (static_cast<int>(states_.size()) >= width &&
        states_.front().value + best <= states_.back().value)
      continue;
    extend(problem, static_cast<int>(role), best, width, overlap);
    step(static_cast<int>(role));
  }
  out.span_of.assign(problem.roles.size(), -1);
  out.value = states_.front().value;
  for (int link = states_.front().link; link >= 0; link = links_[link].before)
    out.span_of[links_[link].role] = links_[link].span;
}

}  // namespace entente::frames
