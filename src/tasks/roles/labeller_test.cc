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
  options.network_bits = 8;
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

// What is done on a day is told from what is done to someone by the kinds of words alone, of which
// lists know more than the corpus has.
TEST(RoleLabeller, meanings_tell_of_words_that_were_never_seen) {
  const std::vector<std::string> days = {"monday", "tuesday", "friday", "sunday", "saturday"};
  const std::vector<std::string> people = {"bob", "cal", "dora", "eve", "fred"};
  constexpr std::uint8_t kTime = 29, kPerson = 19;
  std::vector<std::pair<std::uint64_t, WordMeaning>> known;
  for (std::size_t i = 0; i < days.size(); ++i) {
    known.push_back({word_meaning_key(word_meaning_hash(days[i])), {.nouns = {kTime, 0}}});
    known.push_back({word_meaning_key(word_meaning_hash(people[i])), {.nouns = {kPerson, 0}}});
  }
  RoleTraining options;
  options.epochs = 4;
  options.bits = 14;
  options.network_bits = 8;
  options.folds = 0;
  options.meanings = make_flat_table<WordMeaning>(known);
  const auto example = [](const std::string& word, bool day) {
    propbank::PropSentence s = sentence("ann", "called", word, true);
    if (day) s.propositions[0].roles[2].label = "ARGM-TMP";
    return s;
  };
  std::vector<propbank::PropSentence> seen;
  for (int i = 0; i < 60; ++i) {
    const std::size_t word = static_cast<std::size_t>(i) % (days.size() - 1);
    seen.push_back(example(days[word], true));
    seen.push_back(example(people[word], false));
  }
  ModelWriter writer("roles", 1);
  Monitor monitor;
  ASSERT_TRUE(train_roles(seen, options, writer, monitor));
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "<test>");
  const RoleLabeller labeller(file);
  RoleLabeller::Work work(labeller);
  for (const bool day : {true, false}) {
    const propbank::PropSentence gold = example(day ? days.back() : people.back(), day);
    propbank::PropSentence s = gold;
    s.propositions[0].roles.clear();
    labeller.label(s, {.gold_predicates = true}, work);
    EXPECT_EQ(s.propositions[0].roles, gold.propositions[0].roles) << day;
  }
}

TEST(RoleLabeller, same_bytes_every_time) { EXPECT_EQ(trained(), model()); }

}  // namespace
}  // namespace entente::roles
