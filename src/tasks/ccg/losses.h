// What a parse may cost, by its dependencies: the losses of softmax-margin training (Auli and Lopez
// 2011), decomposed over edges or exact over whole parses.
//
//   Loss loss = parse_loss("decf1");                     // cll, hamming, decp, ..., f1, f:2
//   count_edges(chart, gold, counts);                    // n+, d+, c+ of every edge
//   LossSums sums;
//   double log_z = sums.run(forest, scores, loss, counts, gold.size());  // of exp(score + tau
//   loss) sums.marginals();                                    // d log_z / d score, edge by edge
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/hypergraph/f_measure.h"
#include "oracle/hypergraph/sums.h"
#include "tasks/ccg/chart.h"

namespace entente::ccg {

enum class LossKind : std::uint8_t {
  likelihood,
  hamming,        // a wrong lexical category
  dec_precision,  // a wrong dependency
  dec_recall,     // one that was due here and is missed
  dec_f1,         // both
  precision,
  recall,
  f_measure,  // with beta
  corpus_f1,  // of all sentences together: see training.h
};

struct Loss {
  LossKind kind = LossKind::likelihood;
  double beta = 1;  // of f_measure
  double tau = 1;
  double error = 1e-10;  // of exact losses: see FMeasureLoss
};

// "cll", "hamming", "decp", "decr", "decf1", "precision", "recall", "f1", "f:2", "corpus_f1". Error otherwise.
Loss parse_loss(std::string_view name);

// What an edge adds to the counts of a parse.
struct EdgeCounts {
  std::vector<std::int32_t> correct, total;  // dependencies: n+, d+
  std::vector<std::int32_t> due;             // gold ones between its children: c+, at least n+
  std::vector<std::int32_t> wrong_word;      // 1 for a lexical edge with another category
};
// gold: sorted; supertags: the right category of each word.
void count_edges(const Chart& chart, std::span<const Dependency> gold,
                 std::span<const CategoryId> supertags, EdgeCounts& out);

class LossSums {
 public:
  // log of the sum over derivations of exp(score + tau loss); any loss but corpus_f1.
  double run(const Hypergraph& forest, std::span<const double> score, const Loss& loss,
             const EdgeCounts& counts, int gold);
  std::span<const double> marginals() const { return marginals_; }
  int passes() const { return passes_; }  // plain passes that the last run took
  // By how many dependencies derivations differed, if the last loss was exact.
  int range() const { return f_measure_.largest_total() - f_measure_.smallest_total(); }

 private:
  ForestSums sums_;
  FMeasureSums f_measure_;
  std::vector<double> shifted_;
  std::span<const double> marginals_;
  int passes_ = 0;
};

}  // namespace entente::ccg
