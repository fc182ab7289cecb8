#include "base/checksum.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace entente {
namespace {

std::uint64_t of(std::string_view text) {
  return checksum(std::as_bytes(std::span<const char>(text.data(), text.size())));
}

// As the xxhsum program prints them.
TEST(Checksum, IsXxh64) {
  EXPECT_EQ(of(""), 0xEF46DB3751D8E999u);
  EXPECT_EQ(of("a"), 0xD24EC4F1A98C6E5Bu);
  EXPECT_EQ(of("abc"), 0x44BC2CF5AD770999u);
  EXPECT_EQ(of("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1u);
}

TEST(Checksum, EveryBitCounts) {
  std::string text(100, 'x');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 37);
  const std::uint64_t right = of(text);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(of(text), right) << "bit " << bit;
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
  }
  EXPECT_NE(of(text.substr(1)), right);
  EXPECT_NE(of(text + '\0'), right);
}

}  // namespace
}  // namespace entente
