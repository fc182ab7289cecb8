#include "tasks/dependency/label_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "entente/error.h"
#include "kit/cases.h"

namespace entente::dependency {
namespace {

Word word(const std::string& form, const std::string& tag, int head, const std::string& label) {
  Word w;
  w.form = w.lemma = form;
  w.upos = w.xpos = tag;
  w.head = head;
  w.deprel = label;
  return w;
}

// A treebank where verbs have one subject, passives have an auxiliary "be", and modifiers repeat.
std::vector<Sentence> treebank() {
  std::vector<Sentence> out;
  for (int i = 0; i < 400; ++i) {
    Sentence s;
    const bool passive = i % 2 == 0;
    s.words.push_back(
        word("ships" + std::to_string(i), "NOUN", 3, passive ? "nsubj:pass" : "nsubj"));
    s.words.push_back(passive ? word("be", "AUX", 3, "aux:pass") : word("have", "AUX", 3, "aux"));
    s.words.push_back(word("built", "VERB", 0, "root"));
    s.words.push_back(word("here", "ADV", 3, "advmod"));
    s.words.push_back(word("now", "ADV", 3, "advmod"));
    s.words.push_back(word("in", "ADP", 7, "case"));
    s.words.push_back(word("town", "NOUN", 3, "obl"));
    s.words.push_back(word("at", "ADP", 9, "case"));
    s.words.push_back(word("night", "NOUN", 3, "obl"));
    out.push_back(std::move(s));
  }
  return out;
}

struct Learned {
  std::vector<Sentence> sentences = treebank();
  LabelSet set = LabelSet::of(sentences);
  LabelRules rules = LabelRules::of(sentences, set);
  std::uint16_t label(const char* name) const { return static_cast<std::uint16_t>(set.find(name)); }
};

TEST(LabelRules, AreWhatTheTreebankKeeps) {
  const Learned l;
  const LabelSwitches on;
  EXPECT_FALSE(l.rules.together(l.label("nsubj"), l.label("nsubj"), on));
  EXPECT_FALSE(l.rules.together(l.label("nsubj"), l.label("aux:pass"), on));
  EXPECT_TRUE(l.rules.together(l.label("advmod"), l.label("advmod"), on));
  EXPECT_TRUE(l.rules.together(l.label("advmod"), l.label("nsubj"), on));
  LabelSwitches off = on;
  off.once = false;
  EXPECT_TRUE(l.rules.together(l.label("nsubj"), l.label("nsubj"), off));
  bool needs = false;
  for (const LabelRules::Need& n : l.rules.needs()) {
    needs = needs || (n.label == l.label("nsubj:pass") && n.other == l.label("aux:pass"));
  }
  EXPECT_TRUE(needs);
  Atoms atoms;
  std::vector<Word> words{word("be", "AUX", 0, "root"), word("have", "AUX", 0, "root")};
  atoms.read(words);
  EXPECT_TRUE(l.rules.fits(l.label("aux:pass"), atoms[1].lemma));
  EXPECT_FALSE(l.rules.fits(l.label("aux:pass"), atoms[2].lemma));
  EXPECT_TRUE(l.rules.fits(l.label("nsubj"), atoms[2].lemma));
  EXPECT_TRUE(l.rules.bare(l.label("nsubj")));
  EXPECT_FALSE(l.rules.bare(l.label("obl")));
  EXPECT_TRUE(l.rules.marks(l.label("case")));
}

TEST(LabelRules, ReadBackAsTheyWereWritten) {
  const Learned l;
  ModelWriter writer("test", 1);
  l.rules.write(writer, "rules");
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "test");
  const LabelRules again(file, "rules", l.set.names().size());
  EXPECT_EQ(again.describe(l.set), l.rules.describe(l.set));
  EXPECT_THROW(LabelRules(file, "rules", l.set.names().size() + 1), Error);
}

// All labelings of a few modifiers.
TEST(LabelChoice, IsTheBestOfAllThatObey) {
  const Learned l;
  Random r(1);
  LabelChoice choice;
  const int count = static_cast<int>(l.set.names().size());
  int bound = 0, impossible = 0;
  for (int round = 0; round < random_cases(1500); ++round) {
    const int n = r.between(1, 4);
    LabelSwitches on{r.chance(0.8), r.chance(0.8), r.chance(0.8), false, r.chance(0.8)};
    std::vector<std::vector<float>> scores(n, std::vector<float>(count));
    std::vector<std::uint16_t> all(count);
    std::vector<bool> marked;
    choice.begin();
    for (int i = 0; i < count; ++i) all[i] = static_cast<std::uint16_t>(i);
    for (auto& row : scores) {
      for (float& x : row) x = static_cast<float>(r.normal());
      marked.push_back(r.chance(0.3));
      choice.add(all, row, 0, marked.back());
    }
    choice.solve(l.rules, on, 0);
    double best = -1e9, free = 0;
    std::vector<std::uint16_t> labels(n);
    for (long code = 0; code < std::lround(std::pow(count, n)); ++code) {
      long rest = code;
      double value = 0;
      for (int i = 0; i < n; ++i, rest /= count) {
        labels[i] = static_cast<std::uint16_t>(rest % count);
        value += static_cast<double>(scores[i][labels[i]]);
      }
      bool good = true;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) good = good && l.rules.together(labels[i], labels[j], on);
      }
      for (int i = 0; i < n; ++i) {
        good = good && !(on.bare && marked[i] && l.rules.bare(labels[i]));
      }
      for (const LabelRules::Need& need : l.rules.needs()) {
        const bool has = std::count(labels.begin(), labels.end(), need.label) > 0;
        const bool other = std::count(labels.begin(), labels.end(), need.other) > 0;
        good = good && !(on.needs && has && !other && !l.rules.excused(need, 0));
      }
      free = std::max(free, value);
      if (good) best = std::max(best, value);
    }
    ASSERT_TRUE(choice.proven());
    const bool possible = best > -1e8;  // prepositions may rule out what another label needs
    ASSERT_EQ(choice.lawful(), possible) << "round " << round;
    if (!possible) {
      ++impossible;
      continue;
    }
    ASSERT_NEAR(choice.value(), best, 1e-5) << "round " << round;
    bound += best < free - 1e-5;
  }
  EXPECT_GT(bound, covered(300));
  EXPECT_LT(impossible, random_cases(1500) / 4);
}

}  // namespace
}  // namespace entente::dependency
