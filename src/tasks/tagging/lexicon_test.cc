#include "tasks/tagging/lexicon.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "entente/error.h"

namespace entente::tagging {
namespace {

WordKeys keys_of(std::string_view form) {
  WordShape shape;
  shape.read(form);
  return word_keys(shape, form);
}

std::vector<TaggedWord> small_corpus() {
  std::vector<TaggedWord> words;
  for (int i = 0; i < 60; ++i) words.push_back({"the", 3});
  for (int i = 0; i < 3; ++i) words.push_back({"Walk", 2});
  words.push_back({"Walk", 1});
  static const std::vector<std::string> verbs = [] {
    std::vector<std::string> out;
    for (char a = 'a'; a <= 'z'; ++a) {
      for (char b : {'a', 'o'}) out.push_back(std::string{a, b} + "ting");
    }
    return out;
  }();
  for (const std::string& v : verbs) words.push_back({v, 5});
  return words;
}

TEST(LexiconTest, AFrequentWordHasItsOwnTagsOnly) {
  const LexiconData data = build_lexicon(small_corpus(), 6);
  std::vector<Label> labels;
  data.view().candidates(keys_of("the"), labels);
  EXPECT_EQ(labels, std::vector<Label>{3});
  EXPECT_EQ(data.view().ambiguity(keys_of("the")).known, Known::form);
}

TEST(LexiconTest, ARareWordHasItsTagsMostFrequentFirst) {
  const LexiconData data = build_lexicon(small_corpus(), 6);
  std::vector<Label> labels;
  data.view().candidates(keys_of("Walk"), labels);
  ASSERT_GE(labels.size(), 2u);
  EXPECT_EQ(labels[0], 2);
  EXPECT_EQ(labels[1], 1);
  const Lexicon::Ambiguity ambiguity = data.view().ambiguity(keys_of("WALK"));
  EXPECT_EQ(ambiguity.known, Known::lower);
  EXPECT_EQ(ambiguity.labels.front(), 2);
}

TEST(LexiconTest, AnUnknownWordHasTheTagsOfItsEnding) {
  const LexiconData data = build_lexicon(small_corpus(), 6);
  std::vector<Label> labels;
  data.view().candidates(keys_of("blurting"), labels);
  EXPECT_EQ(labels.front(), 5);
  EXPECT_EQ(data.view().ambiguity(keys_of("blurting")).known, Known::ending);
}

TEST(LexiconTest, ThereIsAlwaysACandidate) {
  std::vector<Label> labels;
  for (const LexiconData& data : {build_lexicon({}, 1), build_lexicon(small_corpus(), 6)}) {
    for (const char* form : {"", "x", "\xFF\xFE", "\xF0\x9F\x98\x80", "q@w.org"}) {
      data.view().candidates(keys_of(form), labels);
      EXPECT_FALSE(labels.empty()) << form;
      data.view().ambiguity(keys_of(form));
    }
  }
}

TEST(LexiconTest, FromAFileItSaysTheSameAndDamageIsAnError) {
  LexiconData data = build_lexicon(small_corpus(), 6);
  const auto stored = [&] {
    ModelWriter writer("t", 1);
    data.write(writer, "x");
    return ModelFile::from_bytes(writer.bytes(), "test");
  };
  const ModelFile file = stored();
  const Lexicon lexicon(file, "x", 6);
  std::vector<Label> labels;
  lexicon.candidates(keys_of("the"), labels);
  EXPECT_EQ(labels, std::vector<Label>{3});
  EXPECT_THROW(Lexicon(file, "x", 5), Error);  // label 5 is no label then
  data.set_first.back() += 1;
  EXPECT_THROW(Lexicon(stored(), "x", 6), Error);
  data.set_first.back() -= 1;
  data.table[0].candidates = 0x7FFFFFFF;
  EXPECT_THROW(Lexicon(stored(), "x", 6), Error);
}

}  // namespace
}  // namespace entente::tagging
