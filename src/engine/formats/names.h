// Variables by name, for readers of JSON: given names, and x0, x1, ... for variables without one.
//
//   VariableNames names(graph);
//   Var v{names.find("role=null")};     // index -1: unknown
//
// Building is O(variables), find is O(1). Reading from many threads is safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "entente/graph.h"

namespace entente {

class VariableNames {
 public:
  VariableNames() = default;
  explicit VariableNames(const Graph& graph);  // throws Error if two variables share a name

  // Names for variables in order; an empty name leaves the default one. Views must outlive this.
  // Returns false if the name is taken.
  bool add(std::string_view name);
  std::string_view keep(std::string text) { return table_.keep(std::move(text)); }
  void reserve(std::size_t names) { table_.reserve(names); }
  int size() const { return count_; }
  int find(std::string_view name) const;
  void prefetch(std::string_view name) const { table_.prefetch(name); }
  // The first named variable whose name is the default name of another, nameless one; -1 if none.
  int clash() const;
  std::string suggestion(std::string_view wanted) const;

 private:
  // K for the text xK written without needless zeros, -1 otherwise.
  static int default_index(std::string_view name);
  bool named(int variable) const {
    return variable < static_cast<int>(named_.size()) && named_[variable];
  }

  NameTable table_;
  std::vector<std::int32_t> variable_;  // of each name in the table
  std::vector<bool> named_;
  int count_ = 0;
};

}  // namespace entente
