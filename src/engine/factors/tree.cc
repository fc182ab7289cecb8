// Tree factors: the true arcs are an arborescence, or one without crossing arcs.
#include <algorithm>
#include <string>

#include "entente/error.h"
#include "entente/graph.h"
#include "entente/structured.h"
#include "oracle/arborescence.h"
#include "oracle/eisner.h"

namespace entente {

namespace {

struct TreeMemory final : StructuredScratch::Memory {
  std::vector<double> dense;
  std::vector<std::int32_t> heads;
  TreeWorkspace work;
};

TreeMemory& memory_of(StructuredScratch& scratch) {
  auto* memory = dynamic_cast<TreeMemory*>(scratch.memory.get());
  if (memory != nullptr) return *memory;
  scratch.memory = std::make_unique<TreeMemory>();
  return static_cast<TreeMemory&>(*scratch.memory);
}

class Tree final : public StructuredFactor {
 public:
  Tree(int nodes, std::vector<TreeArc> arcs, bool single_root, bool projective)
      : nodes_(nodes), single_root_(single_root), projective_(projective), arcs_(std::move(arcs)) {
    shape_ = {nodes, single_root};
    for (const TreeArc& arc : arcs_) shape_.insert(shape_.end(), {arc.from, arc.to});
    // Arcs by the node they enter.
    into_begin_.assign(nodes + 2, 0);
    for (const TreeArc& arc : arcs_) ++into_begin_[arc.to + 1];
    for (int x = 0; x <= nodes; ++x) into_begin_[x + 1] += into_begin_[x];
    for (int x = 1; x <= nodes; ++x) {
      unreachable_ = unreachable_ || into_begin_[x] == into_begin_[x + 1];
    }
    into_.resize(arcs_.size());
    auto next = into_begin_;
    for (int a = 0; a < size(); ++a) into_[next[arcs_[a].to]++] = a;
  }

  int size() const override { return static_cast<int>(arcs_.size()); }

  double maximize(std::span<const double> scores, std::span<std::uint8_t> config,
                  StructuredScratch& scratch) const override {
    if (unreachable_) return -kInfinity;  // before any memory of the nodes' square is made
    TreeMemory& memory = memory_of(scratch);
    const std::size_t n = nodes_ + 1;
    memory.dense.assign(n * n, -kInfinity);
    for (int a = 0; a < size(); ++a) memory.dense[arcs_[a].from * n + arcs_[a].to] = scores[a];
    memory.heads.resize(nodes_);
    auto best_tree = projective_ ? best_projective_tree : best_arborescence;
    const double best = best_tree(nodes_, memory.dense, single_root_, memory.heads, memory.work);
    if (best == -kInfinity) return best;
    for (int a = 0; a < size(); ++a) config[a] = memory.heads[arcs_[a].to - 1] == arcs_[a].from;
    return best;
  }

  double own_score(std::span<const std::uint8_t> config) const override {
    int roots = 0;
    for (int x = 1; x <= nodes_; ++x) {
      const int head = head_of(x, config);
      if (head < 0) return -kInfinity;
      roots += head == 0;
    }
    if (single_root_ && roots != 1) return -kInfinity;
    for (int x = 1; x <= nodes_; ++x) {
      int above = x, steps = 0;
      while (above != 0 && steps++ <= nodes_) above = head_of(above, config);
      if (above != 0 || (projective_ && crossed(x, config))) return -kInfinity;
    }
    return 0;
  }

  double own_range() const override { return 0; }
  std::unique_ptr<StructuredFactor> clone() const override { return std::make_unique<Tree>(*this); }
  std::string_view type() const override {
    return projective_ ? "projective_tree" : "arborescence";
  }
  std::span<const std::int32_t> shape() const override { return shape_; }

 private:
  // The one node that x hangs from, -1 if there is none or several.
  int head_of(int x, std::span<const std::uint8_t> config) const {
    int head = -1;
    for (int i = into_begin_[x]; i < into_begin_[x + 1]; ++i) {
      if (!config[into_[i]]) continue;
      if (head >= 0) return -1;
      head = arcs_[into_[i]].from;
    }
    return head;
  }
  // Does an arc from within the span of the arc into x leave it?
  bool crossed(int x, std::span<const std::uint8_t> config) const {
    const int head = head_of(x, config), low = std::min(x, head), high = std::max(x, head);
    for (int y = low + 1; y < high; ++y) {
      const int other = head_of(y, config);
      if (other < low || other > high) return true;
    }
    return false;
  }

  int nodes_;
  bool single_root_, projective_, unreachable_ = false;
  std::vector<TreeArc> arcs_;
  std::vector<std::int32_t> shape_, into_begin_, into_;
};

std::unique_ptr<StructuredFactor> make_tree(int nodes, std::vector<TreeArc> arcs, bool single_root,
                                            bool projective) {
  const std::string name = projective ? "projective_tree" : "arborescence";
  if (nodes < 1 || nodes > 1 << 14) throw Error(name + ": 1 to 16384 nodes beside the root");
  auto before = [](const TreeArc& a, const TreeArc& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  };
  for (const TreeArc& arc : arcs) {
    if (arc.from < 0 || arc.from > nodes || arc.to < 1 || arc.to > nodes || arc.from == arc.to)
      throw Error(name + ": an arc leads from 0..nodes to another of 1..nodes");
  }
  auto sorted = arcs;
  std::sort(sorted.begin(), sorted.end(), before);
  for (std::size_t a = 1; a < sorted.size(); ++a) {
    if (!before(sorted[a - 1], sorted[a]))
      throw Error(name + ": the arc from " + std::to_string(sorted[a].from) + " to " +
                  std::to_string(sorted[a].to) + " is given twice");
  }
  return std::make_unique<Tree>(nodes, std::move(arcs), single_root, projective);
}

}  // namespace

std::unique_ptr<StructuredFactor> make_arborescence(int nodes, std::vector<TreeArc> arcs,
                                                    bool single_root) {
  return make_tree(nodes, std::move(arcs), single_root, false);
}

std::unique_ptr<StructuredFactor> make_projective_tree(int nodes, std::vector<TreeArc> arcs,
                                                       bool single_root) {
  return make_tree(nodes, std::move(arcs), single_root, true);
}

}  // namespace entente
