// What UAI and wcsp share when read: variables with domains become groups, functions become tables.
#pragma once

#include <vector>

#include "engine/formats/words.h"
#include "entente/graph.h"

namespace entente {

class Domains {
 public:
  Domains(Words& words, std::size_t text_size, Graph& graph)
      : words_(words), text_size_(text_size), graph_(graph) {}

  // Reads a domain size and adds the variable. A short text cannot ask for much memory.
  void read_variable();
  int size() const { return static_cast<int>(seen_.size()); }  // variables read
  int domain(int variable) const { return graph_.groups()[variable].size; }

  // Reads `count` variables, none twice.
  void read_scope(std::int64_t count);
  const std::vector<int>& scope() const { return scope_; }
  void set_scope(std::vector<int> scope) { scope_ = std::move(scope); }  // one read before
  // How many joint states the scope has; more than `most` is an error at `offset`.
  std::int64_t entries(std::int64_t most, std::size_t offset) const;

  // A score for every joint state of the scope. Unary ones and constants become scores of
  // variables.
  void add_table(const std::vector<double>& scores);
  // All joint states of the scope get `score`: wherever it goes, it counts exactly once.
  void add_constant(double score);
  void forbid_everything();

 private:
  Words& words_;
  std::size_t text_size_;
  Graph& graph_;
  std::size_t states_ = 0;
  std::vector<int> scope_;
  std::vector<std::int64_t> seen_;  // the scope in which a variable occurred last
  std::int64_t scope_count_ = 0;
  std::vector<Literal> literals_;
  std::vector<std::int32_t> axes_;
  std::vector<double> zeros_;
};

}  // namespace entente
