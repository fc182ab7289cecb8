// Exact search for pairwise problems (what is open of a Pairwise): message passing for the bound,
// closing of states by reduced cost, then depth-first search.
//
// Every table entry is shared out between the two nodes ("handshake" updates of Tourani et al.
// 2018, MPLP++) so that tables end up at most 0 and  sum_i max_s unary_i(s)  bounds every
// assignment. Small problems are then searched with that bound kept up to date by adding one table
// row a step; what that does not finish, by soft arc consistency (pairwise_tree.h).
//
// Cost: one pass is (number of tables) * (product of their sizes). No allocation once warm.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/conflict_search.h"
#include "engine/core/pairwise.h"
#include "engine/core/pairwise_regions.h"
#include "engine/core/pairwise_tree.h"
#include "engine/core/pairwise_walk.h"
#include "engine/core/value_grid.h"
#include "engine/limits.h"

namespace entente {

struct PairwiseScratch {
  using Edge = PairwiseView::Edge;
  // The open part, renumbered
  std::vector<std::int32_t> node, local;  // local -> Pairwise node, and back
  std::vector<std::uint8_t> joint;        // of each local node; empty if there is none
  std::vector<std::int32_t> begin;        // first state of each local node
  std::vector<std::int32_t> state;        // original local state index of each state
  std::vector<double> unary;
  std::vector<Edge> edges;
  std::vector<double> table;                  // what the tables hold after sharing out
  std::vector<std::int32_t> arc_begin, arcs;  // half-edges of each node: 2 * edge + side
  std::vector<double> penalty;                // 0: open; far below zero: closed
  std::vector<std::uint8_t> keep;
  // Where tables are nodes (pairwise_stars.h)
  struct Star {
    std::int32_t node, begin, end;  // links
  };
  struct StarLink {
    std::int32_t edge, node;            // a neighbour
    std::int32_t states;                // into star_state: which of its states each state allows
    std::int32_t own_step, other_step;  // in the edge's table
  };
  std::vector<Star> stars;
  std::vector<StarLink> star_links;
  std::vector<std::int32_t> star_state, star_of_edge, visits;  // visits: edges, and ~star
  std::vector<std::uint8_t> star_seen;
  std::vector<double> star_rest, star_peak, star_gave;
  // Search
  std::vector<std::int32_t> assigned, best, order;
  std::vector<double> current, save;
  // For proofs: what each table has taken from the states of its two nodes, and where that stands
  std::vector<double> message;
  std::vector<double> written;  // messages of the last price of a proof
  std::vector<std::int32_t> message_begin;
  // For regions: what a supposition is taken back to, one a level; and what a proof calls them
  struct Saved {
    std::vector<std::int32_t> begin, state;
    std::vector<double> unary, table, penalty, message;
    std::vector<Edge> edges;
  };
  std::vector<Saved> saved;
  bool deep = false;  // the last search moved prices in its tree, or between regions
  // Asked for: to end where a plain search does not, or to begin there. ended: it was so.
  enum class Part : std::uint8_t { all, plain, deep } part = Part::all;
  bool ended = false;
  std::vector<std::int32_t> region_id, hopeless;
  PairwiseRegions regions;
  PairwiseTree tree;
  PairwiseWalk walk;
  GridFinder* grids = nullptr;  // null: values may be anything
  double beside = 0;            // the size of what is added to the totals elsewhere
};

struct PairwiseFound {
  double value = -kInfinity, bound = kInfinity;
  std::int64_t nodes = 0, passes = 0;
};

// Fills chosen (local state of every open node of p; others untouched).
SearchResult search_pairwise(const Pairwise& p, const Limits& limits, std::int64_t node_limit,
                             PairwiseScratch& ws, std::vector<std::int32_t>& chosen,
                             PairwiseFound& found, const Core* core = nullptr,
                             Recorder* record = nullptr);

// The same without the cheaper searches that come first: what they leave, of any size.
SearchResult search_by_regions(const Pairwise& p, const Limits& limits, std::int64_t node_limit,
                               PairwiseScratch& ws, std::vector<std::int32_t>& chosen,
                               PairwiseFound& found, const Core* core = nullptr,
                               Recorder* record = nullptr);

}  // namespace entente
