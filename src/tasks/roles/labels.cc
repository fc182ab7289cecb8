#include "tasks/roles/labels.h"

#include <algorithm>
#include <map>

namespace entente::roles {

RoleLabels RoleLabels::from_names(std::vector<std::string> names) {
  RoleLabels out;
  out.names = std::move(names);
  for (const std::string& name : out.names) {
    const std::string_view prefix = propbank::role_prefix(name);
    const int bare = prefix.empty() ? -1 : out.find(propbank::bare_role(name));
    out.continued.push_back(prefix == "C-" ? bare : -1);
    out.referred.push_back(prefix == "R-" ? bare : -1);
    out.numbered.push_back(prefix.empty() && propbank::is_numbered(name));
  }
  return out;
}

RoleLabels RoleLabels::of(std::span<const propbank::PropSentence> sentences, int least) {
  std::map<std::string, int> counts;
  for (const auto& s : sentences) {
    for (const auto& p : s.propositions) {
      for (const auto& r : p.roles) ++counts[r.label];
    }
  }
  std::vector<std::pair<int, std::string>> order;
  for (const auto& [name, count] : counts) {
    if (count < least || propbank::bare_role(name) == "V") continue;
    // What continues or refers needs the role itself.
    const auto bare = counts.find(std::string(propbank::bare_role(name)));
    if (bare != counts.end() && bare->second >= least) order.push_back({-count, name});
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> names = {""};
  for (auto& [count, name] : order) names.push_back(std::move(name));
  return from_names(std::move(names));
}

int RoleLabels::find(std::string_view name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

}  // namespace entente::roles
