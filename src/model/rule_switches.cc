#include "model/rule_switches.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"
#include "entente/error.h"

namespace entente {

namespace {

// Of tags, of trees, of frames.
constexpr std::array<std::string_view, 10> kNames = {
    "verb",  "three_verbs", "once",     "apart",    "needs",
    "words", "overlap",     "excludes", "requires", "core_sets"};

}  // namespace

bool is_rule_name(std::string_view name) {
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

void switch_rules(std::span<const std::string> names,
                  const std::function<bool(const std::string&)>& use) {
  for (const std::string& name : names) {
    if (use(name) || is_rule_name(name)) continue;
    Nearest nearest(name);
    for (std::string_view known : kNames) nearest.consider(known);
    throw Error("there is no rule " + quoted(name) + nearest.suggestion());
  }
}

}  // namespace entente
