#include "tasks/tokens/characters.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/random.h"
#include "kit/cases.h"

namespace entente::tokens {
namespace {

Characters read(std::string_view text) {
  Characters c;
  c.read(text);
  return c;
}

TEST(Characters, KnowPlacesClassesAndSpace) {
  const Characters c = read("É 4\n\n“x\xFF");
  ASSERT_EQ(c.size(), 5);
  EXPECT_EQ(c[0].kind, kUpper);
  EXPECT_EQ(c[0].code, U'é');
  EXPECT_EQ(c[0].end, 2u);
  EXPECT_EQ(c[1].kind, kDigit);
  EXPECT_EQ(c[1].before, Gap::kOneSpace);
  EXPECT_EQ(c[2].kind, kOpenQuote);
  EXPECT_EQ(c[2].before, Gap::kBlankLine);
  EXPECT_EQ(c[3].before, Gap::kNone);
  EXPECT_EQ(c[4].kind, kInvalid);
  EXPECT_EQ(c.kind(-1), kSpace);
  EXPECT_EQ(c.kind(5), kSpace);
}

TEST(Characters, EverySignOfAsciiHasItsOwnClass) {
  std::set<int> classes;
  for (int c = 33; c < 127; ++c) {
    const CharClass kind = class_of_ascii(static_cast<char>(c));
    if (is_word_class(kind)) continue;
    EXPECT_GE(kind, kAscii);
    EXPECT_LT(kind, kClasses);
    classes.insert(kind);
  }
  EXPECT_EQ(classes.size(), 32u);
}

TEST(Characters, ALineBreakWithSpacesAroundIsNotABlankLine) {
  EXPECT_EQ(read("a \r\n b")[1].before, Gap::kLine);
  EXPECT_EQ(read("a\r\n\r\nb")[1].before, Gap::kBlankLine);
  EXPECT_EQ(read("a\n \t\nb")[1].before, Gap::kBlankLine);
}

TEST(Characters, HashesOfEqualStretchesAreEqual) {
  Random random(1);
  for (int trial = 0; trial < random_cases(2000); ++trial) {
    std::string text;
    for (int i = random.between(1, 30); i > 0; --i) text += "abAB1-."[random.below(7)];
    const Characters c = read(text);
    const int i = random.below(c.size()), j = random.between(i + 1, c.size());
    const Characters part = read(std::string_view(text).substr(i, j - i));
    EXPECT_EQ(c.hash(i, j), part.hash(0, part.size()));
    EXPECT_EQ(c.shape(i, j), part.shape(0, part.size()));
    EXPECT_EQ(c.hash(i, j), folded_hash(std::string_view(text).substr(i, j - i)));
  }
  EXPECT_EQ(folded_hash("ÉTÉ"), folded_hash("été"));
  EXPECT_NE(folded_hash("ab"), folded_hash("ba"));
  const Characters shapes = read("Abc-12 Xyzzy-7 abc");
  EXPECT_EQ(shapes.shape(0, 6), shapes.shape(6, 13));
  EXPECT_NE(shapes.shape(0, 3), shapes.shape(13, 16));
}

}  // namespace
}  // namespace entente::tokens
