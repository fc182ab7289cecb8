// Settings of the relations task as the command line gives them (name -> text).
//
//   Settings s = read_settings({{"learner", "winnow"}});          // Error: unknown setting, bad
//   value for (auto& [name, help] : setting_help()) ...
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tasks/relations/classifiers.h"

namespace entente::relations {

struct Settings {
  ClassifierOptions classifiers;
  std::string names = "/usr/share";  // where Debian's packages put their lists; "none": no lists
};

std::vector<std::pair<std::string, std::string>> setting_help();
Settings read_settings(const std::map<std::string, std::string>& settings);

}  // namespace entente::relations
