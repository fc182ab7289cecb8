#include "engine/formats/names.h"

namespace entente {

VariableNames::VariableNames(const Graph& graph) {
  const int n = graph.variable_count();
  if (!graph.has_names()) {
    count_ = n;
    return;
  }
  table_.reserve(n);
  for (int v = 0; v < n; ++v) {
    const std::string_view name = keep(graph.variable_name(Var{v}));
    if (!add(name)) throw Error("two variables are called " + quoted(name));
  }
}

bool VariableNames::add(std::string_view name) {
  const int variable = count_++;
  if (name.empty()) return true;
  if (!table_.add(name).fresh) return false;
  variable_.push_back(variable);
  named_.resize(count_, false);
  named_[variable] = true;
  return true;
}

int VariableNames::default_index(std::string_view name) {
  if (name.size() < 2 || name.size() > 10 || name[0] != 'x') return -1;
  if (name[1] == '0' && name.size() > 2) return -1;
  int index = 0;
  for (char c : name.substr(1)) {
    if (c < '0' || c > '9') return -1;
    index = index * 10 + (c - '0');
  }
  return index;
}

int VariableNames::find(std::string_view name) const {
  if (const int i = table_.find(name); i >= 0) return variable_[i];
  const int index = default_index(name);
  return index >= 0 && index < count_ && !named(index) ? index : -1;
}

int VariableNames::clash() const {
  if (table_.size() == count_) return -1;
  for (int i = 0; i < table_.size(); ++i) {
    const int index = default_index(table_.name(i));
    if (index >= 0 && index < count_ && !named(index)) return variable_[i];
  }
  return -1;
}

std::string VariableNames::suggestion(std::string_view wanted) const {
  Nearest nearest(wanted);
  for (int i = 0; i < table_.size(); ++i) nearest.consider(table_.name(i));
  return nearest.suggestion();
}

}  // namespace entente
