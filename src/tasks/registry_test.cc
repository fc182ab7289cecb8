#include "tasks/registry.h"

#include <gtest/gtest.h>

#include <set>

#include "entente/error.h"

namespace entente {
namespace {

TEST(Registry, TasksStandAfterThoseTheyNeed) {
  std::set<std::string_view> before;
  for (const Task* task : all_tasks()) {
    for (std::string_view name : task->needs()) EXPECT_TRUE(before.contains(name)) << task->name();
    EXPECT_TRUE(before.insert(task->name()).second) << task->name();
  }
}

TEST(Registry, OnlyWhatIsNeededRuns) {
  const std::vector<std::string> wanted = {"relations"};
  std::vector<std::string_view> names;
  for (const Task* task : needed_tasks(wanted)) names.push_back(task->name());
  EXPECT_EQ(names, (std::vector<std::string_view>{"tokens", "tags", "entities", "relations"}));
  EXPECT_THROW(find_task("relation"), Error);
}

// Defaults are in their own range, and options of `parse` that share a name are of one kind.
TEST(Registry, SettingsAreWhole) {
  std::map<std::string, Setting::Kind> parsing;
  for (const Task* task : all_tasks()) {
    std::set<std::string> names;
    for (const Setting& s : task->settings()) {
      EXPECT_FALSE(s.help.empty()) << s.name;
      if (!s.otherwise.empty() && !s.is_list) {
        EXPECT_NO_THROW(Settings(std::string(task->name()), {s}, s.verbs, {{s.name, s.otherwise}}))
            << task->name() << "." << s.name;
      }
      if (s.verbs & kParse) {
        EXPECT_EQ(parsing.try_emplace(s.name, s.kind).first->second, s.kind) << s.name;
      }
    }
  }
}

TEST(Settings, AreCheckedAgainstTheTable) {
  const std::vector<Setting> table = {
      setting::number("rate", 0.5, 0, 1, "x"), setting::integer("size", 3, 1, 9, "x"),
      setting::choice("how", {"a", "b"}, "a", "x"), setting::list("only", "x").in(kParse),
      setting::flag("loud", "x")};
  const Settings s("t", table, kTrain, {{"rate", "0.25"}, {"loud", ""}});
  EXPECT_EQ(s.number("rate"), 0.25);
  EXPECT_EQ(s.integer("size"), 3);
  EXPECT_TRUE(s.flag("loud"));
  EXPECT_FALSE(s.given("size"));
  EXPECT_EQ(Settings("t", table, kParse, {{"only", "x"}, {"only", "y"}}).list("only").size(), 2u);
  for (const auto& given : GivenSettings{{"rate", "2"},
                                         {"size", "1.5"},
                                         {"how", "c"},
                                         {"only", "x"},
                                         {"sise", "1"},
                                         {"loud", "yes"}}) {
    EXPECT_THROW(Settings("t", table, kTrain, {given}), Error) << given.first;
  }
}

}  // namespace
}  // namespace entente
