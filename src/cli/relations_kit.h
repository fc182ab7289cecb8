// What the commands of the relations task share.
#pragma once

#include <string>
#include <vector>

#include "tasks/relations/constraints.h"
#include "tasks/relations/passage.h"
#include "tasks/relations/settings.h"

namespace entente::cli {

std::vector<Conll04Sentence> read_all_conll04(const std::vector<std::string>& paths);
// From name=value, or relations.name=value.
relations::Settings relation_settings(const std::vector<std::string>& assignments);
// Says on standard error which packages are missing, unless quiet.
relations::Gazetteer read_names(const relations::Settings& settings, bool quiet);
relations::RuleSet rules_without(const std::vector<std::string>& names);

}  // namespace entente::cli
