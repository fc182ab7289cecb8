// Folders use what is below them and nothing else: every #include is read against the table in
// docs/architecture.md, and the engine must stand without third-party code.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = ENTENTE_SOURCE_DIR;

// Rows such as "| `src/lp` | what it holds | base |": folder -> folders it may use.
std::map<std::string, std::set<std::string>> read_table() {
  std::map<std::string, std::set<std::string>> out;
  std::ifstream in(kRoot / "docs/architecture.md");
  const std::regex row(R"(^\| `(?:src/)?([a-z]+)` \|.*\| ([a-z, ]+) \|$)");
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    std::set<std::string>& uses = out[match[1]];
    std::stringstream names(match[2]);
    for (std::string name; std::getline(names, name, ',');) {
      name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
      if (name != "nothing") uses.insert(name);
    }
  }
  return out;
}

struct Include {
  fs::path file;
  std::string folder;  // that the file is in
  std::string name;
  bool quoted;
};

std::vector<Include> read_includes() {
  std::vector<Include> out;
  const std::regex line_form(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
  for (const char* top : {"src", "bench"}) {
    if (!fs::exists(kRoot / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
      const fs::path path = fs::relative(entry.path(), kRoot);
      const std::string name = path.filename().string();
      if (path.extension() != ".cc" && path.extension() != ".h") continue;
      if (name.ends_with("_test.cc") || name.ends_with("test_kit.h")) continue;
      const std::string folder =
          std::string(top) == "src" ? std::next(path.begin())->string() : top;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (std::regex_match(line, match, line_form))
          out.push_back({path, folder, match[2], match[1] == "\""});
      }
    }
  }
  return out;
}

TEST(IncludeDirection, TheTableNamesEveryFolder) {
  const auto table = read_table();
  ASSERT_GE(table.size(), 5u);
  for (const auto& entry : fs::directory_iterator(kRoot / "src")) {
    EXPECT_TRUE(table.contains(entry.path().filename().string())) << entry.path();
  }
}

TEST(IncludeDirection, FoldersUseOnlyWhatIsBelowThem) {
  const auto table = read_table();
  int seen = 0;
  for (const Include& include : read_includes()) {
    if (!include.quoted) continue;
    const std::size_t slash = include.name.find('/');
    ASSERT_NE(slash, std::string::npos)
        << include.file << ": write the path from src/: " << include.name;
    const std::string used = include.name.substr(0, slash);
    if (used == "entente" || used == include.folder) continue;  // the public headers are for all
    ASSERT_TRUE(table.contains(include.folder)) << include.file;
    EXPECT_TRUE(table.at(include.folder).contains(used))
        << include.file << " includes " << include.name;
    ++seen;
  }
  EXPECT_GT(seen, 10);
}

TEST(IncludeDirection, TheTableHasNoCircle) {
  const auto table = read_table();
  // Take away folders that use nothing that is left, until none is left.
  std::set<std::string> left;
  for (const auto& [folder, uses] : table) left.insert(folder);
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto& [folder, uses] : table) {
      if (!left.contains(folder)) continue;
      if (std::any_of(uses.begin(), uses.end(),
                      [&](const std::string& u) { return left.contains(u); }))
        continue;
      left.erase(folder);
      moved = true;
    }
  }
  EXPECT_TRUE(left.empty());
}

TEST(IncludeDirection, TheEngineUsesNoThirdPartyCode) {
  const std::set<std::string> engine = {"base", "oracle", "lp", "engine", "schema"};
  const std::set<std::string> outside = {"src/lp/cbc.cc", "src/lp/clp.cc", "src/lp/clp_watch.h",
                                         "src/lp/glpk.cc"};  // optional, and kept apart
  const std::set<std::string> posix = {"fcntl.h", "poll.h", "sys/mman.h", "sys/stat.h", "unistd.h"};
  for (const Include& include : read_includes()) {
    if (include.quoted || !engine.contains(include.folder) ||
        outside.contains(include.file.string()) || posix.contains(include.name))
      continue;
    // Headers of the standard library have neither a dot nor a folder.
    EXPECT_EQ(include.name.find_first_of("./"), std::string::npos)
        << include.file << " includes " << include.name;
  }
}

TEST(IncludeDirection, PublicHeadersIncludeOnlyPublicHeaders) {
  const std::regex line_form(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
  for (const auto& entry : fs::directory_iterator(kRoot / "include/entente")) {
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (!std::regex_match(line, match, line_form)) continue;
      const std::string name = match[2];
      if (match[1] == "\"") {
        // The types of documents are installed under entente/ with it (cmake/install_headers.cmake).
        const bool documents =
            entry.path().filename() == "language.h" && name.starts_with("corpus/");
        EXPECT_TRUE(documents || name.starts_with("entente/"))
            << entry.path() << " includes " << name;
      } else {
        EXPECT_EQ(name.find_first_of("./"), std::string::npos)
            << entry.path() << " includes " << name;
      }
    }
  }
}

}  // namespace
