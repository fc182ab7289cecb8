#include "base/output_paths.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "entente/error.h"

namespace entente {
namespace {

TEST(OutputPaths, OneFileForTwoIsAnErrorAndDevicesAreNot) {
  EXPECT_THROW(expect_apart({"-", "", "-"}), Error);
  EXPECT_THROW(expect_apart({"a/x.json", "-", "./a/x.json"}), Error);
  EXPECT_NO_THROW(expect_apart({"-", "", ""}));
  EXPECT_NO_THROW(expect_apart({"a/x.json", "b/x.json", "-"}));
  EXPECT_NO_THROW(expect_apart({"/dev/null", "/dev/null"}));
}

TEST(OutputPaths, WhatIsReadIsKeptHoweverItIsSpelled) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "output_paths_test";
  fs::remove_all(folder);
  fs::create_directories(folder / "sub");
  std::ofstream(folder / "p.json") << "{}";
  fs::create_symlink(folder / "p.json", folder / "link.json");
  fs::create_hard_link(folder / "p.json", folder / "hard.json");
  const std::string at = folder.string();
  const std::vector<std::string> inputs = {at + "/q.json", at + "/p.json"};
  for (const char* name : {"/p.json", "/./p.json", "/sub/../p.json", "/link.json", "/hard.json"})
    EXPECT_THROW(expect_kept(inputs, {"-", "", at + name}), Error) << name;
  EXPECT_NO_THROW(expect_kept(inputs, {"-", "", at + "/r.json", at + "/sub/p.json"}));
  EXPECT_NO_THROW(expect_kept(std::vector<std::string>{"/dev/null"}, {"/dev/null"}));
  EXPECT_THROW(expect_kept(std::vector<std::string>{at}, {at + "/sub/.."}), Error);
  EXPECT_THROW(expect_apart({at + "/new.json", at + "/sub/../new.json"}), Error);
  EXPECT_THROW(expect_apart({at + "/p.json", at + "/link.json"}), Error);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace entente
