// Depth-first search of a pairwise problem over soft arc consistency (soft_arcs.h): on small domains
// under heavy tables (weighted degrees, last conflict); wide domains are cut in two.
//
//   PairwiseTree tree;  // kept, so that nothing is allocated once warm
//   const auto answer = tree.search(view, goal, limits, node_limit, chosen, log);
//
// Cost: exponential at worst; a step as soft_arcs.h says.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/soft_arcs.h"
#include "engine/limits.h"

namespace entente {

class PairwiseTree {
 public:
  struct Answer {
    bool stopped = false;  // by a limit
    double best = 0;       // PairwiseGoal::best if nothing better was found
    double bound = 0;      // of what was not looked into, if stopped
    std::int64_t nodes = 0;
  };

  // chosen: local state of every node, written if something better was found. work_limit: how many
  // pairs of states may be looked at, about, if more than some thousand nodes were; it goes on beyond
  // as long as what it has done of all there is (each choice halves it) promises an end before long.
  Answer search(const PairwiseView& view, const PairwiseGoal& goal, const Limits& limits,
                std::int64_t node_limit, std::span<std::int32_t> chosen, PairwiseLog* log,
                std::int64_t work_limit = INT64_MAX);

 private:
  void visit(double share);
  bool promising() const;
  bool too_much() const;
  void leave();
  int pick() const;
  void choose_side(int n);  // into side_: states to suppose
  void descend(int n, double share);
  void keep_assignment();

  static constexpr std::int64_t kLeastNodes = 2000;  // whatever work they are
  static constexpr double kPatience = 1e9;           // work for all of it
  static constexpr int kDeepest = 5000;  // of the recursion: beyond, best and bound are returned
  static constexpr int kCutFrom = 11;    // domains from this size on are cut in two
  SoftArcs arcs_;
  PairwiseView view_;
  PairwiseGoal goal_;
  Answer answer_;
  std::span<std::int32_t> chosen_;
  const Limits* limits_ = nullptr;
  std::int64_t node_limit_ = 0, work_limit_ = 0;
  PairwiseLog* log_ = nullptr;
  std::vector<std::int32_t> assigned_, side_, others_;
  std::vector<std::int32_t> taken_;  // the sides that are being looked into, one after the other
  double done_ = 0;                  // of all there is
  int depth_ = 0, last_conflict_ = -1;
};

}  // namespace entente
