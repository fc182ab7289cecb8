#include "cli/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/random.h"
#include "kit/cases.h"

namespace entente::cli {
namespace {

std::string json(std::string_view text) {
  std::string out;
  append_json(out, text);
  return out;
}

std::string json(double number) {
  std::string out;
  append_json(out, number);
  return out;
}

TEST(Text, JsonStringsAreEscapedAndValidUtf8) {
  EXPECT_EQ(json("plain"), "\"plain\"");
  EXPECT_EQ(json("a\"b\\c\nd\te"), "\"a\\\"b\\\\c\\nd\\te\"");
  EXPECT_EQ(json(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\\u007f\"");
  EXPECT_EQ(json("é€😀"), "\"é€😀\"");
  EXPECT_EQ(json("\xff"), "\"\\ufffd\"");
  EXPECT_EQ(json("\xe2\x82"), "\"\\ufffd\\ufffd\"");             // cut short
  EXPECT_EQ(json("\xc0\xaf"), "\"\\ufffd\\ufffd\"");             // overlong
  EXPECT_EQ(json("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");  // a surrogate
}

TEST(Text, JsonNumbersReadBackToTheSameBits) {
  Random r(5);
  for (int i = 0; i < random_cases(5000); ++i) {
    const double x = r.normal(0, 1) * std::pow(10.0, r.between(-300, 300));
    EXPECT_EQ(std::strtod(json(x).c_str(), nullptr), x);
  }
  EXPECT_EQ(json(2.0), "2");
  EXPECT_EQ(json(0.1), "0.1");
  EXPECT_EQ(json(-0.0), "0");
  EXPECT_EQ(json(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(json(std::nan("")), "null");
}

TEST(Text, NumbersForPeopleHaveSixDigits) {
  EXPECT_EQ(readable(1.0 / 3), "0.333333");
  EXPECT_EQ(readable(-0.0), "0");
  EXPECT_EQ(readable(-std::numeric_limits<double>::infinity()), "none");
  EXPECT_EQ(readable_count(1234567), "1,234,567");
  EXPECT_EQ(readable_count(-123), "-123");
  EXPECT_EQ(readable_count(999), "999");
}

TEST(Text, WidthCountsCharactersNotBytes) {
  EXPECT_EQ(width_of("naïve"), 5);
  EXPECT_EQ(padded("é", 3), "é  ");
  EXPECT_EQ(padded("long", 2), "long");
}

TEST(Text, NearestFindsTyposAndNothingElse) {
  const std::vector<std::string> names = {"solve", "verify", "convert", "bench"};
  EXPECT_EQ(nearest("sovle", names), "solve");
  EXPECT_EQ(nearest("verfy", names), "verify");
  EXPECT_EQ(nearest("quux", names), "");
  EXPECT_EQ(nearest("", names), "");
}

}  // namespace
}  // namespace entente::cli
