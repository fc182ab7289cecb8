#include "tasks/lemmas/script.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "kit/cases.h"

namespace entente::lemmas {
namespace {

std::string lemma_of(const EditScript& script, const char* form) {
  std::string lemma = "?";
  apply(script, CasedForm(form), lemma);
  return lemma;
}

TEST(ScriptTest, CarriesOverToOtherWords) {
  EXPECT_EQ(lemma_of(find_script("Cities", "city"), "PARTIES"), "party");
  EXPECT_EQ(lemma_of(find_script("Dogs", "Dog"), "Cats"), "Cat");
  EXPECT_EQ(lemma_of(find_script("gemacht", "machen"), "gelacht"), "lachen");
  EXPECT_EQ(lemma_of(find_script("NORA", "Nora"), "EMMA"), "Emma");
  EXPECT_EQ(lemma_of(find_script("ÄRZTE", "ärzte"), "ÖFEN"), "öfen");
}

TEST(ScriptTest, AppliesOnlyWhereItsEndsAre) {
  EXPECT_EQ(lemma_of(find_script("cities", "city"), "dogs"), "?");
  EXPECT_EQ(lemma_of(find_script("am", "be"), "exam"), "?");
  EXPECT_EQ(lemma_of(find_script("am", "be"), "AM"), "be");
  EXPECT_EQ(lemma_of(find_script("dogs", "dog"), "s"), "?");  // nothing would be left
}

TEST(ScriptTest, AMissingLemmaIsAScript) {
  EXPECT_EQ(lemma_of(find_script("with", "_"), "out"), "_");
  EXPECT_EQ(lemma_of(find_script("_", "_"), "_"), "_");
}

TEST(ScriptTest, MakesTheLemmaOfRandomWordsAndSurvivesText) {
  Random random(1);
  const char* letters[] = {"a", "b", "A", "B", "é", "É", "ü", "ß", "İ", "-", "😀", "日"};
  const auto word = [&](int least) {
    std::string out;
    for (int n = random.between(least, 6); n > 0; --n) out += letters[random.below(12)];
    return out;
  };
  for (int round = 0; round < random_cases(20000); ++round) {
    const std::string form = word(0), lemma = word(1);
    const EditScript script = find_script(form, lemma);
    std::string made;
    ASSERT_TRUE(apply(script, CasedForm(form), made)) << form << " " << lemma;
    ASSERT_EQ(made, lemma) << form;
    EditScript again;
    ASSERT_TRUE(from_text(to_text(script), again));
    ASSERT_EQ(again, script);
  }
}

TEST(ScriptTest, RefusesTextThatIsNoScript) {
  EditScript s;
  for (const char* text :
       {"", "k", "x\t\t\t\t", "k\t\t\t", "k\t\t\t\t\t", "w\t\t\ta\t", "a\t\t\t\t"}) {
    EXPECT_FALSE(from_text(text, s)) << text;
  }
}

}  // namespace
}  // namespace entente::lemmas
