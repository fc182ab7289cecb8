// A bound on a pairwise problem by small sets of nodes (*regions*: short cycles, and unions of them) in
// which all tables count together. Where tables between pairs agree with each other only two by two,
// three or four of them in a circle may contradict; a region sees that.
//
//   PairwiseRegions regions;  // kept, so that nothing is allocated once warm
//   if (regions.load(view, impossible, tier, most_entries)) {
//     double bound = regions.tighten(best, passes, limits);
//     regions.hopeless_states(best, out);  // in nothing worth more than best
//   }
//
// Numbers move between a region and what lies within it (its nodes, its tables, what it has in common
// with others), forwards and backwards in the order of the nodes (V. Kolmogorov: A new look at
// reweighted message passing, 2015). The sum of the regions' maxima bounds every assignment.
// Cost: a pass looks some ten times at every entry of a region.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/core/soft_arcs.h"
#include "engine/limits.h"
#include "entente/graph.h"

namespace entente {

class PairwiseRegions {
 public:
  // tier 0: cycles of three and four nodes; each further one unites two of those before that share
  // two nodes. False if there is nothing to make a region of.
  bool load(const PairwiseView& view, double impossible, int tier, std::int64_t most_entries);

  // Passes, at most so many, until most_work entries were looked at.
  double tighten(double best, int passes, double stall, std::int64_t most_work,
                 const Limits& limits);
  std::int64_t work_of_pass() const;
  double bound() const { return bound_; }
  std::int64_t work() const { return work_; }  // entries that passes looked at, since it was made
  void hopeless_states(double best, std::vector<std::int32_t>& out);
  // By how much the bound falls at least with each state of the view; of the last hopeless_states().
  std::span<const double> with() const { return with_; }

  // Node after node takes the state that leaves the regions most: a good answer where the bound is.
  void decode(std::span<std::int32_t> assigned);

  // For proofs: regions in the order of their numbers. The first are the nodes and the edges of the
  // view.
  struct Link {
    std::int32_t above, below;  // regions
    std::int32_t moved;         // what the one below has given away, an entry each: into moved()
  };
  int regions() const { return static_cast<int>(regions_.size()); }
  std::span<const std::int32_t> scope(int r) const {
    return {scope_.data() + regions_[r].scope, static_cast<std::size_t>(regions_[r].nodes)};
  }
  std::span<const Link> links() const { return links_; }
  std::span<const double> moved(const Link& link) const {
    return {moved_.data() + link.moved, static_cast<std::size_t>(regions_[link.below].entries)};
  }

 private:
  struct Region {
    std::int32_t scope, nodes;  // into scope_, rising
    std::int32_t offset, entries;
  };
  using Nodes = std::vector<std::int32_t>;
  static constexpr int kMostNodes = 10;  // of a region

  int add(std::span<const std::int32_t> nodes);
  std::int64_t entries_of(const Nodes& nodes) const;
  void find_cycles(std::vector<Nodes>& out) const;
  std::vector<Nodes> unite(const std::vector<Nodes>& sets, std::int64_t most) const;
  double gain(const Nodes& nodes) const;
  void choose(std::vector<Nodes>& sets, std::int64_t most_entries) const;
  void add_unions(std::vector<Nodes>& sets, std::int64_t most_entries) const;
  void take_state(int r, int n, int state);
  void add_overlaps(std::size_t first, std::size_t end);
  void add_links(std::size_t first, std::size_t end);
  void load_tables();
  void forbid(int region);
  int edge_between(int a, int b) const;
  template <typename Row>
  void walk(int above, int below, Row row) const;
  void collect(const Link& link);
  void give(const Link& link, double weight);
  void pass(bool forward, const Limits& limits);
  double top(int r) const;

  PairwiseView view_;
  double impossible_ = 0, bound_ = 0;
  std::int64_t work_ = 0;
  std::vector<Region> regions_;
  std::vector<std::int32_t> scope_;
  std::vector<double> value_, moved_, best_, with_;
  std::vector<Link> links_;                            // by the order of the lower region
  std::vector<std::int32_t> link_begin_, order_;       // of the lower regions
  std::vector<std::vector<std::int32_t>> neighbours_;  // of each node, rising
  std::vector<std::vector<std::int32_t>> regions_of_;  // of each node, for decode()
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> edge_at_;
  std::map<Nodes, std::int32_t> at_;
};

}  // namespace entente
