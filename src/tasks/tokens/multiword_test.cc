#include "tasks/tokens/multiword.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tasks/tokens/test_kit.h"

namespace entente::tokens {
namespace {

using Words = std::vector<std::string>;

class Splitter {
 public:
  explicit Splitter(const std::vector<std::string>& notations) {
    for (const std::string& n : notations) sentences_.push_back(sentence_of(n));
    const std::vector<Paragraph> paragraphs = paragraphs_of(sentences_, 1);
    rules_ = MultiwordRules::learn(paragraphs);
  }
  // What each candidate makes of the token.
  std::vector<Words> all(const std::string& token) const {
    Characters c;
    c.read(token);
    std::vector<int> found;
    rules_.candidates(c, 0, c.size(), found);
    std::vector<Words> out;
    for (const int rule : found) rules_.apply(rule, token, out.emplace_back());
    return out;
  }
  const MultiwordRules& rules() const { return rules_; }

 private:
  std::vector<Sentence> sentences_;
  MultiwordRules rules_;
};

TEST(Multiword, SeenTokensAreSplitAsSeenWhateverTheirCase) {
  const Splitter s({"he don't=do+n't do=de+o x", "ao=a+o"});
  EXPECT_EQ(s.all("don't"), (std::vector<Words>{{"do", "n't"}}));
  EXPECT_EQ(s.all("DON'T"), (std::vector<Words>{{"DO", "N'T"}}));
  EXPECT_EQ(s.all("Do"), (std::vector<Words>{{"De", "o"}}));
  EXPECT_EQ(s.all("DO"), (std::vector<Words>{{"DE", "O"}}));
  EXPECT_TRUE(s.all("x").empty());
}

TEST(Multiword, AWordThatSharesNothingWithItsTokenIsCapitalisedAsTheToken) {
  const Splitter s({"à=a+a x no=em+o"});
  EXPECT_EQ(s.all("À"), (std::vector<Words>{{"A", "a"}}));
  EXPECT_EQ(s.all("No"), (std::vector<Words>{{"Em", "o"}}));
}

TEST(Multiword, EndingsOfSeveralTokensSplitOthers) {
  const Splitter s({"Ana's=Ana+'s boat's=boat+'s cat's=cat+'s", "gonna=gon+na"});
  EXPECT_EQ(s.all("zebra's"), (std::vector<Words>{{"zebra", "'s"}}));
  EXPECT_TRUE(s.all("'s").empty());     // an ending is not the whole token
  EXPECT_TRUE(s.all("wanna").empty());  // one token is not enough
}

// A treebank in which people leave apostrophes out: "im", "ive", "doctors" for "doctor's".
TEST(Multiword, EnglishLettersAreSplitBehindPronounsAndAuxiliariesOnly) {
  std::vector<Sentence> sentences;
  for (const char* notation :
       {"don't=do+n't I've=I+'ve", "I do not since the doctor came", "you have not",
        "im=i+m ive=i+ve youve=you+ve weve=we+ve theyve=they+ve", "boat's=boat+'s cat's=cat+'s",
        "doctors=doctor+s cats=cat+s friends=friend+s", "dont=do+nt wont=wo+nt didnt=did+nt",
        "youre=you+re theyre=they+re were=we+re", "the doctors treat them"}) {
    sentences.push_back(sentence_of(notation));
  }
  const auto tag = [](const std::string& form) -> const char* {
    for (const char* w : {"i", "I", "you", "we", "they"}) {
      if (form == w) return "PRON";
    }
    for (const char* w : {"do", "did", "wo", "have"}) {
      if (form == w) return "AUX";
    }
    return form == "since" ? "SCONJ" : "NOUN";
  };
  for (Sentence& s : sentences) {
    for (Word& w : s.words) w.upos = tag(w.form);
  }
  const std::vector<Paragraph> paragraphs = paragraphs_of(sentences, 1);
  LexiconBuilder builder;
  for (const Paragraph& p : paragraphs) builder.add(p, 1);
  const std::vector<LexiconEntry> table = builder.table();
  const MultiwordRules rules = MultiwordRules::learn(paragraphs);
  const auto splits = [&](const std::string& token) {
    Characters c;
    c.read(token);
    std::vector<int> found;
    rules.candidates(c, 0, c.size(), found);
    EXPECT_FALSE(found.empty()) << token;
    return std::any_of(found.begin(), found.end(), [&](int rule) {
      return rules.may_split(c, 0, c.size(), rule, LexiconView(table));
    });
  };
  for (const char* token : {"im", "wont", "youre", "havent", "boat's", "zebra's", "I've"}) {
    EXPECT_TRUE(splits(token)) << token;
  }
  for (const char* token : {"doctors", "cats", "trent", "sincere", "resistant"}) {
    EXPECT_FALSE(splits(token)) << token;
  }
}

TEST(Multiword, TheFileGivesTheSameRules) {
  const Splitter s({"Ana's=Ana+'s boat's=boat+'s cat's=cat+'s dámelo=da+me+lo à=a+a"});
  ModelWriter writer("t", 1);
  s.rules().write(writer, "r");
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "m");
  const MultiwordRules again = MultiwordRules::read(file, "r");
  ASSERT_EQ(again.size(), s.rules().size());
  Characters c;
  std::vector<int> found;
  Words words;
  for (const std::string token : {"dog's", "dámelo", "à"}) {
    c.read(token);
    again.candidates(c, 0, c.size(), found);
    ASSERT_EQ(found.size(), 1u) << token;
    again.apply(found[0], token, words);
    EXPECT_EQ(words, s.all(token)[0]);
  }
}

}  // namespace
}  // namespace entente::tokens
