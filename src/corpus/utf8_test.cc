#include "corpus/utf8.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "base/text.h"
#include "kit/cases.h"

namespace entente {
namespace {

TEST(Utf8, EveryCodePointReadsBackAsWritten) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    append_utf8(text, c);
    const Utf8Char read = decode_utf8(text, 0);
    ASSERT_EQ(read.code, c);
    ASSERT_EQ(read.length, static_cast<int>(text.size()));
    for (std::size_t cut = 1; cut < text.size(); ++cut)
      ASSERT_EQ(decode_utf8(std::string_view(text).substr(0, cut), 0).length, 0);
  }
}

TEST(Utf8, RefusesOverlongSurrogatesAndWhatIsBeyondUnicode) {
  for (const char* bad : {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
                          "\xF4\x90\x80\x80", "\xFF", "\x80", "\xC3"})
    EXPECT_EQ(utf8_prefix(std::string("ab") + bad), 2u) << bad;
}

TEST(Utf8, TheFirstBadByteIsNamed) {
  try {
    check_utf8("na\xC3\xAFve \xE9!", {.file = "f.txt", .line = 3}, 100);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().column, 8);
    EXPECT_NE(std::string(error.what()).find("byte 0xE9 at offset 107"), std::string::npos)
        << error.what();
  }
  check_utf8("na\xC3\xAFve", {});
}

TEST(Utf8, ReplacingMakesRandomBytesValidAndKeepsTheRest) {
  Random random(1);
  for (int round = 0; round < random_cases(3000); ++round) {
    std::string text;
    for (int k = random.below(12); k > 0; --k)
      append_utf8(text, static_cast<char32_t>(random.below(0x2FF)));
    for (int k = random.below(3); k > 0 && !text.empty(); --k)
      text[static_cast<std::size_t>(random.below(static_cast<int>(text.size())))] =
          static_cast<char>(random.below(256));
    const std::string clean = replace_invalid_utf8(text);
    ASSERT_TRUE(is_utf8(clean));
    ASSERT_EQ(clean == text, is_utf8(text));
  }
}

TEST(Utf8, BytesBecomeCharactersInAnyOrder) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";
  CharacterOffsets offsets(text);
  EXPECT_EQ(offsets.at(11), 5);
  EXPECT_EQ(offsets.at(0), 0);
  EXPECT_EQ(offsets.at(3), 2);
  EXPECT_EQ(offsets.at(10), 4);
  EXPECT_EQ(count_characters(text), 5);
  EXPECT_EQ(first_characters(text, 2), "a\xC3\xA9");
  EXPECT_EQ(last_characters(text, 2), "\xF0\x9F\x98\x80z");
  EXPECT_EQ(first_characters("", 2), "");
  EXPECT_EQ(last_characters("ab", 9), "ab");
}

TEST(Utf8, CasesOfLatinGreekAndCyrillic) {
  EXPECT_EQ(unicode::to_lower("ÀÉÎÕÜ ŁŐŽ ΑΩΣ ЖЯЁ İ"), "àéîõü łőž αωσ жяё İ");
  EXPECT_EQ(unicode::to_upper("àéîõü łőž αωσ жяё ÿ"), "ÀÉÎÕÜ ŁŐŽ ΑΩΣ ЖЯЁ Ÿ");
  EXPECT_TRUE(unicode::is_upper(U'É') && unicode::is_upper(U'Ж') && unicode::is_upper(U'A'));
  EXPECT_TRUE(unicode::is_lower(U'ß') && unicode::is_lower(U'é') && unicode::is_lower(U'z'));
  EXPECT_FALSE(unicode::is_lower(U'É') || unicode::is_upper(U'é') || unicode::is_upper(U'5') ||
               unicode::is_lower(U'中') || unicode::is_upper(U'中'));
}

// Whether all characters of the text are in the class.
bool all(std::u32string_view text, bool (*is)(char32_t)) {
  return std::all_of(text.begin(), text.end(), is);
}

TEST(Utf8, CharactersHaveOneClass) {
  using namespace unicode;
  for (char32_t c = 0; c < 0x110000; ++c) {
    const auto code = static_cast<unsigned>(c);
    ASSERT_LE(is_letter(c) + is_digit(c) + is_punctuation(c) + is_symbol(c) + is_space(c), 1)
        << code;
    ASSERT_FALSE(is_upper(c) && is_upper(to_lower(c))) << code;
  }
  EXPECT_TRUE(all(U"aéжΩ中あ한ก", is_letter));
  EXPECT_TRUE(all(U".,;!?-—–“”‘’«»…¿。、()[]{}%&*#@_/\\'\"", is_punctuation));
  EXPECT_TRUE(all(U"$€£+=<>©®°😀🎉→", is_symbol));
  EXPECT_TRUE(all(U" \t\n\r\u00A0\u2009\u3000", is_space));
  EXPECT_TRUE(all(U"09٣", is_digit));
}

}  // namespace
}  // namespace entente
