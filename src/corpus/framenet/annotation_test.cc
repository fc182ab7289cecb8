#include "corpus/framenet/annotation.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "corpus/utf8.h"
#include "entente/error.h"

namespace entente::framenet {
namespace {

const std::string kData = std::string(ENTENTE_SOURCE_DIR) + "/tests/data";
const std::string kMini = kData + "/framenet-mini", kBad = kData + "/framenet-bad";

// The characters of a label, cut out of the text.
std::string text_of(const AnnotatedSentence& s, const Label& label) {
  const std::string_view until = first_characters(s.text, label.end);
  return std::string(last_characters(until, label.end - label.begin));
}

// "walk.v Self_motion: walked; Self_mover=Marta ..."
std::string shown(const AnnotatedSentence& s, const Predicate& p) {
  std::string out = p.lexical_unit + " " + p.frame + ":";
  for (const Label& t : p.target) out += " " + text_of(s, t);
  for (const Label& a : p.arguments) out += "; " + a.name + "=" + text_of(s, a);
  return out;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::vector<AnnotatedSentence> document(const std::string& name) {
  Report report;
  std::vector<AnnotatedSentence> out = read_full_text(kMini, name, report);
  EXPECT_TRUE(report.skipped().empty());
  return out;
}

TEST(FrameNetAnnotation, DocumentsAreListedAndSplit) {
  EXPECT_EQ(document_names(kMini), (std::vector<std::string>{"Mini__Harbour", "Mini__Letters",
                                                             "Mini__Market", "Mini__Orchard"}));
  EXPECT_EQ(read_document_list(kMini + "/train.docs"),
            (std::vector<std::string>{"Mini__Harbour", "Mini__Market", "Mini__Orchard"}));
  EXPECT_EQ(read_document_list(kMini + "/dev.docs"), std::vector<std::string>{"Mini__Letters"});
}

TEST(FrameNetAnnotation, ListsOfDocumentsMayHaveOtherEndsAndBlanks) {
  const std::string path = testing::TempDir() + "entente_documents";
  std::ofstream(path) << "# two\r\nA__b \r\n\r\n  \nC__d.xml";
  EXPECT_EQ(read_document_list(path), (std::vector<std::string>{"A__b", "C__d"}));
  std::ofstream(path) << "# none\n";
  EXPECT_NE(message_of([&] { read_document_list(path); }).find("expected names of documents"),
            std::string::npos);
  std::filesystem::remove(path);
  EXPECT_NE(message_of([&] { read_document_list(path); }).find("no such file"), std::string::npos);
}

TEST(FrameNetAnnotation, PredicatesHaveTheirTargetAndRolesInOrder) {
  const std::vector<AnnotatedSentence> d = document("Mini__Harbour");
  ASSERT_EQ(d.size(), 18u);
  EXPECT_TRUE(d[0].predicates.empty());  // only tags
  EXPECT_EQ(d[1].document, "Mini__Harbour");
  EXPECT_EQ(d[1].id, "9002");
  ASSERT_EQ(d[1].predicates.size(), 1u);
  EXPECT_EQ(d[1].predicates[0].status, "MANUAL");
  EXPECT_EQ(shown(d[1], d[1].predicates[0]),
            "walk.v Self_motion: walked; Self_mover=Marta; Source=from the harbour; Goal=to the "
            "old mill");
  ASSERT_EQ(d[15].predicates.size(), 2u);
  EXPECT_EQ(shown(d[15], d[15].predicates[1]),
            "say.v Statement: said; Speaker=the captain; Message=nothing");
}

TEST(FrameNetAnnotation, TargetsMayHaveSeveralWordsAndGaps) {
  const std::vector<AnnotatedSentence> d = document("Mini__Harbour");
  EXPECT_EQ(d[11].predicates[0].target.size(), 2u);
  EXPECT_EQ(shown(d[11], d[11].predicates[0]),
            "hand over.v Giving: handed over; Donor=The captain; Theme=the maps; "
            "Recipient=to Joana");
  EXPECT_EQ(d[8].predicates[0].target.size(), 1u);
  EXPECT_EQ(text_of(d[8], d[8].predicates[0].target[0]), "teamed up");
}

TEST(FrameNetAnnotation, RolesFilledTwiceAndOnTheTargetAreKept) {
  const std::vector<AnnotatedSentence> market = document("Mini__Market");
  EXPECT_EQ(shown(market[1], market[1].predicates[0]),
            "buy.v Commerce_buy: bought; Time=In the morning; Buyer=Pedro; Goods=plums; "
            "Time=at dawn");
  const std::vector<AnnotatedSentence> harbour = document("Mini__Harbour");
  EXPECT_EQ(shown(harbour[16], harbour[16].predicates[0]),
            "partner.n Collaboration: partner; Partner_2=Her; Partner_1=partner");
}

TEST(FrameNetAnnotation, NullInstantiationsAndRankTwoAreKeptApart) {
  const std::vector<AnnotatedSentence> harbour = document("Mini__Harbour");
  using Nulls = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(harbour[14].predicates[0].null_instantiations, (Nulls{{"Ingestor", "CNI"}}));
  EXPECT_EQ(harbour[14].predicates[0].arguments.size(), 2u);
  const std::vector<AnnotatedSentence> orchard = document("Mini__Orchard");
  const Predicate& p = orchard[4].predicates[0];
  EXPECT_EQ(shown(orchard[4], p),
            "buy.v Commerce_buy: bought; Buyer=S\xC3\xB8ren; Goods=cr\xC3\xA8me br\xC3\xBBl\xC3\xA9"
            "e; Seller=from the caf\xC3\xA9");
  ASSERT_EQ(p.arguments_of_rank_2.size(), 1u);
  EXPECT_EQ(p.arguments_of_rank_2[0].name, "Place");
  EXPECT_EQ(text_of(orchard[4], p.arguments_of_rank_2[0]), "from the caf\xC3\xA9");
}

TEST(FrameNetAnnotation, OffsetsCountCharactersNotBytes) {
  const std::vector<AnnotatedSentence> d = document("Mini__Orchard");
  EXPECT_EQ(d[3].text,
            "The two sisters resemble each other in \xC5\x81\xC3\xB3"
            "d\xC5\xBA.");
  EXPECT_EQ(shown(d[3], d[3].predicates[0]),
            "resemble.v Similarity: resemble; Entities=The two sisters; Place=in "
            "\xC5\x81\xC3\xB3"
            "d\xC5\xBA");
  EXPECT_EQ(d[3].predicates[0].arguments[1].end, 43);
  EXPECT_EQ(text_of(d[11], d[11].predicates[0].arguments[1]), "seeds & bulbs");
}

TEST(FrameNetAnnotation, EveryRoleIsOneOfItsFrameAndEveryLabelAWholePhrase) {
  Report report;
  const Lexicon lexicon = read_lexicon(kMini, report);
  int predicates = 0;
  for (const std::string& name : document_names(kMini)) {
    for (const AnnotatedSentence& s : document(name)) {
      for (const Predicate& p : s.predicates) {
        ++predicates;
        const int frame = lexicon.find(p.frame);
        ASSERT_GE(frame, 0) << p.frame;
        for (const Label& a : p.arguments) {
          EXPECT_GE(lexicon.frames[frame].find_role(a.name), 0) << a.name;
          EXPECT_NE(text_of(s, a).front(), ' ');
          EXPECT_NE(text_of(s, a).back(), ' ');
        }
      }
    }
  }
  EXPECT_EQ(predicates, 73);
}

TEST(FrameNetAnnotation, ExemplarsWithoutRolesAreLeftOut) {
  Report report;
  std::vector<std::string> all;
  for_each_exemplar(kMini, report, [&](AnnotatedSentence&& s) {
    for (const Predicate& p : s.predicates)
      all.push_back(shown(s, p) + (p.null_instantiations.empty() ? "" : " +"));
    return true;
  });
  EXPECT_EQ(all, (std::vector<std::string>{
                     "give.v Giving: gave; Donor=The farmer; Theme=the donkey; Recipient=to a "
                     "neighbour",
                     "give.v Giving: give +",
                     "hand over.v Giving: handed over; Donor=The porter; Theme=it; Recipient=to "
                     "the guests",
                     "walk.v Self_motion: walked; Self_mover=The nurse; Goal=to the window",
                     "walk.v Self_motion: walked; Self_mover=Two monks; Manner=slowly; "
                     "Path=through the valley",
                     "walk.v Self_motion: walked; Self_mover=They; Area=about the garden",
                     "resemble.v Similarity: resemble; Entity_1=The clouds; Entity_2=sheep",
                     "resemble.v Similarity: resemble; Entities=These three coins; "
                     "Degree=closely"}));
  EXPECT_TRUE(report.skipped().empty());
}

TEST(FrameNetAnnotation, ReadingOfExemplarsStopsWhenTold) {
  Report report;
  int seen = 0;
  for_each_exemplar(kMini, report, [&](AnnotatedSentence&&) { return ++seen < 4; });
  EXPECT_EQ(seen, 4);
}

TEST(FrameNetAnnotation, UnknownDocumentsAreRefusedWithASuggestion) {
  Report report;
  const std::string message = message_of([&] { read_full_text(kMini, "Mini__Harbor", report); });
  EXPECT_NE(message.find("no such document"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean \"Mini__Harbour\"?"), std::string::npos) << message;
}

TEST(FrameNetAnnotation, PartsOfAReleaseThatAreNotThereAreNamed) {
  namespace fs = std::filesystem;
  const std::string release = testing::TempDir() + "entente_release_in_part";
  fs::remove_all(release);
  fs::create_directories(release);
  fs::copy(kMini + "/frame", release + "/frame");
  Report report;
  EXPECT_EQ(read_lexicon(release, report).frames.size(), 10u);
  ASSERT_EQ(report.lines().size(), 1u);
  EXPECT_NE(report.lines()[0].find("frRelation.xml"), std::string::npos);
  EXPECT_NE(
      message_of([&] { document_names(release); }).find("/fulltext: expected annotated documents"),
      std::string::npos);
  EXPECT_NE(message_of([&] { read_full_text(release, "A__b", report); }).find("/fulltext"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              for_each_exemplar(release, report, [](AnnotatedSentence&&) { return true; });
            }).find("/lu: expected lexical units"),
            std::string::npos);
  fs::remove_all(release);
}

TEST(FrameNetAnnotation, MalformedFilesAreErrorsWithAPlace) {
  const auto read = [](const std::string& name) {
    return message_of([&] {
      Report report;
      read_full_text(kBad, name, report);
    });
  };
  EXPECT_NE(read("Bad__Malformed").find("Bad__Malformed.xml:4:"), std::string::npos)
      << read("Bad__Malformed");
  EXPECT_NE(read("Bad__Root").find("expected <fullTextAnnotation>, found <frameIndex>"),
            std::string::npos);
  Report report;
  EXPECT_NE(message_of([&] {
              for_each_exemplar(kBad, report, [](AnnotatedSentence&&) { return true; });
            }).find("lu5.xml:2:"),
            std::string::npos);
}

TEST(FrameNetAnnotation, ADocumentWithoutAnnotationHasSentencesWithoutPredicates) {
  Report report;
  const std::vector<AnnotatedSentence> d = read_full_text(kBad, "Bad__Unannotated", report);
  ASSERT_EQ(d.size(), 2u);
  EXPECT_TRUE(d[0].predicates.empty());
  EXPECT_EQ(d[1].text, "");
  EXPECT_TRUE(report.skipped().empty());
}

TEST(FrameNetAnnotation, LabelsThatCannotBeUsedAreSkippedAndReported) {
  Report report;
  const std::vector<AnnotatedSentence> d = read_full_text(kBad, "Bad__Quirks", report);
  ASSERT_EQ(d.size(), 1u);
  ASSERT_EQ(d[0].predicates.size(), 1u);
  // Whether there is such a frame is for the lexicon to say.
  EXPECT_EQ(shown(d[0], d[0].predicates[0]), "consist.v Unheard_of: consists; Part=A wall");
  const std::map<std::string, int>& skipped = report.skipped();
  EXPECT_EQ(skipped.at("labels whose offsets lie outside their sentence"), 3);
  EXPECT_EQ(skipped.at("FE labels without a role"), 1);
  EXPECT_EQ(skipped.at("annotation sets with a frame but no target"), 1);
}

TEST(FrameNetAnnotation, TextIsUtf8WhateverTheFileSays) {
  const auto parse = [](const std::string& text) {
    return message_of([&] {
      Report report;
      parse_full_text(
          "<fullTextAnnotation><sentence><text>" + text + "</text></sentence></fullTextAnnotation>",
          "x.xml", report);
    });
  };
  EXPECT_EQ(parse("caf\xC3\xA9 &amp; &#233;"), "no error");
  EXPECT_NE(parse("caf\xE9").find("x.xml:1:40: "), std::string::npos) << parse("caf\xE9");
  // A character that does not exist, as a reference.
  EXPECT_NE(parse("&#xD800;").find("UTF-8"), std::string::npos) << parse("&#xD800;");
}

}  // namespace
}  // namespace entente::framenet
