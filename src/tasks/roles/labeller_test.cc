#include "tasks/roles/labeller.h"

#include <gtest/gtest.h>

#include "base/monitor.h"

namespace entente::roles {
namespace {

// "ann VERB bob", with a dependency tree, a phrase tree or none, and gold roles.
propbank::PropSentence sentence(const std::string& who, const std::string& verb,
                                const std::string& whom, bool tree) {
  propbank::PropSentence s;
  s.words = s.lemmas = {who, verb, whom};
  s.tags = {"NNP", "VBD", "NNP"};
  s.relations = {"nsubj", "root", "obj"};
  s.heads = {1, -1, 1};
  const std::vector<std::string> bits = {"(S(NP*)", "(VP*", "(NP*)))"};
  if (tree) s.tree = propbank::PhraseTree::from_bits(bits, s.tags);
  s.propositions = {{1, verb, verb + ".01", {{"ARG0", 0, 1}, {"V", 1, 2}, {"ARG1", 2, 3}}}};
  return s;
}

std::vector<propbank::PropSentence> corpus() {
  const std::string names[] = {"ann", "bob", "cal", "dora"};
  std::vector<propbank::PropSentence> out;
  for (int i = 0; i < 40; ++i) {
    out.push_back(sentence(names[i % 4], i % 3 == 0 ? "met" : "saw", names[i / 4 % 4], i % 2 == 0));
  }
  return out;
}

std::string trained() {
  RoleTraining options;
  options.epochs = 3;
  options.predicate_epochs = 2;
  options.bits = 12;
  ModelWriter writer("roles", 1);
  Monitor monitor;
  EXPECT_TRUE(train_roles(corpus(), options, writer, monitor));
  return writer.bytes();
}

const std::string& model() {  // learned once
  static const std::string bytes = trained();
  return bytes;
}

TEST(RoleLabeller, learns_predicates_and_roles) {
  const ModelFile file = ModelFile::from_bytes(model(), "<test>");
  const RoleLabeller labeller(file);
  RoleLabeller::Work work(labeller);
  propbank::PropSentence s = sentence("eve", "saw", "fred", true);
  const std::vector<propbank::RoleSpan> gold = s.propositions[0].roles;
  s.propositions.clear();
  labeller.label(s, {}, work);
  ASSERT_EQ(s.propositions.size(), 1u);
  EXPECT_EQ(s.propositions[0].roleset, "saw.01");
  EXPECT_EQ(s.propositions[0].roles, gold);
  EXPECT_TRUE(work.details[0].proven);
}

TEST(RoleLabeller, says_that_a_wish_could_not_be_had) {
  const ModelFile file = ModelFile::from_bytes(model(), "<test>");
  const RoleLabeller labeller(file);
  RoleLabeller::Work work(labeller);
  LabelOptions options;
  options.gold_predicates = true;
  options.rules.require = {"ARG0"};
  options.rules.forbid = {"ARG0"};
  propbank::PropSentence s = sentence("eve", "saw", "fred", true);
  labeller.label(s, options, work);
  EXPECT_FALSE(work.details[0].proven);
  EXPECT_FALSE(work.details[0].feasible);
  EXPECT_GT(s.propositions[0].roles.size(), 1u);  // what is best without the wish
}

TEST(RoleLabeller, same_bytes_every_time) { EXPECT_EQ(trained(), model()); }

}  // namespace
}  // namespace entente::roles
