// Checks a proof: goes through the log once, keeps what is open, and arrives at the bound the log
// proves.
//
//   ProofChecker checker(graph, proof);
//   if (!checker.run()) say(checker.reason());    // else checker.bound()
//
// Cost: a step costs a pass over what is in scope at most. One thread at a time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/limits.h"
#include "engine/proof/pair_model.h"
#include "entente/proof.h"

namespace entente {

class ProofChecker {
 public:
  ProofChecker(const Graph& g, const Proof& proof);
  bool run(const Limits* limits = nullptr);
  double bound() const { return bound_; }  // nothing allowed is worth more
  const std::string& reason() const { return reason_; }

 private:
  // A log that has not ended: the whole, a supposition or a part.
  struct Frame {
    ProofStep kind = ProofStep::bound;
    std::vector<std::int32_t> states;    // of suppose and part
    std::size_t trail = 0;               // to go back to
    std::vector<std::int32_t> nodes;     // the scope outside
    std::int32_t part = 0;               // likewise
    double bound = -kInfinity;           // of what was struck and supposed here
    double parts = 0;                    // bounds of its parts
    bool parted = false;                 // it has some
    std::unique_ptr<PairModel> pairs;    // since the step `pairs`
    int pairs_number = 0;                // which of them
    int regions = 0;                     // of the pairs, when the log began
    std::vector<std::int32_t> derived;   // rows that hold here and not outside
    double step = 0, base = 0, off = 0;  // of what its scope is worth: base + k * step, but for off
  };
  enum class Undo : std::uint8_t { open, part, table, whole };
  struct Change {
    Undo kind;
    std::int32_t index, before;
  };

  bool step();
  bool close_listed();
  bool dominated();
  void begin_exclusions(int s);
  bool excludes(int s, int t);
  bool cut();
  struct RowSide;
  bool derive();
  static bool exceeds(const RowSide& of, const std::map<std::int32_t, double>& more, int k);
  bool round();
  bool count_nothing(std::map<std::int32_t, double>& sum, double& b);
  int row_of(int factor, int part) const;  // -1: there is none
  bool line();
  bool joint();
  void add_joint_node(int factor, const std::vector<std::vector<std::int32_t>>& lists,
                      std::size_t choices);
  bool lists_open_states(std::span<const std::int32_t> list, int& node) const;
  bool leave_out(int factor);
  bool price();
  bool strike();
  bool begin(ProofStep kind);
  bool begin_part(Frame& frame);
  bool pairs();
  bool region();
  bool grid();
  bool alike();
  bool exchanges(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b);
  static double down(const Frame& frame, double b);
  bool end(ProofStep kind);
  bool pop(double b);
  bool bound_at(int price, double& b);
  void shut(int state);
  void undo(std::size_t mark);
  void set_part(Undo kind, std::vector<std::int32_t>& of, int index, std::int32_t to);
  PairModel* pair_model();
  int pairs_number() const;  // of pair_model(), 0: none
  bool add_pairs_of(int like, ProofPrice& price);

  bool next(std::int32_t& out);
  bool states(std::vector<std::int32_t>& out);  // a count and as many states
  bool refuse(std::string why);
  const ProofPrice* find_price(int index);

  const Proof& proof_;
  FactorScratch scratch_;
  ProofModel m_;
  ProofRules rules_;
  ProofScope scope_;
  ProofPrices prices_;
  std::size_t at_ = 0, number_ = 0;
  std::vector<Frame> frames_;
  std::vector<Change> trail_;
  std::vector<std::unique_ptr<ProofPrice>> given_;
  const ProofPrice none_;
  std::vector<std::int32_t> cuts_;  // rows of the model: cuts, and those of joint nodes
  std::vector<std::unique_ptr<std::vector<ProofModel::Span>>> lines_;
  std::vector<std::int32_t> list_;
  std::vector<std::int32_t> excluded_;  // stamped: excluded by the state at hand
  std::int32_t excluded_stamp_ = 0;
  std::int32_t parts_ = 0;
  int pairs_made_ = 0;
  std::unordered_set<std::int32_t> joints_;  // factors that became nodes
  std::int32_t empty_nodes_ = 0;  // nodes with no open state: nothing is allowed, all follows
  double bound_ = kInfinity;
  std::string reason_;
};

}  // namespace entente
