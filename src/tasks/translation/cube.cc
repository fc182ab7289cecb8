#include "tasks/translation/cube.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace entente::translation {

namespace {

// One combination: an edge and the ranks of its tails' parts.
struct Candidate {
  Part part;
  std::int32_t edge;
  std::int32_t rank[2];

  bool operator<(const Candidate& o) const {  // the worse one
    if (part.score != o.part.score) return part.score < o.part.score;
    if (edge != o.edge) return edge > o.edge;
    return rank[0] != o.rank[0] ? rank[0] > o.rank[0] : rank[1] > o.rank[1];
  }
};

class Cube {
 public:
  Cube(const Scoring& scoring, int beam, LmForest& forest)
      : scoring_(scoring),
        beam_(beam),
        out_(forest),
        keep_{scoring.full(), scoring.full()},
        ranked_(scoring.chart().forest.nodes()) {}

  void run() {
    out_.clear();
    const Hypergraph& chart = scoring_.chart().forest;
    for (int v = 0; v < chart.nodes(); ++v) expand(v);
    const int goal = out_.graph.add_node();
    out_.parts.emplace_back();
    out_.chart_nodes.push_back(-1);
    for (const std::int32_t x : ranked_[chart.goal()]) {
      const Part closed = scoring_.close(out_.parts[x], keep_);
      out_.graph.add_edge(goal, {x}, closed.score - out_.parts[x].score);
      out_.chart_edges.push_back(-1);
    }
    out_.graph.finish(goal);
    out_.reorder();
  }

 private:
  void push(int edge, int first, int second) {
    const auto tails = scoring_.chart().forest.tails(edge);
    const int rank[2] = {first, second};
    const Part* parts[2] = {};
    for (std::size_t t = 0; t < tails.size(); ++t) {
      const auto& list = ranked_[tails[t]];
      if (rank[t] >= static_cast<int>(list.size())) return;
      parts[t] = &out_.parts[list[rank[t]]];
    }
    heap_.push({scoring_.compose(edge, {parts, tails.size()}, keep_), edge, {first, second}});
  }

  void expand(int v) {
    const Hypergraph& chart = scoring_.chart().forest;
    heap_ = {};
    for (int e = chart.first_edge(v); e < chart.last_edge(v); ++e) push(e, 0, 0);
    std::unordered_multimap<std::uint64_t, std::int32_t> seen;
    std::vector<std::int32_t>& mine = ranked_[v];
    for (int popped = 0; popped < beam_ && !heap_.empty(); ++popped) {
      const Candidate c = heap_.top();
      heap_.pop();
      const std::uint64_t key = c.part.hash();
      std::int32_t node = -1;
      for (auto [at, end] = seen.equal_range(key); at != end; ++at) {
        if (out_.parts[at->second].same_ends(c.part)) node = at->second;
      }
      if (node < 0) {
        node = out_.graph.add_node();
        out_.parts.push_back(c.part);
        out_.chart_nodes.push_back(v);
        seen.emplace(key, node);
        mine.push_back(node);
      } else {
        out_.parts[node].score = std::max(out_.parts[node].score, c.part.score);
      }
      const auto tails = chart.tails(c.edge);
      std::int32_t own[2] = {};
      double below = 0;
      for (std::size_t t = 0; t < tails.size(); ++t) {
        own[t] = ranked_[tails[t]][c.rank[t]];
        below += out_.parts[own[t]].score;
      }
      out_.graph.add_edge(node, std::span<const std::int32_t>(own, tails.size()),
                          c.part.score - below);
      out_.chart_edges.push_back(c.edge);
      // Each combination has one way to it: the second rank grows from
      // anywhere, the first only while the second is at its best.
      if (tails.size() == 2) push(c.edge, c.rank[0], c.rank[1] + 1);
      if (!tails.empty() && c.rank[1] == 0) push(c.edge, c.rank[0] + 1, 0);
    }
    std::stable_sort(mine.begin(), mine.end(), [&](std::int32_t a, std::int32_t b) {
      return out_.parts[a].score > out_.parts[b].score;
    });
  }

  const Scoring& scoring_;
  int beam_;
  LmForest& out_;
  Keep keep_;
  std::vector<std::vector<std::int32_t>> ranked_;  // a node of the chart: its parts, best first
  std::priority_queue<Candidate> heap_;
};

}  // namespace

void cube_prune(const Scoring& scoring, int beam, LmForest& forest) {
  Cube(scoring, beam, forest).run();
}

}  // namespace entente::translation
