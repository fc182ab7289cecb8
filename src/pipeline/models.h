// Where models are: those that ship, those of the user, and which of them a task needs.
//
//   find_model("english");                                   // a path, or an Error that says where
//   choose_models({}, needed_tasks({"frames"}));             // english.model, frames.model
//   for (const std::string& path : shipped_models()) ...
//
// Models are looked for in $ENTENTE_MODELS, beside the program (../models, ../share/entente/models)
// and in the source tree it was built from; before all of these in `folder`, if one is given. english.model holds what a text needs; any other task
// that ships has a model called after it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/task.h"

namespace entente {

// A path, or the name of a model that ships ("english"): the file to read.
std::string find_model(const std::string& name, const std::string& folder = {});

// Paths of all that is there, the first place's first, each name once.
std::vector<std::string> shipped_models();

// The files to read for these tasks: those that were named, in their order, then for each task that
// none of them has the one that ships. A model that knows a language is not mixed with english.model.
std::vector<std::string> choose_models(std::span<const std::string> named,
                                       std::span<const Task* const> tasks,
                                       const std::string& folder = {});

}  // namespace entente
