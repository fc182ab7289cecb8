// Certificates of dynamic programs: what was decided by the best derivation of a forest (a chart, a
// chain), or of several forests that must agree.
//
//   ForestProblem p;
//   p.forests.emplace_back().graph = h;                    // scores included
//   ForestCertificate c = prove_best(p, derivation);       // potentials: the best below each node
//   Verdict v = verify(p, c);                              // or tools/check_certificate.py
//
// A potential is a number a node such that no edge is worth more than the step it bridges:
// score + potentials of the tails <= potential of the head. Then no derivation is worth more than the
// goal's potential. Forests share indicators, which edges switch on: wanted is the best derivation of
// each such that every indicator is on equally often in all of them, once or never. Prices on
// indicators, which add up to 0 over the forests, change no derivations that agree, so that the
// goals' potentials under prices bound them together; `suppose` splits by an indicator.
// prove_agreed() writes the log of an Agreement that branched.
// One of those that must agree may be a Graph (its variables are then indicators): a bound has the
// graph's own certificate, at scores from which the prices are taken. docs/certificates.md has the
// format. Cost of a check: linear in the forests for each bound, and what the graph's log takes.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entente/agreement.h"
#include "entente/graph.h"
#include "entente/solution.h"
#include "entente/verify.h"
#include "oracle/hypergraph/hypergraph.h"

namespace entente {

struct SharedForest {
  Hypergraph graph;
  // Indicators that edge e switches on: marks[mark_begin[e]] up to marks[mark_begin[e + 1]]. Both may
  // be empty: none at all.
  std::vector<std::int32_t> mark_begin, marks;

  std::span<const std::int32_t> marks_of(int edge) const {
    if (mark_begin.empty()) return {};
    return std::span(marks).subspan(mark_begin[edge], mark_begin[edge + 1] - mark_begin[edge]);
  }
  // An edge's score under prices: added in this order here and in every checker, so that potentials
  // hold to the last digit.
  double priced(int edge, std::span<const double> prices) const {
    double sum = graph.score[edge];
    if (prices.empty()) return sum;
    for (const std::int32_t i : marks_of(edge)) sum += prices[i];
    return sum;
  }
};

struct ForestProblem {
  int indicators = 0;
  std::vector<SharedForest> forests;
  // A premise: what is not in the forest is worth no more than this. For decoders that leave out what
  // cannot be better than an answer in hand, which is worth that much.
  double floor = -kInfinity;
  // Indicator i is on where variable shared[i] of the graph is 1; none: there is no graph.
  Graph graph;
  std::vector<std::int32_t> shared;

  bool has_graph() const { return !shared.empty(); }
  void clear() { *this = {}; }
};

// The graph under a bound's prices, with what was supposed (-1: nothing) fixed.
Graph priced_graph(const ForestProblem& problem, std::span<const double> prices,
                   std::span<const std::int8_t> supposed);

struct ForestCertificate {
  // One entry of the log: a split (what follows is the log with `indicator` on, then the one with it
  // off), or a bound.
  struct Step {
    std::int32_t indicator = -1;  // of a split; -1: a bound
    // Of a bound: [forest][indicator], empty where there are none, and [forest][node].
    std::vector<std::vector<double>> prices, potentials;
    Certificate graph;  // of priced_graph(), if there is one
  };

  double value = -kInfinity, bound = -kInfinity;
  bool complete = false;
  // One a forest; none: the answer is the one that ForestProblem::floor is worth, or there is none.
  std::vector<Derivation> derivations;
  std::vector<std::uint8_t> assignment;  // of the graph, if there is one
  std::vector<Step> steps;
};

// The bound of one forest without indicators, for a derivation of it (which may be none).
ForestCertificate prove_best(const ForestProblem& problem, Derivation derivation);

// Builds the log of a search that splits: one bound for each of its leaves, those with the split's
// indicator on before those with it off.
class ForestProver {
 public:
  // assignment: of the graph, if there is one and an answer. seconds: what solving the graph may take
  // at all leaves together; where that is too little, the certificate is not complete.
  explicit ForestProver(const ForestProblem& problem, std::vector<std::uint8_t> assignment = {},
                        double seconds = 10);
  // path: the splits on the way to this leaf. prices: of the first of two forests, or of the forest
  // beside a graph; the second has their negatives. Prices of indicators on the path are the prover's
  // own. leaf, value: its bound and the answer's worth, if they are known: a graph is then solved no
  // closer than that needs.
  void add(std::span<const std::pair<std::int32_t, bool>> path, std::span<const double> prices,
           double leaf = kInfinity, double value = -kInfinity);
  // After the last leaf. `derivations` agree with each other and the assignment, or are none.
  ForestCertificate finish(std::vector<Derivation> derivations);

 private:
  double force_of(const std::vector<std::vector<double>>& prices, bool follows) const;
  double add_graph(std::span<const std::pair<std::int32_t, bool>> path, double tolerance,
                   ForestCertificate::Step& step);
  double seconds_left() const;

  const ForestProblem& problem_;
  std::chrono::steady_clock::time_point deadline_;
  std::vector<std::pair<std::int32_t, bool>> last_;
  bool any_ = false;
  double bound_ = -kInfinity;
  ForestCertificate out_;
};

// Of two forests, or a forest and a graph, that Agreement::run was asked about with keep_parts. Where
// a bound for each of its parts would take more than some 10 million numbers there is one only, at the
// prices before any split, and what they leave stays open.
ForestCertificate prove_agreed(const ForestProblem& problem, const AgreementResult& result,
                               std::vector<Derivation> derivations,
                               std::vector<std::uint8_t> assignment = {}, double seconds = 10);

// The same where the problem is still to be made: of two sides that write themselves down, and what
// they derive where these indicators are on (none: no answer), by
// shared_forest(on, SharedForest&, Derivation&).
template <class First, class Second>
ForestCertificate prove_agreed(First& first, Second& second, int indicators,
                               const AgreementResult& result, ForestProblem& problem) {
  problem.clear();
  problem.indicators = indicators;
  problem.forests.resize(2);
  std::vector<Derivation> best(2);
  first.shared_forest(result.on, problem.forests[0], best[0]);
  second.shared_forest(result.on, problem.forests[1], best[1]);
  if (result.on.empty()) best.clear();
  return prove_agreed(problem, result, std::move(best));
}

Verdict verify(const ForestProblem& problem, const ForestCertificate& certificate,
               double tolerance = 1e-6);

// JSON, each on one line. An Error if the text is damaged, with line and column.
std::string write_forests(const ForestProblem& problem, std::string_view name);
std::string write_forest_certificate(const ForestProblem& problem,
                                     const ForestCertificate& certificate);
bool is_forest_problem(std::string_view text);  // by its first keys
void read_forests(std::string_view text, std::string_view file, int line, ForestProblem& out);
ForestCertificate read_forest_certificate(const ForestProblem& problem, std::string_view text,
                                          std::string_view file, int line);

}  // namespace entente
