#include "corpus/word_shape.h"

#include <gtest/gtest.h>

namespace entente {
namespace {

TEST(WordShapeTest, DescribesWords) {
  WordShape w;
  w.read("Al-Zaman");
  EXPECT_EQ(w.lower(), "al-zaman");
  EXPECT_EQ(w.suffix(3), "man");
  EXPECT_EQ(w.prefix(2), "al");
  EXPECT_EQ(w.shape(), "Xx-Xx");
  EXPECT_EQ(w.long_shape(), "Xx-Xxxxx");
  EXPECT_EQ(w.flags(), WordShape::kFirstUpper | WordShape::kHyphen | WordShape::kLower);
  w.read("ÉTÉ");
  EXPECT_EQ(w.lower(), "été");
  EXPECT_EQ(w.length(), 3);
  EXPECT_EQ(w.suffix(2), "té");
  EXPECT_EQ(w.flags(), WordShape::kFirstUpper | WordShape::kAllUpper);
  w.read("日本3");
  EXPECT_EQ(w.shape(), "ld");
  EXPECT_EQ(w.flags(), WordShape::kDigit);
}

TEST(WordShapeTest, KnowsAddresses) {
  WordShape w;
  for (const char* form : {"a@b.org", "http://example.org", "WWW.example.org"}) {
    w.read(form);
    EXPECT_TRUE(w.flags() & WordShape::kAddress) << form;
  }
  for (const char* form : {"@", "@home", "www", "and/or"}) {
    w.read(form);
    EXPECT_FALSE(w.flags() & WordShape::kAddress) << form;
  }
}

TEST(WordShapeTest, TakesAnyBytes) {
  WordShape w;
  w.read("");
  EXPECT_EQ(w.suffix(3), "");
  EXPECT_EQ(w.length(), 0);
  w.read("a\xFF\xC3");
  EXPECT_EQ(w.length(), 3);
  EXPECT_EQ(w.suffix(1), "\xC3");
  w.read(std::string(100000, 'A'));
  EXPECT_EQ(w.shape(), "X");
  EXPECT_EQ(w.long_shape().size(), 12u);
}

}  // namespace
}  // namespace entente
