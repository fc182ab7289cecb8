#include "model/folds.h"

#include <gtest/gtest.h>

namespace entente {
namespace {

TEST(Folds, WhatIsTheSameGoesIntoOne) {
  const std::vector<std::string> items = {"a", "b", "c", "d", "b", "b", "a"};
  EXPECT_EQ(assign_folds(items, 3), (std::vector<int>{0, 1, 2, 0, 1, 1, 0}));
  EXPECT_EQ(assign_folds(items, 3, false), (std::vector<int>{0, 1, 2, 0, 1, 2, 0}));
  EXPECT_NO_THROW(check_folds(items.size(), 7));
  EXPECT_THROW(check_folds(items.size(), 8), Error);
}

}  // namespace
}  // namespace entente
