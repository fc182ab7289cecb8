// Soft arc consistency for pairwise problems: states that are closed close others and raise a bound
// little by little, around where something happened, instead of by passes over all tables.
//
//   SoftArcs arcs;                       // kept, so that nothing is allocated once warm
//   arcs.load(view, goal, log);
//   if (arcs.propagate()) { mark = arcs.mark(); arcs.remove(n, s); ...; arcs.undo(mark); }
//
// Costs are whole numbers of a unit (a power of two, rounded down: what is added up never claims
// more than there is), so that nothing drifts and what is undone is as it was. Tables stay as they
// came, beside what was moved out of them a state; existential directional arc consistency
// (Larrosa, de Givry, Heras, Zytnicki 2005) moves costs to the states and from there to the bound.
// Cost: a call looks at the tables of the nodes that changed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace entente {

// A pairwise problem as it is after sharing out (tables at most about 0).
struct PairwiseView {
  struct Edge {
    std::int32_t a, b, offset;
  };
  std::span<const std::int32_t> begin;  // nodes + 1
  std::span<const double> unary;
  std::span<const Edge> edges;
  std::span<const double> table;
  std::span<const std::uint8_t> joint =
      {};                 // of each node: is it a table's (joint_nodes.h); or empty
  double impossible = 0;  // scores below are forbidden

  bool is_joint(int n) const { return !joint.empty() && joint[n] != 0; }
  int nodes() const { return static_cast<int>(begin.size()) - 1; }
  int size(int n) const { return begin[n + 1] - begin[n]; }
};

struct PairwiseGoal {
  double best = 0;        // only more than this is looked for
  double impossible = 0;  // scores below are forbidden
  double step = 0;        // by how much values differ at least, if they do (0: nothing is known)
  double epsilon = 0;
};

// What a proof has to hear of, in order. States are numbers of the view.
class PairwiseLog {
 public:
  virtual ~PairwiseLog() = default;
  // Of each edge what the states of its first node have given to it, then of its second.
  virtual int prices(std::span<const double> moved) = 0;
  virtual void strike(int price, int state) = 0;
  virtual void close(int state) = 0;  // by a table alone
  virtual void suppose(std::span<const std::int32_t> states) = 0;
  virtual void bound(int price) = 0;
};

class SoftArcs {
 public:
  using Cost = std::int64_t;

  void load(const PairwiseView& view, const PairwiseGoal& goal, PairwiseLog* log);
  void set_best(double best);

  // False: nothing better is left, and the log has its end.
  bool propagate();

  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark);
  void remove(int n, int s);

  std::span<const std::int32_t> domain(int n) const {
    return {dom_.data() + view_.begin[n], static_cast<std::size_t>(count_[n])};
  }
  Cost unary(int n, int s) const { return value_[view_.begin[n] + s]; }
  Cost cost() const { return value_[zero_]; }
  bool hopeless() const { return cost() >= limit_; }
  double bound_of(Cost cost) const { return base_ - static_cast<double>(cost) * unit_; }
  int supported(int n) const {
    return existential_[n];
  }  // its state that seems best; may be closed
  bool open(int n, int s) const { return place_[view_.begin[n] + s] < count_[n]; }
  // How much was looked at since load(): pairs of states, about.
  std::int64_t work() const { return work_; }
  double weight(int n) const;  // of conflicts with nodes that are undecided
  int prices();                // for the log

 private:
  static constexpr Cost kInfinite = Cost{1} << 60;
  enum class Found : std::uint8_t { nothing, moved, failed };
  struct Undo {
    std::int32_t index;  // of value_; below 0: node ~index has one state more
    Cost old;
  };
  // An edge seen from one of its nodes; arc ^ 1 is the other way round.
  struct Arc {
    std::int32_t from, to;
    std::int32_t table;    // rows are states of `from`
    std::int32_t moved;    // of the states of `from`: into value_
    std::int32_t support;  // of the states of `from`: into support_
  };
  struct Bits {
    std::vector<std::uint64_t> word;
    void reset(int n) { word.assign((n + 63) / 64, 0); }
    void add(int i) { word[i >> 6] |= std::uint64_t{1} << (i & 63); }
    void clear() { std::fill(word.begin(), word.end(), 0); }
    int pop_first();
    int pop_last();
  };

  void set_unit(const PairwiseGoal& goal);
  void load_unary();
  void load_tables();
  void load_arcs();
  Cost as_cost(double score) const;

  void set(std::int32_t index, Cost value) {
    trail_.push_back({index, value_[index]});
    value_[index] = value;
  }
  Cost cost_of(const Arc& x, const Arc& back, int s, int t) const {
    return table_[x.table + s * view_.size(x.to) + t] - value_[x.moved + s] -
           value_[back.moved + t];
  }
  void project(const Arc& x, int s, Cost amount) {
    set(x.moved + s, value_[x.moved + s] + amount);
    set(view_.begin[x.from] + s, unary(x.from, s) + amount);
  }
  Found find_support(int arc);
  Found find_full_support(int arc);
  Found find_existential_support(int n);
  bool has_existential_support(int n, int s);
  Cost least(int arc, int s, bool with_unary, int& at) const;
  bool raise_bound(int n);
  void increased(int n);
  void lost(int n, int s);
  bool existential_pass();
  bool directional_pass();
  bool arc_pass();
  bool strike_states(bool& any);
  bool fail();

  PairwiseView view_;
  PairwiseLog* log_ = nullptr;
  PairwiseGoal goal_;
  double unit_ = 1, base_ = 0;       // total of a cost c: base_ - c * unit_
  Cost limit_ = 0;                   // costs from here on are of no interest
  Cost small_ = 0;                   // moves up to this are not worth the while
  int zero_ = 0;                     // where the bound stands in value_
  std::vector<Cost> table_, value_;  // value_: unary costs, what was moved, the bound
  std::vector<Undo> trail_;
  std::vector<std::int32_t> dom_, place_, count_;
  std::vector<Arc> arcs_;
  std::vector<std::int32_t> arc_begin_, arc_list_;
  std::vector<std::int32_t> support_, existential_;
  std::vector<double> weight_;           // of each edge, or of all of a table's node together:
  std::vector<std::int32_t> weight_of_;  // whose counts for each edge
  std::vector<Cost> demand_;
  std::vector<std::int32_t> gone_;
  std::vector<double> given_;
  Bits changed_, raised_, doubtful_;  // lost states; states left 0; existential support in doubt
  int blamed_ = -1;                   // the edge at work
  mutable std::int64_t work_ = 0;
};

}  // namespace entente
