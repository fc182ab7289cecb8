#include "tasks/ccg/bench_rows.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "entente/error.h"

namespace entente::ccg {
namespace {

class KeptRowsTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  const std::string folder_ = testing::TempDir() + "/ccg_rows_test";
  Monitor monitor_;
};

BenchRow some_row() {
  BenchRow row;
  row.note = "data used 91.0%";
  for (int i = 1; i < 4; ++i) {
    Scores& s = row.scores.emplace_back();
    s.labelled = {i, i + 10, i + 20};
    s.unlabelled = {i + 30, i + 40, i + 50};
    s.supertags = {i + 60, i + 70, i + 80};
    s.sentences = 1;
    s.parsed = i % 2;
    s.exact = 7 * i;
  }
  return row;
}

TEST_F(KeptRowsTest, ARowIsMadeOnceAndComesBackWhole) {
  const KeptRows rows(folder_);
  int made = 0;
  const auto make = [&] {
    ++made;
    return some_row();
  };
  const BenchRow first = rows.get("cll tau 1", monitor_, make);
  const BenchRow again = KeptRows(folder_).get("cll tau 1", monitor_, make);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(again.note, first.note);
  ASSERT_EQ(again.scores.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    const Scores &a = first.scores[i], &b = again.scores[i];
    EXPECT_EQ(a.labelled.right, b.labelled.right);
    EXPECT_EQ(a.labelled.found, b.labelled.found);
    EXPECT_EQ(a.unlabelled.gold, b.unlabelled.gold);
    EXPECT_EQ(a.supertags.found, b.supertags.found);
    EXPECT_EQ(a.parsed, b.parsed);
    EXPECT_EQ(a.exact, b.exact);
  }
  rows.get("cll tau 2", monitor_, make);
  EXPECT_EQ(made, 2);
}

TEST_F(KeptRowsTest, WithoutAFolderNothingIsKept) {
  const KeptRows rows("");
  int made = 0;
  for (int i = 0; i < 2; ++i) {
    rows.get("x", monitor_, [&] {
      ++made;
      return some_row();
    });
  }
  EXPECT_EQ(made, 2);
}

TEST_F(KeptRowsTest, ABrokenFileIsAnErrorWithItsPlace) {
  const KeptRows rows(folder_);
  rows.keep("x", some_row());
  for (const auto& file : std::filesystem::directory_iterator(folder_))
    write_whole_file(file.path(), "x\nnote\n1 2 three\n");
  BenchRow row;
  try {
    rows.find("x", row);
    FAIL() << "read a broken file";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(":3:5"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace entente::ccg
