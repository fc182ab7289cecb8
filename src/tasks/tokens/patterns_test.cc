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
                            "http://example.net/x_(y)",
                            "sftp://host/dir",
                            "git@host.org:user/repo.git",
                            "/var/log/syslog",
                            "~/.ssh/config",
                            "../src/main.c",
                            "C:\\Windows\\cmd.exe",
                            "report_final.pdf",
                            "lib/utils/index.js:17",
                            "192.168.0.1:8080",
                            "00:1a:2b:3c:4d:5e",
                            "fe80::1ff:fe23",
                            "0x7fff",
                            "978-3-16-148410-0",
                            "1-800-FLOWERS",
                            "1/3rd",
                            "1920x1080",
                            "08:46:40+00:00",
                            "TLSv1.3",
                            "gcc-12.2",
                            "numpy==1.21.0",
                            "foo_bar()",
                            "std::vector<int>",
                            "C++",
                            "--dry-run",
                            ".NET",
                            "Ca(OH)2",
                            "C6H12O6",
                            "Na+",
                            "'tis",
                            "\U0001F468\u200D\U0001F469\u200D\U0001F467"}) {
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
  EXPECT_EQ(pattern("10GB"), "10");
  EXPECT_EQ(pattern("3:30pm"), "3:30");
  EXPECT_EQ(pattern(":-)."), ":-)");
  EXPECT_EQ(pattern("a.txt.Then"), "a.txt");
  EXPECT_EQ(pattern("`make`"), "`");
}

TEST(Patterns, ProseHasNone) {
  for (const char* text :
       {"well-known", "don't", "3.14",      "o'clock",   "and/or",  "U.S.",  "defaced",
        "1990s",      "#1",    "@",         "end.Start", "1,000",   "10-20", "a.m.",
        "v",          "/",     "12345678",  "facade",    "http://", "www.",  "he/she/it",
        "file(s)",    "A-",    "US-based",  "1990-1995", "--",      "$50",   "24-hour",
        "'quoted",    "(a)",   "vitamin.C", "4G",        "thing.so"}) {
    EXPECT_EQ(pattern(text), "") << text;
  }
}

TEST(Patterns, NeverReachBeyondTheChunk) {
  const std::string text =
      "2024-03-15T10:30:00Z v2.0.1-beta x@y.org https://a.b 3f2a1bc1/2 foo_bar(x)->y<z>::w Ca(OH)2 "
      "~/a/b.c:3 'n' :-) 10GB 1-800-FLOWERS 00:1a:2b:3c:4d:5e numpy==1.2 <br/> $HOME .5 C++ 0x1";
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
