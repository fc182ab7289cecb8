// Every task there is, in the order they run. A new task is one line in registry.cc.
#pragma once

#include <span>
#include <string_view>

#include "model/task.h"

namespace entente {

std::span<const Task* const> all_tasks();
// An Error that says which there are, and which may have been meant.
const Task& find_task(std::string_view name);

}  // namespace entente
