#include "corpus/evaluation.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "base/random.h"
#include "corpus/corpus.h"
#include "corpus/test_kit.h"
#include "entente/error.h"
#include "kit/cases.h"

namespace entente {
namespace {

// "I/2 saw/0/root don't=do/2+n't/2": tokens by spaces; a word may have "/head/relation", and a
// token with several words is "form=word+word".
Sentence make_sentence(const std::string& text) {
  Sentence s;
  const auto add_word = [&](const std::string& spec) {
    std::stringstream parts(spec);
    Word word;
    std::getline(parts, word.form, '/');
    std::string head;
    if (std::getline(parts, head, '/')) word.head = std::stoi(head);
    std::getline(parts, word.deprel, '/');
    s.words.push_back(word);
  };
  std::stringstream tokens(text);
  for (std::string item; tokens >> item;) {
    Token token;
    token.first = s.size();
    const std::size_t equals = item.find('=');
    if (equals != std::string::npos) token.form = item.substr(0, equals);
    std::stringstream words(equals == std::string::npos ? item : item.substr(equals + 1));
    for (std::string word; std::getline(words, word, '+');) add_word(word);
    token.last = s.size() - 1;
    s.tokens.push_back(token);
  }
  return s;
}

std::vector<Sentence> make(const std::vector<std::string>& texts) {
  std::vector<Sentence> out;
  for (const std::string& text : texts) out.push_back(make_sentence(text));
  return out;
}

// "gold system correct aligned" of one metric.
std::string counts(const Evaluation& e, const std::string& name) {
  const Score* s = e.find(name);
  if (!s) return "none";
  return std::to_string(s->gold) + " " + std::to_string(s->system) + " " +
         std::to_string(s->correct) + " " + std::to_string(s->aligned);
}

TEST(Evaluation, CountsHeadsAndRelationsWithoutSubtypes) {
  const auto gold = make({"They/2/nsubj:pass saw/0/root it/2/obj ./2/punct"});
  const auto system = make({"They/2/nsubj saw/0/root it/1/obj ./2/dep"});
  const Evaluation e = evaluate(gold, system);
  EXPECT_EQ(counts(e, "Words"), "4 4 4 4");
  EXPECT_EQ(counts(e, "UAS"), "4 4 3 4");
  EXPECT_EQ(counts(e, "LAS"), "4 4 2 4");
  EXPECT_EQ(counts(e, "CLAS"), "3 4 2 3");  // of gold the full stop does not count
  EXPECT_EQ(counts(e, "UPOS"), "none");
  EXPECT_DOUBLE_EQ(e.find("UAS")->f1(), 75);
}

TEST(Evaluation, WordsMustBeTheSameStretch) {
  const Evaluation e = evaluate(make({"can/3 not/3 go/0 ./3"}), make({"cannot/2 go/0 ./2"}));
  EXPECT_EQ(counts(e, "Tokens"), "4 3 2 -1");
  EXPECT_EQ(counts(e, "Words"), "4 3 2 2");
  EXPECT_EQ(counts(e, "UAS"), "4 3 2 2");
  EXPECT_DOUBLE_EQ(e.find("UAS")->precision(), 200.0 / 3);
  EXPECT_DOUBLE_EQ(e.find("UAS")->recall(), 50);
  EXPECT_DOUBLE_EQ(e.find("UAS")->f1(), 400.0 / 7);
  EXPECT_DOUBLE_EQ(e.find("UAS")->aligned_accuracy(), 100);
}

TEST(Evaluation, WordsOfMultiwordTokensPairByForm) {
  const auto gold = make({"vou/0 ao=a/3+o/3 mar/1"});
  EXPECT_EQ(counts(evaluate(gold, gold), "Words"), "4 4 4 4");
  // One side does not split the token.
  const Evaluation e = evaluate(gold, make({"vou/0 ao/3 mar/1"}));
  EXPECT_EQ(counts(e, "Tokens"), "3 3 3 -1");
  EXPECT_EQ(counts(e, "Words"), "4 3 2 2");
  EXPECT_EQ(counts(e, "UAS"), "4 3 2 2");
  // It splits it otherwise; case does not matter.
  EXPECT_EQ(counts(evaluate(gold, make({"vou ao=A+xo mar"})), "Words"), "4 4 3 3");
  // A plain split has other tokens, but the words are there.
  EXPECT_EQ(counts(evaluate(gold, make({"vou a o mar"})), "Words"), "4 4 4 4");
  EXPECT_EQ(counts(evaluate(gold, make({"vou a o mar"})), "Tokens"), "3 4 2 -1");
}

TEST(Evaluation, OverlappingMultiwordTokensAreOneStretch) {
  const Evaluation e = evaluate(make({"x ab=a+b c y"}), make({"x a bc=b+c y"}));
  EXPECT_EQ(counts(e, "Words"), "5 5 5 5");
  EXPECT_EQ(counts(e, "Tokens"), "4 4 2 -1");
  EXPECT_EQ(counts(evaluate(make({"xa b=p+q"}), make({"x ab=p+z"})), "Words"), "3 3 1 1");
}

TEST(Evaluation, SentencesMayBeMergedOrSplit) {
  const auto gold = make({"Go/0 ./1", "I/2 see/0 ./2"});
  const auto merged = make({"Go/0 ./1 I/4 see/1 ./4"});
  const Evaluation e = evaluate(gold, merged);
  EXPECT_EQ(counts(e, "Sentences"), "2 1 0 -1");
  EXPECT_EQ(counts(e, "Words"), "5 5 5 5");
  EXPECT_EQ(counts(e, "UAS"), "5 5 4 5");  // "see" is no root any more
  EXPECT_EQ(counts(evaluate(merged, gold), "Sentences"), "1 2 0 -1");
  const auto three = make({"Go/0", "./0", "I/2 see/0 ./2"});
  EXPECT_EQ(counts(evaluate(gold, three), "Sentences"), "2 3 1 -1");
  EXPECT_EQ(counts(evaluate(gold, three), "UAS"), "5 5 4 5");
}

TEST(Evaluation, LayersAreComparedAsTheTaskSays) {
  auto gold = make({"a b c"}), system = gold;
  gold[0].words[0] = {.form = "a", .lemma = "_", .upos = "DET", .xpos = "DT", .feats = "Case=Nom"};
  gold[0].words[1] = {.form = "b", .lemma = "b", .feats = "Number=Sing|Case=Nom|Own=X"};
  gold[0].words[2].upos = "NOUN";
  system[0].words[0] = {
      .form = "a", .lemma = "q", .upos = "DET", .xpos = "NN", .feats = "Case=Acc"};
  system[0].words[1] = {.form = "b", .lemma = "B", .feats = "Case=Nom|Number=Sing"};
  system[0].words[2].upos = "VERB";
  const Evaluation e = evaluate(gold, system);
  EXPECT_EQ(counts(e, "UPOS"), "3 3 2 3");
  EXPECT_EQ(counts(e, "XPOS"), "3 3 2 3");
  EXPECT_EQ(counts(e, "UFeats"), "3 3 2 3");
  EXPECT_EQ(counts(e, "Lemmas"), "3 3 2 3");
  EXPECT_EQ(e.find("UAS"), nullptr);
}

TEST(Evaluation, TextsThatDifferAreRefusedWithThePlace) {
  try {
    evaluate(make({"One two", "three four"}), make({"One two", "tree four"}), "g", "s.conllu");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "s.conllu: the texts differ: \"reefour\" in sentence 2, but \"hreefour\" in sentence "
              "2 of g; both files must be of the same text (spaces do not count)");
  }
  EXPECT_THROW(evaluate(make({"One"}), make({"One two"})), Error);
  EXPECT_THROW(evaluate(make({"One"}), {}), Error);
  EXPECT_NO_THROW(evaluate({}, {}));
}

// A random way to cut the letters into tokens, sentences and words.
std::vector<Sentence> random_cut(const std::string& text, bool multiword, Random& random) {
  std::vector<Sentence> out(1);
  for (std::size_t at = 0; at < text.size();) {
    if (!out.back().words.empty() && random.chance(0.2)) out.emplace_back();
    Sentence& s = out.back();
    const std::size_t n = std::min<std::size_t>(1 + random.below(3), text.size() - at);
    Token token;
    token.first = s.size();
    if (multiword && random.chance(0.3)) {
      token.form = text.substr(at, n);
      for (int k = random.between(1, 3); k > 0; --k)
        s.words.push_back({.form = std::string(1, static_cast<char>('a' + random.below(3)))});
    } else {
      s.words.push_back({.form = text.substr(at, n)});
    }
    token.last = s.size() - 1;
    s.tokens.push_back(token);
    at += n;
  }
  for (Sentence& s : out) {
    for (int i = 0; i < s.size(); ++i)
      s.words[i].head = (i + 1 + random.below(s.size())) % (s.size() + 1);
  }
  return out;
}

std::string random_letters(Random& random) {
  std::string text;
  for (int k = random.between(1, 20); k > 0; --k) text += static_cast<char>('a' + random.below(3));
  return text;
}

TEST(Evaluation, WithoutMultiwordTokensWordsAgreeWhereStretchesAreEqual) {
  Random random(7);
  for (int round = 0; round < random_cases(3000); ++round) {
    const std::string text = random_letters(random);
    const auto gold = random_cut(text, false, random), system = random_cut(text, false, random);
    const auto spans = [](const std::vector<Sentence>& sentences) {
      std::set<std::pair<std::size_t, std::size_t>> out;
      std::size_t at = 0;
      for (const Sentence& s : sentences) {
        for (const Word& w : s.words) out.emplace(at, at + w.form.size()), at += w.form.size();
      }
      return out;
    };
    std::int64_t common = 0;
    for (const auto& span : spans(gold)) common += spans(system).contains(span) ? 1 : 0;
    const Evaluation e = evaluate(gold, system);
    ASSERT_EQ(e.find("Words")->correct, common);
    ASSERT_EQ(e.find("Tokens")->correct, common);
  }
}

TEST(Evaluation, SidesMayBeSwappedAndEqualSidesAgreeInAll) {
  Random random(8);
  for (int round = 0; round < random_cases(3000); ++round) {
    const std::string text = random_letters(random);
    const auto gold = random_cut(text, true, random), system = random_cut(text, true, random);
    const Evaluation same = evaluate(gold, gold);
    for (const Score& s : same.scores) {
      if (s.name == "CLAS") continue;  // there are no relations
      ASSERT_DOUBLE_EQ(s.f1(), 100) << s.name;
    }
    const Evaluation there = evaluate(gold, system), back = evaluate(system, gold);
    for (const char* name : {"Tokens", "Sentences"}) {
      ASSERT_EQ(there.find(name)->correct, back.find(name)->correct) << name;
      ASSERT_EQ(there.find(name)->gold, back.find(name)->system) << name;
    }
  }
}

TEST(Evaluation, ATreebankAgreesWithItself) {
  const std::vector<std::string> files = treebanks();
  if (files.empty()) GTEST_SKIP() << "no treebanks at ../shared/data/ud or ENTENTE_DATA";
  for (const std::string& path : files) {
    if (path.find("-dev") == std::string::npos) continue;
    const Document d = read_corpus(path);
    for (const Score& s : evaluate(d.sentences, d.sentences).scores)
      EXPECT_DOUBLE_EQ(s.f1(), 100) << path << " " << s.name;
  }
}

}  // namespace
}  // namespace entente
