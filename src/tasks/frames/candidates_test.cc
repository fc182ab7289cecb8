#include "tasks/frames/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "kit/cases.h"

namespace entente::frames {
namespace {

// Words with heads (from 1, 0: the root); punctuation is marked by its form.
Sentence sentence_of(const std::vector<std::pair<std::string, int>>& words) {
  Sentence s;
  for (const auto& [form, head] : words) {
    const bool punctuation = form == "," || form == ".";
    s.words.push_back({.form = form, .upos = punctuation ? "PUNCT" : "NOUN", .head = head});
  }
  return s;
}

bool has(const std::vector<Span>& spans, int first, int last) {
  return std::binary_search(spans.begin(), spans.end(), Span{first, last + 1});
}

TEST(Candidates, HoldWordsSubtreesPartsAndWhatLiesBesideTheTarget) {
  // the old dog , which barked , ate bones
  const Sentence s = sentence_of({{"the", 3},
                                  {"old", 3},
                                  {"dog", 8},
                                  {",", 6},
                                  {"which", 6},
                                  {"barked", 3},
                                  {",", 6},
                                  {"ate", 0},
                                  {"bones", 8}});
  Atoms atoms;
  atoms.read(s);
  std::vector<Span> spans;
  candidate_spans(atoms, std::vector<int>{7}, spans);
  EXPECT_TRUE(has(spans, 2, 2)) << "a word";
  EXPECT_TRUE(has(spans, 0, 5)) << "a subtree without the comma at its end";
  EXPECT_TRUE(has(spans, 0, 6)) << "and with it";
  EXPECT_TRUE(has(spans, 0, 2)) << "a part: without the relative clause";
  EXPECT_TRUE(has(spans, 8, 8)) << "what lies right of the target";
  EXPECT_TRUE(has(spans, 7, 7)) << "the target";
  EXPECT_FALSE(has(spans, 3, 4)) << "no part begins with a comma";
  EXPECT_FALSE(has(spans, 1, 4)) << "no string of words that is no part";
}

TEST(Candidates, AreSortedUniqueAndInsideForAnyTree) {
  Random random(3);
  Atoms atoms;
  std::vector<Span> spans;
  for (int round = 0; round < random_cases(2000); ++round) {
    const int n = 1 + random.below(20);
    std::vector<std::pair<std::string, int>> words;
    // any heads at all: forests, circles and crossing arcs must not break it
    for (int i = 0; i < n; ++i)
      words.emplace_back(random.below(5) == 0 ? "," : "w", random.below(n + 1));
    atoms.read(sentence_of(words));
    std::vector<int> target = {random.below(n)};
    if (target[0] + 2 < n && random.below(3) == 0) target.push_back(target[0] + 2);
    candidate_spans(atoms, target, spans);
    ASSERT_TRUE(std::is_sorted(spans.begin(), spans.end()));
    ASSERT_EQ(std::adjacent_find(spans.begin(), spans.end()), spans.end());
    for (const Span& s : spans) {
      ASSERT_LE(0, s.begin);
      ASSERT_LT(s.begin, s.end);
      ASSERT_LE(s.end, n);
    }
    ASSERT_TRUE(has(spans, target.front(), target.back()));
  }
}

}  // namespace
}  // namespace entente::frames
