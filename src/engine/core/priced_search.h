// Exact search for cores with rows and intervals: rows and the "one state a node" of nodes with
// intervals get prices, what remains is a choice per node and one weighted interval scheduling.
//
// For prices mu (rows) and lambda (nodes with intervals) the sum
//   sum_r mu_r b_r + sum_n max(lambda_n, best state without an interval) + schedule(score - mu -
//   lambda)
// is an upper bound; interval matrices are totally unimodular, so the best prices reach the bound
// of the linear relaxation while working with a few dozen numbers. Prices follow a bundle method
// (bundle.h); states whose forward-backward bound falls to the incumbent are closed; the
// search branches on whether a node takes an interval at all before it asks which.
//
// Cost: one pass over the open entries an iteration. No allocation once warm.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/core/alike_columns.h"
#include "engine/core/bundle.h"
#include "engine/core/conflict_search.h"
#include "engine/core/core.h"
#include "engine/core/core_lp.h"
#include "engine/core/value_grid.h"
#include "engine/limits.h"

namespace entente {

// Rows over states, and which rows a state and a node are in.
struct PricedRows {
  std::vector<Core::Row> rows;
  std::vector<std::int32_t> row_state;
  std::vector<double> row_coefficient;
  std::vector<std::int32_t> state_row_begin, state_row, node_row_begin, node_row;
  std::vector<double> state_coefficient;  // beside state_row
  std::vector<std::int32_t> most_in_row;  // of each node: states in one row, at most
  std::vector<std::int32_t> row_states;   // states that are in a row
  // Rows with many entries, whose sums are kept up to date: most of the time they say nothing, and
  // that is seen without going through them.
  struct Wide {
    double least, most;  // that the sum may be, up to rounding
    double widest;       // no node moves it by more
    double size;         // of all its numbers
  };
  std::vector<Wide> wide;
  std::vector<std::int32_t> wide_of;          // of each row: which of them, or -1
  std::vector<std::int32_t> node_wide_begin;  // of each node: where it stands in them
  std::vector<std::pair<std::int32_t, std::int32_t>> node_wide;  // row, first entry
  // One side of a row, as cuts are made of it (priced_cuts.h): its nodes, and what their states are
  // worth above the least of them.
  struct SideNode {
    std::int32_t begin, end;  // into side_entry
    double most, taken;       // of its states; by their shares
    double worth, share;      // of its states in a cover
    bool in = false;
  };
  struct SideEntry {
    std::int32_t state;
    double worth;
  };
  std::vector<SideNode> side;
  std::vector<SideEntry> side_entry;
  std::vector<std::pair<std::int32_t, double>> side_row;  // the cut being written
};

// Rows added up and rounded (priced_rounding.h).
struct PricedSums {
  std::vector<double> activity, times, side_room, divisors;  // of rows
  std::vector<std::uint8_t> soft, kept_rows;
  std::vector<double> sum;           // of each state
  std::vector<std::uint8_t> in_sum;  // likewise
  std::vector<std::int32_t> sum_states, sum_nodes, nothing;
  struct Times {
    std::int32_t row, side;
    double times;
  };
  struct Rounded {  // a cut that could be added
    double depth, upper;
    std::int32_t begin, end, times_begin, times_end, nothing_begin, nothing_end;
  };
  std::vector<Rounded> rounded;
  std::vector<Times> rounded_times;
  std::vector<std::pair<std::int32_t, double>> rounded_entry;
  std::vector<std::int32_t> rounded_nothing, packed_state, fractional;
  std::vector<double> packed_coefficient;
};

// Distinct intervals ("slots") and the schedule over them.
struct PricedSlots {
  std::vector<std::int32_t> plain_begin, plain;  // states without an interval, by node
  std::vector<std::int32_t> slot;                // of each state: its distinct interval, -1 none
  std::vector<Interval> slots;                   // distinct intervals by end
  std::vector<std::int32_t> before;              // how many slots end at or before this one's begin
  std::vector<std::int32_t> by_begin;            // slots in order of begin
  std::vector<std::int32_t> after;               // the first of by_begin at or after this one's end
  std::vector<std::int32_t> slot_begin, slot_state;
  // What the schedule reads of the states of each slot, four at a time: the last four of a slot are
  // filled up with entries that are worth nothing.
  std::vector<std::int32_t> entry_begin;  // of each slot, a multiple of four
  std::vector<double> entry_weight;       // -infinity: closed
  std::vector<std::int32_t> entry_node, entry_state;
  std::vector<std::int32_t> entry_of;  // of each state; one place for all that have none
  std::vector<double> slot_weight, forward, backward;
  std::vector<std::int32_t> last;  // of the schedule of the first k slots: its last slot, or -1
  std::vector<double> tail;        // the best schedule of the slots from the i-th begin on
};

// Which states are open, with a trail to undo.
struct PricedOpen {
  std::vector<std::uint8_t> alive;
  std::vector<std::int32_t> list_begin, list;  // states by node, without those closed for good
  std::vector<std::int32_t> open, trail, queue;
  std::vector<std::uint8_t> queued;
};

// Prices, and what the relaxation takes at them.
struct PricedPrices {
  std::vector<double> mu, lambda;  // of rows, of nodes
  std::vector<double> weight;      // of each state: its score less the prices of its rows
  std::vector<double> floor;       // of each node: its best state without an interval
  std::vector<std::int32_t> floor_state, picks, pick_of;
  std::vector<double> point, slope;  // prices of nodes then rows, and the gradient there
  Bundle bundle;
  std::vector<std::vector<std::int32_t>> plane_picks;  // the relaxed solution behind each plane
  std::vector<double> share;                           // the averaged relaxed solution
  std::vector<double> off;    // 1 - share of a node's states with an interval
  std::vector<double> saved;  // prices of the open levels of the search
};

// The answers: dives for one, and the best.
struct PricedDives {
  std::vector<double> dive_lambda, gain;
  std::vector<std::int32_t> dive_picks, best;
  std::vector<double> before_mu, before_lambda,
      before_share;  // what a dive by the simplex method changes
};

// The simplex method, where prices converge too slowly, and what branching has gained so far.
struct PricedLp {
  CoreLp lp;
  struct Gain {
    double sum[2] = {0, 0};  // of the bound, a unit of share; where it was closed, where taken
    std::int32_t count[2] = {0, 0};
  };
  std::vector<Gain> gains;  // of each state, then of each node (whether it takes an interval)
  struct Candidate {
    std::int32_t what;
    double share, score;
  };
  std::vector<Candidate> candidates;
  std::vector<std::vector<std::uint8_t>> basis;  // of each depth: where its relaxation ended
  std::vector<double> kept_mu, kept_lambda;
  std::vector<double> root_mu, root_lambda;  // to begin again with, and for proofs of what was not
                                             // looked into
  std::vector<std::pair<std::int32_t, std::int32_t>> row_names;  // factor and part, before a tree
};

struct PricedScratch : PricedRows,
                       PricedSums,
                       PricedSlots,
                       PricedOpen,
                       PricedPrices,
                       PricedDives,
                       PricedLp {
  std::vector<std::int32_t> order, counts, scratch;  // of sorting
  AlikeFinder* alike = nullptr;                      // null: not asked for
  GridFinder* grids = nullptr;                       // null: values may be anything
  double beside = 0;  // the size of what is added to the core's totals elsewhere
  std::vector<std::vector<std::int32_t>> columns;           // that may change places, as states
  std::unordered_map<std::int32_t, std::int32_t> state_of;  // of their variables
  std::vector<std::int32_t> places;
};

// From this size on the simplex method is asked where there are no intervals.
inline constexpr int kLpStates = 40;

struct PricedAnswer {
  double value = -kInfinity;  // of `chosen`; -infinity if nothing above the cutoff was found
  double bound = kInfinity;
  bool gave_up = false;  // a limit of effort, not of the caller
};

// Looks for an answer worth more than `cutoff`. With may_shrink, returns SearchResult::shrunk
// instead of branching once the root has closed a good part of the states: ws.alive says what is
// left.
SearchResult search_priced(const Core& core, const Limits& limits, std::int64_t node_limit,
                           double cutoff, bool may_shrink, PricedScratch& ws,
                           std::vector<std::int32_t>& chosen, PricedAnswer& answer,
                           std::int64_t& nodes, std::int64_t& iterations,
                           Recorder* record = nullptr);

}  // namespace entente
