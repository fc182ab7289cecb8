#include "tasks/dependency/decode.h"

#include <algorithm>

#include "entente/solve.h"
#include "oracle/arborescence.h"
#include "oracle/eisner.h"
#include "oracle/projective.h"
#include "tasks/dependency/joint.h"

namespace entente::dependency {

namespace {

constexpr double kNone = kForbidden;
constexpr int kRounds = 400;      // of dual decomposition at the root
constexpr int kNodeRounds = 100;  // and at each node below it
constexpr int kNodes = 300;

}  // namespace

struct Decoder::State {
  std::vector<std::int32_t> heads;
  // first order
  std::vector<double> dense;
  TreeWorkspace trees;
  // second order
  ProjectiveChart chart;
  bool in_chart = false;  // the last problem, all of it
  ProjectiveForest forest;
  Joint joint;
  std::vector<Joint::Node> path;  // of branch and bound, by depth
  // through the engine
  Graph graph;
  Workspace workspace;
  Solution solution;

  Decoded first_order(const Parts& parts, const PartScores& scores, const DecodeOptions& o);
  Decoded projective(const Parts& parts, const PartScores& scores, const DecodeOptions& o);
  Decoded joined(const Parts& parts, const PartScores& scores, const DecodeOptions& o);
  Decoded by_engine(const Parts& parts, const PartScores& scores, const DecodeOptions& o);
  double search(std::size_t depth, const DecodeOptions& o, Decoded& out);
  double best_tree(int words, const DecodeOptions& o) {
    heads.resize(words);
    auto best = o.projective ? best_projective_tree : best_arborescence;
    return best(words, dense, o.single_root, heads, trees);
  }
};

Decoder::Decoder() : state_(std::make_unique<State>()) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

Decoded Decoder::State::first_order(const Parts& parts, const PartScores& scores,
                                    const DecodeOptions& o) {
  const std::size_t n = parts.words + 1;
  dense.assign(n * n, kNone);
  for (std::size_t a = 0; a < parts.arcs.size(); ++a) {
    dense[parts.arcs[a].head * n + parts.arcs[a].modifier] = scores.arcs[a];
  }
  Decoded out;
  out.value = out.bound = best_tree(parts.words, o);
  out.status = out.value == kNone ? Status::infeasible : Status::optimal;
  out.by_dual_alone = true;
  return out;
}

// Bounds what the joint problem allows now, arcs struck out on the way here aside.
double Decoder::State::search(std::size_t depth, const DecodeOptions& o, Decoded& out) {
  const int rounds = o.max_iterations > 0 ? o.max_iterations : depth == 0 ? kRounds : kNodeRounds;
  out.iterations += joint.run(rounds);
  ++out.nodes;
  if (joint.closed()) return joint.value();
  const int arc = joint.most_doubtful();
  if (arc < 0) return joint.value();  // one head left for each word, and that tree was tried
  const double bound = joint.bound();
  if (out.nodes >= (o.max_nodes > 0 ? o.max_nodes : kNodes)) return bound;
  if (path.size() <= depth) path.resize(depth + 1);
  joint.save(path[depth]);
  joint.require(arc);
  const double with = search(depth + 1, o, out);
  joint.restore(path[depth]);
  joint.forbid(arc);
  return std::min(bound, std::max(with, search(depth + 1, o, out)));
}

Decoded Decoder::State::projective(const Parts& parts, const PartScores& scores,
                                   const DecodeOptions& o) {
  Decoded out;
  out.nodes = 1;
  out.value = out.bound = chart.fill(parts, scores, o.single_root);
  out.status = out.value == kNone ? Status::infeasible : Status::optimal;
  out.by_dual_alone = true;
  heads.resize(parts.words);
  in_chart = out.value != kNone;
  if (in_chart) chart.best_tree(heads);
  return out;
}

Decoded Decoder::State::joined(const Parts& parts, const PartScores& scores,
                               const DecodeOptions& o) {
  Decoded out;
  joint.start(parts, scores, o.single_root);
  // The best tree without crossing arcs is often the answer, and near it where it is not.
  heads.resize(parts.words);
  if (chart.fill(parts, scores, o.single_root) != kForbidden) {
    chart.best_tree(heads);
    joint.offer_tree(heads);
  }
  out.bound = search(0, o, out);
  out.value = joint.value();
  out.bound = std::max(out.bound, out.value);
  if (out.value == kNone) {
    out.status = out.bound == kNone ? Status::infeasible : Status::unknown;
    return out;
  }
  out.status = joint_closes(out.bound, out.value) ? Status::optimal : Status::feasible;
  out.by_dual_alone = out.nodes == 1 && out.status == Status::optimal;
  heads.resize(parts.words);
  for (int m = 1; m <= parts.words; ++m) heads[m - 1] = parts.arcs[joint.chosen()[m - 1]].head;
  return out;
}

// What the engine's dual solvers say, whether or not it is a proof.
Decoded Decoder::State::by_engine(const Parts& parts, const PartScores& scores,
                                  const DecodeOptions& o) {
  build(parts, scores, o, graph);
  Options options;
  options.method = o.method == Method::ad3 ? entente::Method::ad3 : entente::Method::subgradient;
  if (o.max_iterations > 0) options.max_iterations = o.max_iterations;
  solve(graph, options, workspace, solution);
  Decoded out;
  out.iterations = static_cast<int>(solution.iterations);
  out.nodes = 1;
  out.bound = solution.bound;
  out.status = solution.status;
  out.by_dual_alone = solution.status == Status::optimal;
  out.value = solution.value;
  if (out.value == kNone && out.status == Status::unknown) {
    // No assignment was mended into a tree: the best by arcs alone is one.
    const double bound = out.bound;
    out = first_order(parts, scores, o);
    out.bound = bound;
    if (out.status == Status::infeasible) return out;
    out.status = Status::feasible;
    out.by_dual_alone = false;
    out.value = score_of(parts, scores, heads);
    return out;
  }
  heads.resize(parts.words);
  for (std::size_t a = 0; a < solution.assignment.size(); ++a) {
    if (solution.assignment[a]) heads[parts.arcs[a].modifier - 1] = parts.arcs[a].head;
  }
  return out;
}

Decoded Decoder::decode(const Parts& parts, const PartScores& scores, const DecodeOptions& o) {
  State& s = *state_;
  Decoded out;
  s.in_chart = false;
  if (parts.siblings.empty() || parts.words == 0) {
    out = s.first_order(parts, scores, o);
  } else if (o.method == Method::exact) {
    out = o.projective ? s.projective(parts, scores, o) : s.joined(parts, scores, o);
  } else {
    out = s.by_engine(parts, scores, o);
  }
  if (out.value != kNone) out.heads = s.heads;
  return out;
}

void Decoder::k_best(int k, TreeList& out) {
  out.words = 0;
  out.values.clear();
  out.heads.clear();
  if (state_->in_chart) state_->forest.k_best(state_->chart, k, out);
}

}  // namespace entente::dependency
