#include "pipeline/models.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "entente/error.h"

namespace entente {

namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".model";
constexpr const char* kLanguage = "english";  // where no model is named

std::vector<fs::path> model_places(const std::string& folder = {}) {
  std::vector<fs::path> places;
  if (!folder.empty()) places.emplace_back(folder);
  if (const char* set = std::getenv("ENTENTE_MODELS"); set && *set) places.emplace_back(set);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    places.push_back(program.parent_path() / "../models");
    places.push_back(program.parent_path() / "../share/entente/models");
  }
  places.emplace_back(ENTENTE_SOURCE_MODELS);  // a build elsewhere than in the source tree
  for (fs::path& place : places) place = place.lexically_normal();
  return places;
}

// The file of a model that ships; empty if there is none.
std::string shipped(const std::string& name, const std::string& folder) {
  std::error_code error;
  for (const fs::path& place : model_places(folder)) {
    const fs::path path = place / (name + kEnding);
    if (fs::exists(path, error)) return path.lexically_normal().string();
  }
  return {};
}

bool has_task(const std::string& path, const Task& task) { return task.is_in(ModelFile(path)); }

}  // namespace

std::string find_model(const std::string& name, const std::string& folder) {
  if (name.find('/') != std::string::npos || name.ends_with(kEnding)) return name;
  if (std::string path = shipped(name, folder); !path.empty()) return path;
  std::error_code error;
  if (fs::exists(name, error)) return name;
  std::string looked;
  for (const fs::path& place : model_places(folder))
    looked += (looked.empty() ? "" : ", ") + place.string();
  throw Error("no model \"" + name + "\" in " + looked +
              "; give a file with -m, or make one with `entente train`");
}

std::vector<std::string> shipped_models() {
  std::vector<std::string> out, names;
  for (const fs::path& place : model_places()) {
    std::error_code error;
    std::vector<fs::path> here;
    for (const fs::directory_entry& entry : fs::directory_iterator(place, error)) {
      if (entry.path().extension() == kEnding) here.push_back(entry.path());
    }
    std::sort(here.begin(), here.end());
    for (const fs::path& path : here) {
      const std::string name = path.filename().string();
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      names.push_back(name);
      out.push_back(path.string());
    }
  }
  return out;
}

std::vector<std::string> choose_models(std::span<const std::string> named,
                                       std::span<const Task* const> tasks,
                                       const std::string& folder) {
  std::vector<std::string> out;
  for (const std::string& name : named) out.push_back(find_model(name, folder));
  const bool language = std::any_of(tasks.begin(), tasks.end(),
                                    [](const Task* task) { return task->from_treebank(); });
  if (named.empty() && language) out.push_back(find_model(kLanguage, folder));
  bool own_language = false;  // one of those named says what words are
  std::vector<const Task*> missing;
  for (const Task* task : tasks) {
    const bool found = std::any_of(out.begin(), out.end(),
                                   [&](const std::string& path) { return has_task(path, *task); });
    own_language = own_language || (found && task->from_treebank());
    if (!found) missing.push_back(task);
  }
  const std::size_t given = out.size();
  for (const Task* task : missing) {
    const bool found = std::any_of(out.begin() + static_cast<std::ptrdiff_t>(given), out.end(),
                                   [&](const std::string& path) { return has_task(path, *task); });
    if (found) continue;
    std::string path = shipped(std::string(task->name()), folder);
    if (path.empty() && task->from_treebank() && !own_language) path = shipped(kLanguage, folder);
    if (!path.empty() && has_task(path, *task)) out.push_back(path);
  }
  if (out.empty()) {
    throw Error("no model of " + std::string(tasks.back()->name()) +
                " is there; give a file with -m, or make one with `entente train`");
  }
  return out;
}

}  // namespace entente
