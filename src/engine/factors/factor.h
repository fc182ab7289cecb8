// What a factor can do, for every Shape: the only place that knows what the shapes mean.
//
//   FactorScratch scratch;
//   double best = maximize(view, scores, clamp, config, scratch);
//
// Everything here is in *literal space*: scores[l], clamp[l] and config[l] speak of links[l] being
// true, whether or not it is negated. A caller holding variable scores converts: a negated link of
// a variable worth c has score -c and leaves a constant c.
//
// clamp: empty, or one entry a link: -1 free, 0 or 1 the literal's forced value. A clamped factor
// is the factor restricted to the configurations that agree; it may be empty, and then maximize
// returns -infinity.
//
// Soft factors (finite cost) allow every configuration and score -cost for the broken ones. Table
// and structured factors add their own scores. "Value" always includes both.
//
// Cost: maximize and project O(k) to O(k log k) for the simple shapes, an active set over maximize
// for table, disjoint, structured and soft ones. No heap allocation once the scratch is warm.
// Thread-safe with one scratch a thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "entente/graph.h"

namespace entente {

struct FactorScratch {
  StructuredScratch structured;
  // Nothing in these outlives a call. Each algorithm has its own.
  struct Table {
    std::vector<double> worth;        // of each state of each axis, one axis after the other
    std::vector<std::int32_t> begin;  // where an axis begins in it
    std::vector<std::int32_t> state;  // of each axis, at the entry at hand
    std::vector<double> before;       // what the states of the axes before one are worth
    std::vector<double> best;         // value with each state
  } table;
  struct Disjoint {
    std::vector<std::int32_t> links, ends;        // the intervals: begins, then ends
    std::vector<std::int32_t> at_place, next;     // lists of intervals, or counts, by place
    std::vector<std::uint8_t> marked;             // clamped to 1, or on the best path
    std::vector<double> before, after, crossing;  // best totals around a place
  } disjoint;
  struct Free {  // of a clamped factor's projection: the literals that are free
    std::vector<std::int32_t> link;
    std::vector<double> target, answer, coefficient;
  } free;
  struct Flips {  // sets of flips by loss: the last of each, the set before it
    std::vector<std::int32_t> last, before, heap;
    std::vector<double> loss;
  } flips;
  std::vector<std::int32_t> order;     // literals by score
  std::vector<double> prefix;          // sums of them
  std::vector<double> pushed;          // scores in which clamped literals outweigh all others
  std::vector<double> breaks;          // where a projected row changes its slope
  std::vector<double> cosines, sines;  // rotations of the active set
  std::vector<std::int32_t> chosen, chosen_links;  // by the search of a linear row
  struct Flip {
    double move, loss, rate;
    std::int32_t link;
  };
  std::vector<Flip> up, down;
  // Nodes that the search of a linear row may look at before something of known cost takes over.
  long row_nodes = 100000;
  // What stands around such a call: the soft wrapper, the active set, the generic max-marginals.
  std::vector<double> shifted, gradient, solved, right;
  std::vector<std::int8_t> clamp;
  std::vector<std::uint8_t> other, fresh;
};

// The best configuration and its value; -infinity if none is allowed. Ties go to the lowest index.
double maximize(const FactorView& factor, std::span<const double> scores,
                std::span<const std::int8_t> clamp, std::span<std::uint8_t> config,
                FactorScratch& scratch);

// Value of a configuration without the scores passed to maximize: 0 for an unbroken plain rule,
// -cost for a broken soft one, a table's or structured factor's own score; -infinity if not
// allowed.
double own_score(const FactorView& factor, std::span<const std::uint8_t> config);

// Is the rule unbroken (for tables: is the configuration not forbidden)?
bool allowed(const FactorView& factor, std::span<const std::uint8_t> config);

// Best value over the configurations in which literal l is 0 (zero[l]) and 1 (one[l]); -infinity
// where there is none.
void max_marginals(const FactorView& factor, std::span<const double> scores,
                   std::span<const std::int8_t> clamp, std::span<double> zero,
                   std::span<double> one, FactorScratch& scratch);

// The configurations an active-set projection ended with; kept between calls, the next starts from
// them. Belongs to one factor: set size to 0 when the factor's cost or own scores change.
struct ActiveSet {
  int size = 0;                       // configurations held
  std::vector<std::uint8_t> configs;  // size * links bytes
  std::vector<double> own;            // own score of each
  std::vector<double> weight;         // of each in the answer; they sum to 1
  std::vector<double> linear;         // of each, its value against the last target
  std::vector<double> gram;           // literals two share, rows of the lower triangle
  std::vector<double> root;           // Cholesky factor of gram + 1, the same way
  std::vector<std::int32_t> on;  // the literals that are 1 in each, `links` places a configuration
  std::vector<std::int32_t> on_count;
  int updates = 0;  // of root since it was last made from gram
};

// The quadratic step: writes to z the point of the convex hull of the allowed configurations that
// maximises  own_scale * sum own(weights) - 1/2 |z - target|^2,  i.e. the nearest point to `target`
// where the factor has no scores of its own. With own scores divide them by eta: pass own_scale = 1
// / eta > 0. Returns false if the (clamped) factor allows nothing. `active` is only used by shapes
// that need it. Hard linear rows are the exception: their point is the nearest of the relaxation {z
// in [0,1]^k: lower <= c.z <= upper}, which holds the hull and may hold points where the hull is
// empty. maximize stays exact, so bounds made with it are at least as tight.
bool project(const FactorView& factor, std::span<const double> target,
             std::span<const std::int8_t> clamp, double own_scale, std::span<double> z,
             ActiveSet& active, FactorScratch& scratch);

// True if project() needs an ActiveSet for this factor: table, disjoint, structured, and soft ones
// but for at_least_one and pairs (implies, not_both, equal), which have closed forms.
bool uses_active_set(const FactorView& factor);

}  // namespace entente
