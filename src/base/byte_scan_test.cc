// What is visited is what a plain loop finds, at every length and place.
#include "base/byte_scan.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace entente {
namespace {

TEST(ByteScan, VisitsWhatAPlainLoopFinds) {
  Random random(5);
  for (int size = 0; size < 40; ++size) {
    for (const double share : {0.0, 0.1, 0.9}) {
      std::vector<std::uint8_t> a(size), b(size);
      for (auto& x : a) x = random.chance(share) ? 1 : 0;
      for (auto& x : b) x = random.chance(share) ? 1 : 0;
      std::vector<std::size_t> set, set_found, different, different_found;
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] != 0) set.push_back(i);
        if (a[i] != b[i]) different.push_back(i);
      }
      for_each_set(a, [&](std::size_t i) { set_found.push_back(i); });
      for_each_difference(a, b, [&](std::size_t i) { different_found.push_back(i); });
      EXPECT_EQ(set_found, set);
      EXPECT_EQ(different_found, different);
    }
  }
}

}  // namespace
}  // namespace entente
