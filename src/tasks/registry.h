// Every task there is, in the order they run: each after those it needs. A new task is one line in
// registry.cc.
//
//   for (const Task* task : needed_tasks({"frames"})) ...   // tokens, tags, ..., frames
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/task.h"

namespace entente {

std::span<const Task* const> all_tasks();
// An Error that says which there are, and which may have been meant.
const Task& find_task(std::string_view name);
// These and all they need, in the order they run, each once.
std::vector<const Task*> needed_tasks(std::span<const std::string> names);
// The same of one, without itself.
std::vector<const Task*> tasks_below(const Task& task);

}  // namespace entente
