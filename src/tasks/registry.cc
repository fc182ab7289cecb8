#include "tasks/registry.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "entente/error.h"
#include "tasks/alignment/task.h"
#include "tasks/clusters/task.h"
#include "tasks/constituency/task.h"
#include "tasks/ccg/task.h"
#include "tasks/dependency/task.h"
#include "tasks/entities/task.h"
#include "tasks/frames/task.h"
#include "tasks/lemmas/task.h"
#include "tasks/relations/task.h"
#include "tasks/roles/task.h"
#include "tasks/tagging/task.h"
#include "tasks/tokens/task.h"
#include "tasks/translation/task.h"

namespace entente {

std::span<const Task* const> all_tasks() {
  static const ClustersTask clusters;
  static const TokensTask tokens;
  static const TaggingTask tags;
  static const LemmasTask lemmas;
  static const DependencyTask dependency;
  static const ConstituencyTask constituency;
  static const FramesTask frames;
  static const EntitiesTask entities;
  static const RelationsTask relations;
  static const RolesTask roles;
  static const CcgTask ccg;
  static const AlignmentTask alignment;
  static const TranslationTask translation;
  static const Task* const all[] = {
      &clusters,
      &tokens,
      &tags,
      &lemmas,
      &dependency,
      &constituency,
      &frames,
      &entities,
      &relations,
      &roles,
      &ccg,
      &alignment,
      &translation,
  };
  return all;
}

const Task& find_task(std::string_view name) {
  Nearest nearest(name);
  std::string names;
  for (const Task* task : all_tasks()) {
    if (task->name() == name) return *task;
    nearest.consider(task->name());
    names += (names.empty() ? "" : ", ") + std::string(task->name());
  }
  const std::string near = nearest.suggestion();
  throw Error("unknown task " + quoted(name) + (near.empty() ? "; there are " + names : near));
}

std::vector<const Task*> needed_tasks(std::span<const std::string> names) {
  const std::span<const Task* const> all = all_tasks();
  std::vector<std::uint8_t> needed(all.size());
  const auto mark = [&](std::string_view name) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i]->name() == name) needed[i] = 1;
    }
  };
  for (const std::string& name : names) mark(find_task(name).name());
  // Tasks stand after those they need, so that one pass from behind finds all.
  for (std::size_t i = all.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (std::string_view name : all[i]->needs()) mark(name);
  }
  std::vector<const Task*> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (needed[i]) out.push_back(all[i]);
  }
  return out;
}

std::vector<const Task*> tasks_below(const Task& task) {
  std::vector<std::string> names;
  for (std::string_view name : task.needs()) names.emplace_back(name);
  return needed_tasks(names);
}

}  // namespace entente
