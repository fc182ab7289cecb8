#include "cli/fixing.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cli/text.h"
#include "entente/error.h"

namespace entente::cli {

namespace {

// Names of variables; those of unnamed groups can also be called g0=1.
class Names {
 public:
  explicit Names(const Graph& g) {
    for (int v = 0; v < g.variable_count(); ++v) add(g.variable_name(Var{v}), v);
    for (std::size_t i = 0; i < g.groups().size(); ++i) {
      for (int s = 0; s < g.groups()[i].size; ++s) {
        add(g.group_name(static_cast<int>(i)) + "=" + std::to_string(s), g.groups()[i].first + s);
      }
    }
  }
  int find(std::string_view name) const {
    auto it = by_name_.find(std::string(name));
    return it == by_name_.end() ? -1 : it->second;
  }
  [[noreturn]] void fail(std::string_view name) const {
    std::string message = "--fix: no variable is called \"" + std::string(name) + "\"";
    const std::string_view near = nearest(name, all_);
    if (!near.empty()) message += "; did you mean \"" + std::string(near) + "\"?";
    throw Error(message);
  }

 private:
  void add(const std::string& name, int variable) {
    if (by_name_.emplace(name, variable).second) all_.push_back(name);
  }
  std::unordered_map<std::string, int> by_name_;
  std::vector<std::string> all_;
};

std::pair<int, bool> parse_fix(const Names& names, std::string_view text) {
  if (int v = names.find(text); v >= 0) return {v, true};
  if (text.starts_with('!')) {
    if (int v = names.find(text.substr(1)); v >= 0) return {v, false};
    names.fail(text.substr(1));
  }
  const std::size_t split = text.rfind('=');
  if (split == std::string_view::npos) names.fail(text);
  const std::string_view value = text.substr(split + 1);
  if (value != "0" && value != "1") names.fail(text);
  if (int v = names.find(text.substr(0, split)); v >= 0) return {v, value == "1"};
  names.fail(text.substr(0, split));
}

}  // namespace

void apply_fixes(Graph& graph, std::span<const std::string> fixes) {
  if (fixes.empty()) return;
  const Names names(graph);
  std::unordered_map<int, bool> done;
  for (const std::string& text : fixes) {
    const auto [variable, value] = parse_fix(names, text);
    if (!done.emplace(variable, value).second && done[variable] != value)
      throw Error("--fix: \"" + graph.variable_name(Var{variable}) + "\" is fixed to 0 and to 1");
    graph.fix(Var{variable}, value);
  }
}

}  // namespace entente::cli
