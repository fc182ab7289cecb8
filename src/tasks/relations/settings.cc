#include "tasks/relations/settings.h"

#include <cmath>

#include "base/text.h"
#include "entente/error.h"

namespace entente::relations {

namespace {

double number(const std::string& name, const std::string& text, double least, double most) {
  const auto value = parse_number(text);
  if (value && *value >= least && *value <= most) return *value;
  std::string message = "relations: setting " + quoted(name) + " must be a number from ";
  append_number(message, least);
  message += " to ";
  append_number(message, most);
  throw Error(message + ", not " + quoted(text));
}

int integer(const std::string& name, const std::string& text, int least, int most) {
  const double value = number(name, text, least, most);
  if (value != std::floor(value)) {
    throw Error("relations: setting " + quoted(name) + " must be a whole number, not " +
                quoted(text));
  }
  return static_cast<int>(value);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> setting_help() {
  return {{"learner", "log_linear or winnow"},
          {"entity_l2", "how strongly entity weights are held near 0"},
          {"relation_l2", "the same of relation weights"},
          {"iterations", "of L-BFGS; Winnow goes through the examples a sixth as often"},
          {"jackknife", "parts the corpus is cut into for calibration; 0: none"},
          {"names", "folder with the lists of iso-codes, rig and wordnet; none: no lists"}};
}

Settings read_settings(const std::map<std::string, std::string>& settings) {
  Settings out;
  ClassifierOptions& c = out.classifiers;
  for (const auto& [name, text] : settings) {
    if (name == "learner") {
      if (text != "log_linear" && text != "winnow") {
        throw Error("relations: setting \"learner\" must be log_linear or winnow, not " +
                    quoted(text));
      }
      c.learner = text == "winnow" ? Learner::winnow : Learner::log_linear;
    } else if (name == "entity_l2") {
      c.entity_l2 = number(name, text, 1e-6, 1e6);
    } else if (name == "relation_l2") {
      c.relation_l2 = number(name, text, 1e-6, 1e6);
    } else if (name == "iterations") {
      c.iterations = integer(name, text, 1, 10000);
    } else if (name == "jackknife") {
      c.jackknife = integer(name, text, 0, 100);
      if (c.jackknife == 1) throw Error("relations: setting \"jackknife\" must be 0 or at least 2");
    } else if (name == "names") {
      out.names = text;
    } else {
      Nearest nearest(name);
      for (const auto& [known, help] : setting_help()) nearest.consider(known);
      throw Error("relations has no setting " + quoted(name) + nearest.suggestion());
    }
  }
  return out;
}

}  // namespace entente::relations
