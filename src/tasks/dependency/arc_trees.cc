#include "tasks/dependency/arc_trees.h"

#include <algorithm>
#include <limits>

namespace entente::dependency {

namespace {
constexpr double kNone = -std::numeric_limits<double>::infinity();
}

void ArcTrees::start(const Parts& parts, const PartScores& scores, const DecodeOptions& options,
                     double weight) {
  parts_ = &parts;
  options_ = options;
  own_ = scores;
  for (std::vector<double>* list : {&own_.arcs, &own_.siblings, &own_.grandparents}) {
    for (double& x : *list) x *= weight;
  }
  arcs_ = own_.arcs;
}

double ArcTrees::maximize(std::span<const double> prices, std::span<std::uint8_t> on) {
  for (std::size_t a = 0; a < arcs_.size(); ++a) own_.arcs[a] = arcs_[a] + prices[a];
  const Decoded d = decoder_.decode(*parts_, own_, options_);
  std::fill(on.begin(), on.end(), std::uint8_t{0});
  if (static_cast<int>(d.heads.size()) != parts_->words) return kNone;
  for (int m = 1; m <= parts_->words; ++m) on[parts_->find(d.heads[m - 1], m)] = 1;
  return d.bound;  // where it is not proven, still no less than the best
}

void ArcTrees::build_problem(Graph& out) const {
  PartScores plain = own_;
  plain.arcs = arcs_;
  build(*parts_, plain, options_, out);
}

bool ArcTrees::heads_of(std::span<const std::uint8_t> on, std::vector<std::int32_t>& heads) const {
  heads.assign(parts_->words, -1);
  for (std::size_t a = 0; a < on.size(); ++a) {
    if (on[a]) heads[parts_->arcs[a].modifier - 1] = parts_->arcs[a].head;
  }
  return std::find(heads.begin(), heads.end(), -1) == heads.end();
}

double ArcTrees::score(std::span<const std::uint8_t> on) {
  if (std::count(on.begin(), on.end(), 1) != parts_->words || !heads_of(on, heads_)) return kNone;
  if (options_.single_root && std::count(heads_.begin(), heads_.end(), 0) != 1) return kNone;
  // A tree: every word reaches the root, and where they may not, no two arcs cross.
  const int n = parts_->words;
  for (int m = 1; m <= n; ++m) {
    int at = m;
    for (int steps = 0; at != 0 && steps <= n; ++steps) at = heads_[at - 1];
    if (at != 0) return kNone;
  }
  for (int m = 1; options_.projective && m <= n; ++m) {
    const int low = std::min(m, heads_[m - 1]), high = std::max(m, heads_[m - 1]);
    for (int k = low + 1; k < high; ++k) {
      if (heads_[k - 1] < low || heads_[k - 1] > high) return kNone;
    }
  }
  own_.arcs = arcs_;
  return score_of(*parts_, own_, heads_);
}

}  // namespace entente::dependency
