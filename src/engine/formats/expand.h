// Problems in the forms that other formats can say.
//
//   Graph rows = expand_to_rows(g);     // no structured factors, no groups; variables and values stay
//   MultiValued m(g);                   // groups and free variables as variables with many values
//   m.functions(true, [&](const Function& f) { ... });
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "entente/graph.h"

namespace entente {

// Structured factors replaced by others (throws Error where that is not possible).
Graph expand_to_rows(const Graph& graph);

// A cost function over some multi-valued variables.
struct Function {
  std::vector<int> scope;
  std::vector<double> scores;  // dense: one a joint state, last variable fastest; -infinity forbids
  // Sparse instead (where asked for): everything scores 0 but these joint states, which score
  // `score`.
  bool sparse = false;
  double score = 0;
  std::vector<std::int32_t> tuples;  // scope.size() states each
};

// A graph as variables with domains and functions over them: groups are variables, and so are the
// variables of no group (values 0 and 1). Its value is the sum of unary scores and functions.
class MultiValued {
 public:
  explicit MultiValued(const Graph& graph);

  int size() const { return static_cast<int>(begin_.size()) - 1; }
  int domain(int variable) const { return begin_[variable + 1] - begin_[variable]; }
  // Scores of the variable's states; -infinity where it is not allowed.
  std::span<const double> unary(int variable) const {
    return std::span(unary_).subspan(begin_[variable], domain(variable));
  }
  // Functions over two and more variables, in the graph's order.
  const std::vector<Function>& functions() const { return functions_; }

  // Works out functions() and adds what has one variable or none to the unary scores. Throws Error
  // if a table would have more than 2^20 entries, or all of them more than 2^24. `sparse`:
  // at_least_one may give sparse functions.
  void work_out(bool sparse);

 private:
  void add_factor(const FactorView& f, const std::string& name, bool sparse);
  void add_pairs(const FactorView& f, const std::string& name);
  bool add_clause(const FactorView& f);
  void add_dense(const FactorView& f, const std::string& name);
  void fill(const FactorView& f, std::span<double> scores) const;
  bool is_table_of_scope(const FactorView& f) const;
  void find_scope(std::span<const Literal> links);
  void add_constant(double score);

  Graph graph_;
  std::vector<std::int32_t> owner_, state_;  // of each variable of the graph
  std::vector<std::int32_t> begin_{0};       // of each multi-valued variable's scores in unary_
  std::vector<double> unary_;
  std::vector<Function> functions_;
  std::vector<int> scope_, position_;  // position_: of a variable in scope_, -1 outside
  std::int64_t total_entries_ = 0;
};

}  // namespace entente
