// The second-order parser's own loop where arcs may cross: a tree and one automaton a head, made to
// agree by subgradient steps on the dual, with arcs struck out that no better tree can use. Trees
// without crossing arcs have a program of their own (oracle/projective.h).
//
//   Joint joint;                                    // one a thread: keeps its memory
//   joint.start(parts, scores, single_root);
//   joint.offer_tree(heads);                        // any tree, to start from: a good one saves
//   rounds joint.run(200);                                 // rounds if (joint.closed())
//   use(joint.chosen());        // proven: bound() is its value
//
// Each arc h -> m is seen three times: by the tree, by the automaton of h as a modifier, by the
// automaton of m as its upper. Its score is shared among the three; with any shares the sum of
// their best values is a bound on every tree, and where their answers agree they are the best tree
// (Rush and Collins 2012; Koo et al. 2010): engine/shared_indicators.h, with three copies. Steps are Polyak's, damped while the bound does not
// fall. Only automata whose shares changed are solved again.
//
// Striking out: what the automata would lose by taking arc h -> m, and by not taking the others
// into m, adds up, since they are different terms of the bound. An arc that brings the bound below
// the best tree known is in no better one and is forbidden from then on. This shrinks most problems
// to a few words in doubt, and often closes those where the relaxation itself is not tight. Once
// four of ten arcs are gone, rounds before any branching go on over what is left.
//
// Cost of a round: O(arcs) for the tree, and again the arcs into its cycles where the best head of
// each word is no tree yet; O(uppers * (left^2 + right^2)) a changed automaton; O(arcs).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/shared_indicators.h"
#include "oracle/head_automaton.h"
#include "oracle/sparse_arborescence.h"
#include "tasks/dependency/parts.h"

namespace entente::dependency {

// bound proves value to be the best, up to rounding (the engine's tolerance).
bool joint_closes(double bound, double value);

class Joint {
 public:
  void start(const Parts& parts, const PartScores& scores, bool single_root);
  void offer_tree(std::span<const std::int32_t> heads);
  // Rounds of the dual until closed or the limit; returns how many were run.
  int run(int limit);

  // Nothing allowed (but for struck-out arcs) is worth more than bound(); the best tree found so
  // far, of all runs since start(), is worth value(), -infinity if there is none.
  double bound() const { return best_bound_; }
  double value() const { return value_; }
  bool closed() const;
  // Arc into each word, of the parts given to start().
  std::span<const std::int32_t> chosen() const { return best_; }

  // ---- branching
  // What is to be put back to return to a node.
  struct Node {
    std::vector<double> tree, lower, upper;
    double bound;
  };
  void save(Node& node);
  void restore(const Node& node);
  int most_doubtful()
      const;  // an arc to branch on (from then on numbers stay what they are), -1 if none is left in doubt
  void forbid(int arc);   // takes effect with the next run
  void require(int arc);  // forbids the others into the same word

 private:
  struct Automaton {
    int pairs;  // first sibling score
    int grand;  // first in grand_
    double value;
    bool stale;
  };

  void setup_automata(const PartScores& scores);
  void split_scores();
  void solve_automaton(int h);
  void solve_tree();
  bool tree_of_best_heads();
  bool is_allowed_tree();
  void offer(std::span<const std::int32_t> chosen);
  void offer_votes();
  double evaluate();
  SharedIndicators<3> copies();
  double differences();
  void step(double size);
  void strike_out();
  void shrink();
  void lay_out();
  HeadAutomaton view(int h) const;
  bool alive(int arc) const;

  const Parts* parts_ = nullptr;
  const PartScores* scores_ = nullptr;
  // What is left once arcs were struck out for good, and its arcs as start() knew them; the parts
  // in hand are those of start() or fewer_[now_].
  Parts fewer_[2];
  PartScores fewer_scores_[2];
  int now_ = 1;
  bool may_shrink_ = true;
  std::vector<std::int32_t> origin_, keep_;
  std::vector<double> old_[4];  // shares and averages, by arc
  bool single_root_ = false;

  // Arrays over arcs are in the order of Parts but for lower_ and lower_on_, whose left sides are
  // turned round (away from the head), and upper_ and upper_on_, which are by modifier
  // (Parts::into).
  std::vector<std::int32_t> lower_at_, upper_at_;  // arc -> its place there
  std::vector<double> tree_, lower_, upper_;       // shares
  std::vector<std::uint8_t> tree_on_, lower_on_, upper_on_;
  std::vector<Automaton> automata_;
  std::vector<double> root_pairs_, grand_;
  std::vector<double> votes_, average_, left_;
  std::vector<std::int32_t> heads_, chosen_, best_, last_, marks_;
  std::vector<double> with_, without_, with_upper_;  // max-marginals; by lower_at_, upper_at_
  std::vector<double> work_;
  SparseTreeWorkspace sparse_;
  double tree_value_ = 0, value_ = 0, best_bound_ = 0, weight_ = 0;
  bool tree_stale_ = true;
  DampedSteps steps_;
};

}  // namespace entente::dependency
