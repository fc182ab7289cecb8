#include "tasks/translation/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/hypergraph/best.h"

namespace entente::translation {

namespace {

constexpr double kSlack = 1e-6;  // scores are sums of rounded numbers
constexpr double kNever = -std::numeric_limits<double>::infinity();

class Refiner {
 public:
  Refiner(const Scoring& scoring, const ExactOptions& options, double lower)
      : scoring_(scoring), options_(options), lower_(lower) {}

  // Parts that know no words at their ends: one a node of the chart (two if it
  // can be empty).
  bool first(LmForest& out) {
    const Hypergraph& chart = scoring_.chart().forest;
    children_.assign(chart.nodes(), {});
    out.clear();
    for (int v = 0; v < chart.nodes(); ++v) {
      for (int e = chart.first_edge(v); e < chart.last_edge(v); ++e) {
        if (!scoring_.alive(e)) continue;
        if (!combine(e, chart.tails(e), v, v, {}, std::numeric_limits<double>::infinity(), 0, out))
          return false;
      }
      rank(v, out);
    }
    return finish(chart.goal(), {}, out);
  }

  // Parts that know one word more, made of what is left of the last forest.
  bool refine(const LmForest& from, Keep keep, LmForest& out) {
    const Hypergraph& h = from.graph;
    outside(from);
    children_.assign(h.nodes(), {});
    out.clear();
    int root = -1;
    for (int y = 0; y < h.nodes(); ++y) {
      if (from.chart_nodes[y] < 0) continue;
      for (int e = h.first_edge(y); e < h.last_edge(y); ++e) {
        if (through_[e] < lower_ - kSlack) continue;
        if (!combine(from.chart_edges[e], h.tails(e), from.chart_nodes[y], y, keep, outside_[y],
                     h.score[e], out)) {
          return false;
        }
      }
      rank(y, out);
    }
    // Parts of the goal: those that the closing edges lead to.
    std::vector<std::int32_t> roots;
    for (int e = h.first_edge(h.goal()); e < h.last_edge(h.goal()); ++e) {
      root = h.tails(e)[0];
      roots.insert(roots.end(), children_[root].begin(), children_[root].end());
    }
    children_.push_back(std::move(roots));
    return finish(static_cast<int>(children_.size()) - 1, keep, out);
  }

  double lower() const { return lower_; }
  void raise(double value) { lower_ = std::max(lower_, value); }

 private:
  // For every node the best that can be added to it by a whole derivation;
  // through_ for edges.
  void outside(const LmForest& from) {
    const Hypergraph& h = from.graph;
    pass_.run(h, h.score);
    pass_.max_marginals(h, h.score, through_);
    outside_.assign(h.nodes(), kNever);
    for (int y = 0; y < h.nodes(); ++y) {
      double best = kNever;
      for (int e = h.first_edge(y); e < h.last_edge(y); ++e) best = std::max(best, through_[e]);
      if (best > kNever) outside_[y] = best - pass_.value(y);
    }
  }

  // One edge of the chart over all parts of its tails that can reach `lower`.
  // `promised`: what the edge costs at most, by the last forest.
  bool combine(int edge, std::span<const std::int32_t> tails, int chart_node, int group, Keep keep,
               double around, double promised, LmForest& out) {
    const Part* parts[2] = {};
    std::int32_t own[2] = {};
    const double needed = lower_ - kSlack - around - promised;  // of the tails together
    const std::vector<std::int32_t> none(1, -1);
    const auto& first = tails.empty() ? none : children_[tails[0]];
    const auto& second = tails.size() < 2 ? none : children_[tails[1]];
    const double second_best = tails.size() < 2 || second.empty() ? 0 : out.parts[second[0]].score;
    Scoring::Composing whole = scoring_.start(edge, keep);
    scoring_.go_on(whole, {parts, tails.size()});
    for (const std::int32_t a : first) {
      double below = 0;
      if (a >= 0) {
        parts[0] = &out.parts[a];
        own[0] = a;
        below = parts[0]->score;
      }
      if (below + second_best < needed) break;
      parts[1] = nullptr;
      Scoring::Composing begun = whole;
      scoring_.go_on(begun, {parts, tails.size()});
      for (const std::int32_t b : second) {
        double sum = below;
        if (b >= 0) {
          parts[1] = &out.parts[b];
          own[1] = b;
          sum += parts[1]->score;
        }
        if (sum < needed) break;
        const Part part = scoring_.finish(begun, {parts, tails.size()});
        if (part.score + around < lower_ - kSlack) continue;
        // Parts are numbered as they come; compose() may not see them move.
        const std::int32_t node = find_or_add(part, chart_node, group, out);
        parts[0] = a >= 0 ? &out.parts[a] : nullptr;
        parts[1] = b >= 0 ? &out.parts[b] : nullptr;
        out.graph.add_edge(node, std::span<const std::int32_t>(own, tails.size()),
                           part.score - sum);
        out.chart_edges.push_back(edge);
        if (static_cast<std::int64_t>(out.chart_edges.size()) > options_.edges) return false;
        if (out.chart_edges.size() % 4096 == 0 && options_.stop && options_.stop()) return false;
      }
    }
    return true;
  }

  std::int32_t find_or_add(const Part& part, int chart_node, int group, LmForest& out) {
    const std::uint64_t key = part.hash();
    std::size_t at = key & (seen_.size() - 1);
    for (; seen_[at] >= 0; at = (at + 1) & (seen_.size() - 1)) {
      Part& known = out.parts[seen_[at]];
      if (known.same_ends(part)) {
        known.score = std::max(known.score, part.score);
        return seen_[at];
      }
    }
    const std::int32_t node = out.graph.add_node();
    out.parts.push_back(part);
    out.chart_nodes.push_back(chart_node);
    children_[group].push_back(node);
    seen_[at] = node;
    taken_.push_back(at);
    if (2 * taken_.size() > seen_.size()) grow(out);
    return node;
  }

  // Twice the places for the parts of the group in hand.
  void grow(const LmForest& out) {
    std::vector<std::int32_t> nodes;
    for (const std::size_t at : taken_) nodes.push_back(seen_[at]);
    taken_.clear();
    seen_.assign(2 * seen_.size(), -1);
    for (const std::int32_t node : nodes) {
      std::size_t at = out.parts[node].hash() & (seen_.size() - 1);
      while (seen_[at] >= 0) at = (at + 1) & (seen_.size() - 1);
      seen_[at] = node;
      taken_.push_back(at);
    }
  }

  // The parts of a group are complete: best first.
  void rank(int group, const LmForest& out) {
    for (const std::size_t at : taken_) seen_[at] = -1;
    taken_.clear();
    std::stable_sort(
        children_[group].begin(), children_[group].end(),
        [&](std::int32_t a, std::int32_t b) { return out.parts[a].score > out.parts[b].score; });
  }

  bool finish(int group, Keep keep, LmForest& out) {
    const int goal = out.graph.add_node();
    out.parts.emplace_back();
    out.chart_nodes.push_back(-1);
    for (const std::int32_t x : children_[group]) {
      const Part closed = scoring_.close(out.parts[x], keep);
      if (closed.score < lower_ - kSlack) continue;
      out.graph.add_edge(goal, {x}, closed.score - out.parts[x].score);
      out.chart_edges.push_back(-1);
    }
    out.graph.finish(goal);
    out.reorder();
    return true;
  }

  const Scoring& scoring_;
  const ExactOptions& options_;
  double lower_;
  std::vector<std::vector<std::int32_t>> children_;  // of a node of the last forest, best first
  // The parts of the group in hand by their ends, and which places of it are taken.
  std::vector<std::int32_t> seen_ = std::vector<std::int32_t>(1024, -1);
  std::vector<std::size_t> taken_;
  BestPass pass_;
  std::vector<double> through_, outside_;
};

// From no words at the ends to all that the model asks for; with half steps the last words first.
std::vector<Keep> stages_of(int full, bool half_steps) {
  std::vector<Keep> stages = {{0, 0}};
  for (int k = 1; k <= full; ++k) {
    if (half_steps) stages.push_back({k - 1, k});
    stages.push_back({k, k});
  }
  return stages;
}

}  // namespace

ExactResult decode_exact(const Scoring& scoring, const ExactOptions& options, double lower,
                         bool stop_at_bound, LmForest& forest) {
  ExactResult result;
  result.value = kNever;
  result.bound = std::numeric_limits<double>::infinity();
  Refiner refiner(scoring, options, lower);
  LmForest last;
  BestPass pass;
  Derivation edges;
  const std::vector<Keep> stages = stages_of(scoring.full(), options.half_steps);
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const bool made = k == 0 ? refiner.first(forest) : refiner.refine(last, stages[k], forest);
    result.edges += static_cast<std::int64_t>(forest.chart_edges.size());
    if (!made) return result;
    ++result.stages;
    // Nothing left: nothing scores more than what was in hand.
    const double bound = pass.run(forest.graph, forest.graph.score);
    result.bound = std::min(result.bound, std::max(bound, refiner.lower()));
    if (bound > kNever) {
      // The bound's derivation may itself be better than what is in hand.
      pass.derivation(forest.graph, edges);
      std::vector<std::int32_t> derivation = forest.chart_derivation(edges);
      const double value = scoring.score_of(derivation);
      if (value > result.value && value > lower) {
        result.value = value;
        result.derivation = std::move(derivation);
        if (stop_at_bound) refiner.raise(value);
      }
    }
    const bool finest = k + 1 == stages.size();
    if (finest || (stop_at_bound && result.bound <= refiner.lower() + kSlack)) {
      result.complete = true;
      return result;
    }
    std::swap(forest, last);
  }
  return result;
}

}  // namespace entente::translation
