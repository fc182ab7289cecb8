#include "model/settings.h"

#include <cmath>

#include "base/text.h"
#include "entente/error.h"

namespace entente {

SettingReader::SettingReader(const Task& task, const std::map<std::string, std::string>& settings)
    : task_(task.name()), settings_(settings) {
  const auto known = task.settings();
  for (const auto& [name, value] : settings) {
    Nearest nearest(name);
    bool found = false;
    for (const auto& [known_name, help] : known) {
      found = found || known_name == name;
      nearest.consider(known_name);
    }
    if (!found) {
      throw Error(task_ + " has no setting " + quoted(name) + nearest.suggestion());
    }
  }
}

double SettingReader::number(const std::string& name, double otherwise, double least,
                             double most) const {
  const auto it = settings_.find(name);
  if (it == settings_.end()) return otherwise;
  const std::optional<double> value = parse_number(it->second);
  if (!value || !(*value >= least && *value <= most)) {
    std::string message = task_ + ": setting \"" + name + "\" must be a number from ";
    append_number(message, least);
    message += " to ";
    append_number(message, most);
    throw Error(message + ", not " + quoted(it->second));
  }
  return *value;
}

int SettingReader::integer(const std::string& name, int otherwise, int least, int most) const {
  const double value = number(name, otherwise, least, most);
  if (value != std::floor(value)) {
    throw Error(task_ + ": setting \"" + name + "\" must be a whole number, not " +
                quoted(settings_.find(name)->second));
  }
  return static_cast<int>(value);
}

}  // namespace entente
