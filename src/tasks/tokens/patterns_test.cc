#include "tasks/tokens/patterns.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace entente::tokens {
namespace {

// The pattern that starts a text without spaces, "" if none does.
std::string pattern(std::string_view text) {
  Characters c;
  c.read(text);
  const int end = pattern_end(c, 0, c.size());
  return std::string(text.substr(0, end == 0 ? 0 : c[end - 1].end));
}

TEST(Patterns, AreOneTokenWithoutThePunctuationBehindThem) {
  for (const char* whole : {"https://example.org/a?b=c",
                            "www.example.com",
                            "example.co.uk/x",
                            "a.b+c@mail.example.org",
                            "@name_1",
                            "#tag",
                            "2024-03-15",
                            "2024-03-15T10:30:00Z",
                            "2024-03-15T10:30:00+01:00",
                            "15/03/2024",
                            "1/2",
                            "10:30",
                            "10:30:15",
                            "v2.0.1-beta",
                            "2.0.1",
                            "1.0.0-alpha.2",
                            "3.12.0a4",
                            "6.1.0-13-amd64",
                            "4.18.0-348.el8",
                            "5.15.0-91-generic",
                            "@first.last",
                            "v3",
                            "3f2a1bc",
                            "550e8400-e29b-41d4-a716-446655440000",
                            "http://example.net/x_(y)"}) {
    EXPECT_EQ(pattern(whole), whole);
    for (const char* behind : {".", ",", "!", "\"", ").", ":"}) {
      EXPECT_EQ(pattern(std::string(whole) + behind), whole) << whole << behind;
    }
  }
}

TEST(Patterns, EndBeforeWhatIsNoPartOfThem) {
  EXPECT_EQ(pattern("2.0.1-2.0.5"), "2.0.1");
  EXPECT_EQ(pattern("3.2.1-based"), "3.2.1");
  EXPECT_EQ(pattern("@tom.Thanks"), "@tom");
}

TEST(Patterns, ProseHasNone) {
  for (const char* text :
       {"well-known", "don't", "3.14",     "5:30pm",    "and/or",  "U.S.",  "defaced",
        "1990s",      "#1",    "@",        "end.Start", "1,000",   "10-20", "a.m.",
        "vs.",        "v",     "12345678", "facade",    "http://", "www."}) {
    EXPECT_EQ(pattern(text), "") << text;
  }
}

TEST(Patterns, NeverReachBeyondTheChunk) {
  const std::string text = "2024-03-15T10:30:00Z v2.0.1-beta x@y.org https://a.b 3f2a1bc1/2";
  Characters c;
  c.read(text);
  for (int k = 0; k < c.size(); ++k) {
    for (int end = k + 1; end <= c.size(); ++end) {
      const int stop = pattern_end(c, k, end);
      ASSERT_GE(stop, k);
      ASSERT_LE(stop, end);
    }
  }
}

TEST(Patterns, AbbreviationsWithAndWithoutTheirFullStop) {
  const auto kind = [](std::string_view text) {
    Characters c;
    c.read(text);
    return abbreviation(c, 0, c.size());
  };
  for (const char* title : {"Prof.", "prof", "Dr.", "Fig."}) {
    EXPECT_EQ(kind(title), Abbreviation::kTitle) << title;
  }
  EXPECT_EQ(kind("e.g."), Abbreviation::kInside);
  EXPECT_EQ(kind("U.S."), Abbreviation::kEither);
  EXPECT_EQ(kind("p.m."), Abbreviation::kEither);
  EXPECT_EQ(kind("house"), Abbreviation::kNone);
  EXPECT_EQ(kind("."), Abbreviation::kNone);
}

}  // namespace
}  // namespace entente::tokens
