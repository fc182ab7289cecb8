#include "base/output_paths.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace entente
