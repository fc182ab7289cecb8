#include "tasks/relations/passage.h"

#include <gtest/gtest.h>

#include "entente/error.h"
#include "tasks/relations/test_kit.h"

namespace entente::relations {
namespace {

TEST(Passage, RowsBecomeWordsAndEntitiesMentions) {
  const auto p = passages_of(
      "3\tOrg\t0\tO\tNNP/NNP\tBalt/Bank\tO\tO\tO\n3\tO\t1\tO\t(\t-LRB-\tO\tO\tO\n"
      "3\tO\t2\tO\tPP$\this\tO\tO\tO\n3\tO\t3\tO\t,\tCOMMA\tO\tO\tO\n"
      "3\tLoc\t4\tO\tNNP\tLund\tO\tO\tO\n\n0\t4\tOrgBased_In\n",
      paper_labels());
  ASSERT_EQ(p.size(), 1u);
  EXPECT_EQ(p[0].words, (std::vector<std::string>{"Balt", "Bank", "(", "his", ",", "Lund"}));
  EXPECT_EQ(p[0].tags, (std::vector<std::string>{"NNP", "NNP", "-LRB-", "PRP$", ",", "NNP"}));
  ASSERT_EQ(p[0].mention_count(), 2);
  EXPECT_EQ(p[0].mentions[0].end, 2);
  EXPECT_EQ(p[0].mentions[1].begin, 5);
  EXPECT_EQ(mention_text(p[0], p[0].mentions[0]), "Balt Bank");
  ASSERT_EQ(p[0].links.size(), 1u);
  EXPECT_EQ(p[0].links[0].head, 0);
  EXPECT_EQ(p[0].links[0].tail, 1);
  EXPECT_EQ(p[0].links[0].label, 4);
}

TEST(Passage, SlashesAloneAndUnevenTagsAreWordsToo) {
  const auto p = passages_of(
      "3\tO\t0\tO\tNN\t/\tO\tO\tO\n3\tO\t1\tO\tNN\tair/space\tO\tO\tO\n"
      "3\tLoc\t2\tO\tNNP/NNP\tCoeur\tO\tO\tO\n3\tLoc\t3\tO\tNNP\tNew/York\tO\tO\tO\n",
      paper_labels());
  EXPECT_EQ(p[0].words, (std::vector<std::string>{"/", "air/space", "Coeur", "New", "York"}));
  EXPECT_EQ(p[0].tags.size(), p[0].words.size());
}

TEST(Passage, LabelsAndSignaturesAreReadOffTheCorpus) {
  const LabelSet labels = collect_labels(made_up_corpus(200, 1));
  EXPECT_EQ(labels.entities, paper_labels().entities);
  EXPECT_EQ(labels.relations, paper_labels().relations);
  EXPECT_EQ(labels.signatures, paper_labels().signatures);
  EXPECT_TRUE(labels.allows(1, 3, 3));
  EXPECT_FALSE(labels.allows(1, 3, 0));
  EXPECT_TRUE(labels.allows(kNone, 0, 0));
}

TEST(Passage, AnUnknownLabelIsAnError) {
  auto corpus = made_up_corpus(3, 1);
  corpus[1].rows[0].label = "Ship";
  EXPECT_THROW(make_passages(corpus, paper_labels()), Error);
  EXPECT_EQ(make_passages(corpus, paper_labels(), false)[1].mentions[0].label, -1);
}

}  // namespace
}  // namespace entente::relations
