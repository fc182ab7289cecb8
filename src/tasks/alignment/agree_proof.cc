#include "tasks/alignment/agree_proof.h"

#include <cmath>

namespace entente::alignment {

namespace {

// One direction. For every target t and source s three nodes: arrived at s; then with s linked, and
// the place before it or not; then with the place after it or not, or where s was the last place and
// the target has none. The last of these is also there for "no place yet" (s = sources).
class DirectionForest {
 public:
  DirectionForest(const HmmScores& scores, double near, std::size_t by_source,
                  std::size_t by_target, SharedForest& out)
      : x_(scores), n_(scores.sources), near_(near), s_(by_source), t_(by_target), out_(out) {
    out_.mark_begin.assign(1, 0);
    for (int t = 0; t < x_.targets; ++t) add_target(t);
    const int goal = out_.graph.add_node();
    for (int s = 0; s <= n_; ++s) add(goal, {last(x_.targets - 1, s)}, 0, {});
    out_.graph.finish(goal);
  }

  // places and links as an AgreeResult has them; cell -> linked?
  Derivation derivation(std::span<const std::int32_t> places,
                        const std::vector<std::uint8_t>& linked) const {
    const Hypergraph& h = out_.graph;
    std::vector<int> at(places.size() + 1, n_);  // the last place before target t
    for (std::size_t t = 0; t < places.size(); ++t) at[t + 1] = places[t] < 0 ? at[t] : places[t];
    Derivation edges = {h.first_edge(h.goal()) + at.back()};
    for (int t = static_cast<int>(places.size()) - 1; t >= 0; --t) {
      const int s = places[t];
      if (s < 0) {
        edges.push_back(h.last_edge(last(t, at[t])) - 1);
        continue;
      }
      const bool before = s > 0 && linked[cell(s - 1, t)];
      const bool after = s + 1 < n_ && linked[cell(s + 1, t)];
      edges.push_back(h.first_edge(last(t, s)) + (after ? 1 : 0));
      edges.push_back(h.first_edge(arrived(t, s) + n_) + (before ? 1 : 0));
      edges.push_back(h.first_edge(arrived(t, s)) + (t == 0 ? 0 : at[t]));
    }
    return edges;
  }

 private:
  int arrived(int t, int s) const { return t * (3 * n_ + 1) + s; }
  int last(int t, int s) const { return t * (3 * n_ + 1) + 2 * n_ + s; }
  std::int32_t cell(int s, int t) const { return static_cast<std::int32_t>(s * s_ + t * t_); }

  void add(int head, std::initializer_list<std::int32_t> tails, double score,
           std::initializer_list<std::int32_t> marks) {
    out_.graph.add_edge(head, tails, score);
    out_.marks.insert(out_.marks.end(), marks.begin(), marks.end());
    out_.mark_begin.push_back(static_cast<std::int32_t>(out_.marks.size()));
  }

  void add_target(int t) {
    out_.graph.add_nodes(3 * n_ + 1);
    const bool beside = std::isfinite(near_);
    const double none = x_.null + x_.null_emission[t];
    for (int s = 0; s < n_; ++s) {
      for (int from = 0; t > 0 && from < n_; ++from)
        add(arrived(t, s), {last(t - 1, from)}, x_.step[static_cast<std::size_t>(from) * n_ + s],
            {});
      if (t == 0) add(arrived(t, s), {}, x_.start[s], {});
      if (t > 0) add(arrived(t, s), {last(t - 1, n_)}, x_.start[s], {});
    }
    for (int s = 0; s < n_; ++s) {
      const double own = x_.word + x_.emission[static_cast<std::size_t>(t) * n_ + s];
      add(arrived(t, s) + n_, {arrived(t, s)}, own, {cell(s, t)});
      if (beside && s > 0)
        add(arrived(t, s) + n_, {arrived(t, s)}, own + near_, {cell(s, t), cell(s - 1, t)});
    }
    for (int s = 0; s < n_; ++s) {
      add(last(t, s), {arrived(t, s) + n_}, 0, {});
      if (beside && s + 1 < n_) add(last(t, s), {arrived(t, s) + n_}, near_, {cell(s + 1, t)});
      if (t > 0) add(last(t, s), {last(t - 1, s)}, none, {});
    }
    if (t == 0) add(last(t, n_), {}, none, {});
    if (t > 0) add(last(t, n_), {last(t - 1, n_)}, none, {});
  }

  const HmmScores& x_;
  const int n_;
  const double near_;
  const std::size_t s_, t_;  // what a source, a target adds to the number of a cell
  SharedForest& out_;
};

}  // namespace

ForestCertificate certify_agreement(const HmmScores& forward, const HmmScores& backward,
                                    const AgreeOptions& options, const AgreeResult& result,
                                    std::span<const AgreeLeaf> leaves, ForestProblem& problem) {
  const std::size_t m = forward.targets;
  problem.clear();
  problem.indicators = forward.sources * forward.targets;
  problem.forests.resize(2);
  const DirectionForest first(forward, options.near, m, 1, problem.forests[0]);
  const DirectionForest second(backward, options.near, 1, m, problem.forests[1]);
  ForestProver prover(problem);
  for (const AgreeLeaf& leaf : leaves)
    prover.add(leaf.fixed, std::vector<double>(leaf.prices.begin(), leaf.prices.end()));
  if (result.places[0].empty()) return prover.finish({});
  std::vector<std::uint8_t> linked(problem.indicators, 0);
  for (const Link& link : result.links) linked[link.i * m + link.j] = 1;
  return prover.finish(
      {first.derivation(result.places[0], linked), second.derivation(result.places[1], linked)});
}

}  // namespace entente::alignment
