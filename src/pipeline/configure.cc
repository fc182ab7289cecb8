#include "pipeline/configure.h"

#include <map>

#include "entente/error.h"
#include "tasks/registry.h"

namespace entente {

namespace {

bool has_setting(std::string_view layer, const std::string& name) {
  for (const Setting& s : find_task(layer).settings()) {
    if ((s.verbs & kAnnotate) && s.name == name) return true;
  }
  return false;
}

[[noreturn]] void fail_setting(const std::string& owner, const std::string& name) {
  std::string layers;
  for (const Task* task : all_tasks()) {
    const bool has = owner.empty() ? has_setting(task->name(), name) : task->name() == owner;
    if (has) layers += (layers.empty() ? "" : ", ") + std::string(task->name());
  }
  if (layers.empty()) throw Error("no layer has a setting \"" + name + "\"");
  throw Error("--" + name + " is for " + layers + ": ask for it with --layers");
}

}  // namespace

void configure_layers(Pipeline& pipeline, std::span<const std::string> running,
                      const GivenSettings& settings) {
  std::map<std::string, GivenSettings> given;
  for (const auto& [name, value] : settings) {
    const std::size_t dot = name.find('.');
    const std::string owner = dot == std::string::npos ? "" : name.substr(0, dot);
    const std::string own = dot == std::string::npos ? name : name.substr(dot + 1);
    bool taken = false;
    for (const std::string& layer : running) {
      if (!(owner.empty() ? has_setting(layer, own) : owner == layer)) continue;
      given[layer].emplace_back(own, value);
      taken = true;
    }
    if (!taken) fail_setting(owner, own);
  }
  for (const auto& [layer, its] : given) pipeline.configure(layer, its);
}

}  // namespace entente
