// Rules by name, switched on the command line: --without once, --with verb. Several layers of one
// command have them, so that a layer must tell a name of another from one that is misspelt.
//
//   switch_rules(settings.list("without"), [&](const std::string& name) { return mine(name); });
//
// O(names); thread-safe.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace entente {

// Calls use(name) for each; it returns false if the name is none of its rules. Error if it is no
// other layer's either, with the nearest name.
void switch_rules(std::span<const std::string> names,
                  const std::function<bool(const std::string&)>& use);
// Is there a rule of this name in any layer?
bool is_rule_name(std::string_view name);

}  // namespace entente
