// Settings of a task as the command line gives them (name -> text), read as numbers with bounds.
//
//   const SettingReader read(task, options.settings);   // Error: unknown setting, with a
//   suggestion double rate = read.number("rate", 0.04, 0.0001, 10); int bits = read.integer("size",
//   16, 4, 24);
//
// Thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "model/task.h"

namespace entente {

class SettingReader {
 public:
  SettingReader(const Task& task, const std::map<std::string, std::string>& settings);
  // The setting, or `otherwise` if it was not given. Error if it is no number of least..most.
  double number(const std::string& name, double otherwise, double least, double most) const;
  int integer(const std::string& name, int otherwise, int least, int most) const;

 private:
  std::string task_;
  const std::map<std::string, std::string>& settings_;
};

}  // namespace entente
