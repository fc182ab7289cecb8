#include "corpus/propbank/propbank.h"

#include <gtest/gtest.h>

#include "corpus/propbank/evaluation.h"
#include "entente/error.h"

namespace entente::propbank {
namespace {

const char* kText =
    "# a comment\n"
    "0\tHe\tPRP\t(TOP(S(NP*)\t-\t-\t2\tnsubj\the\t(ARG0*)\t*\n"
    "1\tsaid\tVBD\t(VP*\tsay\tsay.01\t0\troot\tsay\t(V*)\t*\n"
    "2\tindustry\tNN\t(SBAR(S(NP*)\t-\t-\t5\tnsubj\tindustry\t(ARG1*\t(ARG0*)\n"
    "3\tshould\tMD\t(VP*\t-\t-\t5\taux\tshould\t*\t(ARGM-MOD*)\n"
    "4\tbuild\tVB\t(VP*\tbuild\tbuild.01\t2\tccomp\tbuild\t*\t(V*)\n"
    "5\tplants\tNNS\t(NP*))))))))\t-\t-\t5\tobj\tplant\t*)\t(ARG1*)\n"
    "\n";

std::vector<PropSentence> read(const std::string& text) {
  StringLines lines(text, "x.conll");
  Reader reader(lines);
  std::vector<PropSentence> out;
  for (PropSentence s; reader.read(s);) out.push_back(std::move(s));
  return out;
}

std::string message_of(const std::string& text) {
  try {
    read(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing";
}

std::string replaced(std::string from, std::string to) {
  std::string text = kText;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos);
  return text.replace(at, from.size(), to);
}

TEST(Propbank, what_is_read_is_written_again) {
  const auto sentences = read(std::string(kText) + kText);
  ASSERT_EQ(sentences.size(), 2u);
  std::string out;
  for (const PropSentence& s : sentences) append_columns(out, s);
  EXPECT_EQ(out, std::string(kText) + kText);
  const PropSentence& s = sentences[0];
  EXPECT_EQ(s.tree.nodes[s.tree.node_over(2, 6)].label, "SBAR");
  EXPECT_EQ(s.tree.nodes[s.tree.node_over(0, 1)].label, "NP");
  EXPECT_EQ(s.tree.node_over(1, 3), -1);
  EXPECT_EQ(s.heads[0], 1);
  EXPECT_EQ(s.propositions[1].roles[1], (RoleSpan{"ARGM-MOD", 3, 4}));
}

TEST(Propbank, what_a_parser_thinks_goes_along) {
  const std::string lines =
      "# confidence = 1 0.9 0.8 0.7 0.6 0.5 1 1 1 0.25\n"
      "# likely = NP 2 4 0.25 PP 3 6 0.0312\n"
      "# other = 0.75 (S* * (SBAR* * * *))\n"
      "# other = 0.25 (X* * * * * *)\n";
  const auto sentences = read(lines + kText);
  ASSERT_EQ(sentences.size(), 1u);
  const PropSentence& s = sentences[0];
  EXPECT_EQ(s.comments.size(), 1u);
  ASSERT_EQ(s.likely.size(), 2u);
  EXPECT_EQ(s.likely[1].label, "PP");
  EXPECT_EQ(s.likely[1].end, 6);
  ASSERT_EQ(s.others.size(), 2u);
  EXPECT_EQ(s.others[0].tree.nodes[s.others[0].tree.node_over(2, 6)].label, "SBAR");
  EXPECT_FLOAT_EQ(s.others[1].share, 0.25f);
  EXPECT_FLOAT_EQ(s.tree.nodes[s.tree.node_over(5, 6)].confidence, 0.25f);
  std::string out;
  ProbabilityLines::append(out, s);
  append_columns(out, s);
  EXPECT_EQ(out, lines + kText);
  const auto message = [](const std::string& line) { return message_of(line + "\n" + kText); };
  EXPECT_EQ(message("# confidence = 1 1"),
            "x.conll:1:1: the tree has 10 phrases and the line 2 numbers");
  EXPECT_EQ(message("# confidence = 1 x"), "x.conll:1:1: expected a probability, found \"x\"");
  EXPECT_EQ(message("# likely = NP 2 4"),
            "x.conll:1:1: expected a label, two words and a probability for each phrase");
  EXPECT_EQ(message("# likely = NP 2 9 0.5"),
            "x.conll:1:1: the phrase NP 2 9 is not of the sentence's 6 words");
  EXPECT_EQ(message("# other = 0.5 (S* *)"),
            "x.conll:1:1: the sentence has 6 words and the tree 2 pieces");
  EXPECT_EQ(message("# other = 0.5 (S* * * * * *"),
            "x.conll:1:1: the tree is not closed at the end of the sentence");
  EXPECT_EQ(message("# other = (S* * * * * *)"),
            "x.conll:1:1: expected a probability, found \"(S*\"");
}

TEST(Propbank, props_have_the_short_names) {
  std::string out;
  append_props(out, read(kText)[0]);
  EXPECT_EQ(out,
            "-\t(A0*)\t*\nsay\t(V*)\t*\n-\t(A1*\t(A0*)\n-\t*\t(AM-MOD*)\n"
            "build\t*\t(V*)\n-\t*)\t(A1*)\n\n");
  for (const char* label : {"ARG0", "R-ARGM-TMP", "C-ARG1", "V", "C-V", "ARGA"}) {
    EXPECT_EQ(long_role(short_role(label)), label);
  }
}

TEST(Propbank, errors_say_where_and_what) {
  EXPECT_EQ(message_of(replaced("3\tshould\tMD", "4\tshould\tMD")),
            "x.conll:5:1: expected the index 3, found \"4\"");
  EXPECT_EQ(message_of(replaced("(ARGM-MOD*)", "ARGM-MOD*)")),
            "x.conll:5:37: expected (LABEL*, found \"ARGM-MOD*)\"");
  EXPECT_EQ(message_of(replaced("(NP*))))))))", "(NP*)))))))")),
            "x.conll:7:14: the tree is not closed at the end of the sentence");
  EXPECT_EQ(message_of(replaced("plant\t*)\t(ARG1*)", "plant\t*)")),
            "x.conll:7:1: expected 11 columns as in the sentence's first row, found 10");
  EXPECT_EQ(message_of(replaced("build\tbuild.01", "-\t-")),
            "x.conll:2:37: the sentence has 1 predicates and 2 columns of roles");
  EXPECT_EQ(message_of(replaced("5\tobj", "9\tobj")),
            "x.conll:7:31: the head 9 is the word itself or none of the sentence");
  EXPECT_NE(
      message_of(replaced("(V*)\t*\n2", "*\t*\n2")).find("expected V or C-V at the predicate"),
      std::string::npos);
}

TEST(PhraseTree, brackets_and_bits_are_the_same_tree) {
  std::vector<std::string> words;
  const PhraseTree tree =
      PhraseTree::from_brackets("(TOP (S (NP (PRP He)) (VP (VBD said) (NP (NN nothing)))))", words);
  EXPECT_EQ(words, (std::vector<std::string>{"He", "said", "nothing"}));
  EXPECT_EQ(tree.bits(), (std::vector<std::string>{"(TOP(S(NP*)", "(VP*", "(NP*))))"}));
  for (const char* bad : {"(S (NP", "(S (NP a)) b", "(S ())", ")", "(S (A b c))", "(A a) (B b)"}) {
    EXPECT_THROW(PhraseTree::from_brackets(bad, words), Error) << bad;
  }
}

PropSentence with_roles(std::vector<RoleSpan> roles) {
  PropSentence s;
  s.words = {"a", "b", "c", "d", "e", "f"};
  s.propositions.push_back({2, "c", "c.01", std::move(roles)});
  return s;
}

RoleScores compare(std::vector<RoleSpan> gold, std::vector<RoleSpan> system) {
  RoleScores scores;
  scores.add(with_roles(std::move(gold)), with_roles(std::move(system)));
  return scores;
}

TEST(RoleScores, a_continued_argument_is_right_only_as_a_whole) {
  const std::vector<RoleSpan> gold = {
      {"ARG1", 0, 2}, {"V", 2, 3}, {"ARG0", 3, 4}, {"C-ARG1", 4, 6}};
  RoleScores s = compare(gold, gold);
  EXPECT_EQ(s.labelled.gold, 2);
  EXPECT_EQ(s.labelled.correct, 2);
  EXPECT_EQ(s.pieces.gold, 3);
  s = compare(gold, {{"ARG1", 0, 2}, {"V", 2, 3}, {"ARG0", 3, 4}});
  EXPECT_EQ(s.labelled.correct, 1);  // ARG0; ARG1 lacks its second piece
  EXPECT_EQ(s.pieces.correct, 2);
  // A second ARG1 instead of C-ARG1: two arguments, both wrong.
  s = compare(gold, {{"ARG1", 0, 2}, {"ARG0", 3, 4}, {"ARG1", 4, 6}});
  EXPECT_EQ(s.labelled.system, 3);
  EXPECT_EQ(s.labelled.correct, 1);
  // C-ARG1 with nothing before it is an ARG1 of its own.
  s = compare({{"ARG1", 4, 6}}, {{"C-ARG1", 4, 6}});
  EXPECT_EQ(s.labelled.correct, 1);
  EXPECT_EQ(s.violations.continues, 1);
}

TEST(RoleScores, other_words_are_refused_with_their_place) {
  const PropSentence gold = read(kText)[0], system = read(replaced("industry\tNN", "trade\tNN"))[0];
  RoleScores scores;
  try {
    scores.add(gold, system);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "sentence 1 (gold line 2, system line 2): word 2 is \"industry\" in the gold file "
                 "and \"trade\" in the other; both must have the same words");
  }
}

TEST(RoleScores, references_are_labels_of_their_own) {
  const RoleScores s =
      compare({{"ARG0", 0, 1}, {"R-ARG0", 1, 2}}, {{"ARG0", 0, 1}, {"ARG0", 1, 2}});
  EXPECT_EQ(s.labelled.correct, 1);
  EXPECT_EQ(s.recognised.correct, 2);
  EXPECT_EQ(s.violations.twice, 1);
  EXPECT_EQ(compare({}, {{"R-ARG0", 0, 1}}).violations.refers, 1);
}

TEST(RoleScores, predicates_that_one_side_lacks_cost_their_arguments) {
  PropSentence gold = with_roles({{"ARG0", 0, 1}}), system = gold;
  system.propositions[0].predicate = 4;
  system.propositions[0].roleset = "e.01";
  RoleScores s;
  s.add(gold, system);
  EXPECT_EQ(s.labelled.gold, 1);
  EXPECT_EQ(s.labelled.system, 1);
  EXPECT_EQ(s.labelled.correct, 0);
  EXPECT_EQ(s.predicates.correct, 0);
  system.words[3] = "x";
  EXPECT_THROW(s.add(gold, system), Error);
}

}  // namespace
}  // namespace entente::propbank
