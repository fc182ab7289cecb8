#include "tasks/registry.h"

#include <array>
#include <string>

#include "base/text.h"
#include "entente/error.h"
#include "tasks/dependency/task.h"
#include "tasks/frames/task.h"
#include "tasks/lemmas/task.h"
#include "tasks/tagging/task.h"
#include "tasks/tokens/task.h"

namespace entente {

std::span<const Task* const> all_tasks() {
  static const TokensTask tokens;
  static const TaggingTask tags;
  static const LemmasTask lemmas;
  static const DependencyTask dependency;
  static const FramesTask frames;
  static const std::array<const Task*, 5> all = {&tokens, &tags, &lemmas, &dependency, &frames};
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
  throw Error("unknown task " + quoted(name) + nearest.suggestion() + "; there are " + names);
}

}  // namespace entente
