#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "cli/language_commands.h"
#include "entente/error.h"

namespace entente::cli {

namespace fs = std::filesystem;

std::string find_model(const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(".model")) return name;
  std::vector<fs::path> places;
  if (const char* set = std::getenv("ENTENTE_MODELS"); set && *set) places.emplace_back(set);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    places.push_back(program.parent_path() / "../models");
    places.push_back(program.parent_path() / "../share/entente/models");
  }
  places.emplace_back(ENTENTE_SOURCE_MODELS);  // a build elsewhere than in the source tree
  for (const fs::path& place : places) {
    const fs::path path = place / (name + ".model");
    if (fs::exists(path, error)) return path.lexically_normal().string();
  }
  if (fs::exists(name, error)) return name;
  std::string looked;
  for (const fs::path& place : places)
    looked += (looked.empty() ? "" : ", ") + place.lexically_normal().string();
  throw Error("no model \"" + name + "\" in " + looked +
              "; give a file with -m, or make one with `entente train`");
}

}  // namespace entente::cli
