// Columns of variables that may change places: bins of one size, machines of one kind. Rows that differ
// in nothing but their variables make the columns, elementwise; what else is tied to one of them (the
// bin's own variable) goes with it. Any two columns exchanged leave the problem as it is.
//
//   AlikeFinder finder;
//   finder.reset(graph);                               // nothing is done yet
//   for (const auto& set : finder.find()) ...          // set.columns[j][i]: a variable
//
// An answer can have its columns in the order in which a list of choices first takes them: of the i-th
// choice only the first i + 1 columns need be looked at (the step `alike` of docs/certificates.md).
// Cost: a pass over the factors where no two rows are alike, else one over the links they touch for
// each column, up to a fixed number of them.
#pragma once

#include <cstdint>
#include <vector>

#include "entente/graph.h"

namespace entente {

struct AlikeSet {
  std::vector<std::vector<std::int32_t>> columns;  // variables
  std::vector<double> weight;                      // of each place in the row, 0 beyond it
};

class AlikeFinder {
 public:
  void reset(const Graph& graph) {
    graph_ = &graph;
    looked_ = false;
  }
  const std::vector<AlikeSet>& find();

 private:
  bool rows_alike(const FactorView& a, const FactorView& b) const;
  void list_rows();
  void index_factors();
  void add_run();
  bool extend(AlikeSet& set);
  bool exchange(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b);
  bool key_of(int factor, std::vector<double>& key) const;  // its variables as image_ says

  const Graph* graph_ = nullptr;
  bool looked_ = false;
  std::size_t links_seen_ = 0;
  std::vector<AlikeSet> sets_;
  std::vector<std::vector<std::int32_t>> factors_of_;  // of each variable
  std::vector<std::int32_t> image_, column_;           // of each variable
  std::vector<std::int32_t> run_;                      // rows that are alike
  struct Row {
    std::int32_t factor;
    std::size_t links;
    double score;  // of the first
  };
  std::vector<Row> rows_;
};

}  // namespace entente
