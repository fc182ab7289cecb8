#include "tasks/tagging/word_kind.h"

#include <gtest/gtest.h>

namespace entente::tagging {
namespace {

TEST(WordKind, IsToldByWhatAWordIsMadeOf) {
  const struct {
    const char* form;
    WordKind kind;
  } cases[] = {
      {"jane.roe@example.org", WordKind::mail},
      {"http://example.org/a_b.c?d=1", WordKind::web},
      {"WWW.example.ORG", WordKind::web},
      {"example.com", WordKind::web},
      {"example.co.uk/pages", WordKind::web},
      {"budget-2.XLS", WordKind::file},
      {"@jane_roe", WordKind::person},
      {"#ships", WordKind::topic},
      {"U.S.", WordKind::letters},
      {"p.m", WordKind::letters},
      {"NATO", WordKind::acronym},
      {"iPod", WordKind::mixed},
      {"McAdam", WordKind::mixed},
      {"10am", WordKind::amount},
      {"F16", WordKind::code},
      {"3,000.50", WordKind::number},
      {"sooo", WordKind::drawn},
      {":-)", WordKind::signs},
      {"ships", WordKind::none},
      {"Ships", WordKind::none},
      {"A", WordKind::none},
      {"well-known", WordKind::none},
      {"Inc.", WordKind::none},
      {"HEADLINES", WordKind::none},
      {"http://", WordKind::none},
      {"@", WordKind::signs},
      {"", WordKind::signs},
      {"\xC3\xA9t\xC3\xA9", WordKind::none},
  };
  for (const auto& c : cases) EXPECT_EQ(word_kind(c.form), c.kind) << c.form;
}

TEST(WordKind, AnyBytesHaveOne) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const char form[] = {static_cast<char>(a), static_cast<char>(b), '.', static_cast<char>(a)};
      for (std::size_t size = 1; size <= 4; ++size) {
        EXPECT_LE(word_kind({form, size}), WordKind::signs);
      }
    }
  }
}

}  // namespace
}  // namespace entente::tagging
