#include <gtest/gtest.h>

#include <limits>

#include "base/json.h"
#include "base/random.h"
#include "corpus/layers/frames/layout.h"
#include "corpus/layers/frames/test_kit.h"
#include "corpus/layers/frames/text.h"
#include "corpus/test_kit.h"
#include "corpus/utf8.h"

namespace entente {
namespace {

// The paper's Figure 1, with a gap in the second frame's target.
Document figure_1() {
  Document document = make_document(
      "Austria _, once expected to waltz smoothly into the European Union _, is elbowing its "
      "partners _, treading on toes and pogo-dancing in a most un-Viennese manner _.");
  Sentence& s = document.sentences[0];
  FrameInstance& motion = s.frames.emplace_back(
      make_frame("Self_motion", {5},
                 {{.role = "Self_mover", .words = {0, 1}, .score = 2.5},
                  {.role = "Manner", .words = {6, 7}, .core = false, .score = 1.25},
                  {.role = "Goal", .words = {7, 11}, .score = 0.5}}));
  motion.lexical_unit = "waltz.v";
  motion.score = 0.75;
  motion.value = motion.bound = 4.25;
  motion.proven = true;
  motion.rules = {"Area excludes Goal"};
  s.frames.push_back(make_frame(
      "Collaboration", {15},
      {{.role = "Partner_2", .words = {14, 15}}, {.role = "Partner_1", .words = {15, 16}}}));
  s.frames.push_back(
      make_frame("Conduct", {22, 26},
                 {{.role = "Agent", .words = {0, 1}}, {.role = "Manner", .words = {23, 26}}}));
  return document;
}

TEST(FrameText, MarksTargetsAndRolesUnderEveryLineWhereTheyOccur) {
  EXPECT_EQ(written_as("text", figure_1()),
            "Austria, once expected to waltz smoothly into the European Union, is elbowing\n"
            "┬──────                   ╤════ ┬─────── ┬──────────────────────\n"
            "Self_mover                │     Manner   Goal\n"
            "                          Self_motion\n"
            "┬──────\n"
            "Agent\n"
            "its partners, treading on toes and pogo-dancing in a most un-Viennese manner.\n"
            "┬── ╤═══════\n"
            "│   Collaboration\n"
            "Partner_2\n"
            "    ┬───────\n"
            "    Partner_1\n"
            "                                                ╤═ ┬───────────────── ╤═════\n"
            "                                                │  Manner             Conduct\n"
            "                                                Conduct\n"
            "  Self_motion (waltz.v, 0.75): value 4.25, proven best\n"
            "    rules: Area excludes Goal\n"
            "  Collaboration (1.00): value 0.00, at most 0.00\n"
            "  Conduct (1.00): value 0.00, at most 0.00\n\n");
}

TEST(FrameText, APhraseThatGoesOnInTheNextLineIsNamedThereAgain) {
  const Document document = [] {
    Document d = make_document("we walk along the very long wall");
    d.sentences[0].frames.push_back(
        make_frame("Self_motion", {1}, {{.role = "Path", .words = {2, 7}}}));
    return d;
  }();
  std::string out;
  append_frame_text(out, document.sentences[0], document.text, 20);
  EXPECT_EQ(out.substr(0, out.find("\n  Self_motion\n") + 1),
            "we walk along the\n"
            "   ╤═══ ┬────────\n"
            "   │    Path\n"
            "   Self_motion\n"
            "very long wall\n"
            "┬─────────────\n"
            "…Path\n");
}

TEST(FrameText, SaysThatAWishWasDropped) {
  Document document = make_document("we walk");
  FrameInstance& frame =
      document.sentences[0].frames.emplace_back(make_frame("Self_motion", {1}, {}));
  frame.wish_dropped = true;
  const std::string text = written_as("text", document);
  EXPECT_NE(text.find("value 0.00, a required role cannot be had\n"), std::string::npos) << text;
}

TEST(FrameText, CountsColumnsOfWideLettersAndMarks) {
  Document document = make_document("猫 cafe\xCC\x81 sees");
  document.sentences[0].frames.push_back(
      make_frame("X", {2}, {{.role = "猫", .words = {0, 1}}, {"R", {1, 2}}}));
  EXPECT_EQ(written_as("text", document),
            "猫 cafe\xCC\x81 sees\n"
            "┬─ ┬─── ╤═══\n"
            "猫 R    X\n"
            "  X (1.00): value 0.00, at most 0.00\n\n");
}

TEST(FrameText, StaysWithinItsColumnsAndKeepsEveryWord) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    std::string words;
    const int n = random.between(1, 40);
    for (int i = 0; i < n; ++i)
      words += (i ? " " : "") + std::string(1 + random.below(9), static_cast<char>('a' + i % 26));
    Document document = make_document(words);
    Sentence& s = document.sentences[0];
    for (int f = random.below(4); f-- > 0;) {
      FrameInstance frame =
          make_frame(std::string(1 + random.below(15), 'F'), {random.below(n)}, {});
      for (int a = random.below(5); a-- > 0;) {
        const int first = random.below(n), last = random.between(first, n - 1);
        frame.arguments.push_back({std::string(1 + random.below(15), 'R'), {first, last + 1}});
      }
      frame.rules = {std::string(30, 'r') + " excludes " + std::string(20, 's')};
      s.frames.push_back(frame);
    }
    std::string out, kept;
    append_frame_text(out, s, document.text, 40);
    for (std::size_t i = 0; i < out.size();) {
      const std::size_t end = out.find('\n', i);
      const std::string_view line = std::string_view(out).substr(i, end - i);
      ASSERT_LE(unicode::columns_of(line), 40) << line;
      ASSERT_FALSE(line.ends_with(' '));
      const bool text =
          !line.empty() &&
          line.find_first_not_of("abcdefghijklmnopqrstuvwxyz ") == std::string_view::npos &&
          line[0] != ' ';
      if (text) kept += (kept.empty() ? "" : " ") + std::string(line);
      i = end + 1;
    }
    ASSERT_EQ(kept, words);
  }
}

TEST(FrameText, ExplainsWhereThatWasAskedFor) {
  Document document = make_document("Berries resemble plums");
  FrameInstance frame =
      make_frame("Similarity", {1},
                 {{.role = "Entity_1", .words = {0, 1}, .score = 1, .margin = 0.5},
                  {.role = "Entity_2", .words = {2, 3}, .score = 2, .margin = 0.25}});
  frame.explanation.push_back({.active_rules = {"Entity_1 excludes Entities"},
                               .runner_up = {{"Entities", {0, 1}}},
                               .runner_up_value = 2.75,
                               .broken_locally = {"Entity_2 excludes Entities"},
                               .problem = "{}",
                               .certificate = "{}"});
  document.sentences[0].frames.push_back(frame);
  const std::string text = written_as("text", document);
  EXPECT_EQ(text.substr(text.find("  Similarity (")),
            "  Similarity (1.00): value 0.00, at most 0.00\n"
            "    Entity_1: score 1.00, the best without it is worth 0.50 less\n"
            "    Entity_2: score 2.00, the best without it is worth 0.25 less\n"
            "    decided by: Entity_1 excludes Entities\n"
            "    role by role would break: Entity_2 excludes Entities\n"
            "    second best, value 2.75: Entities \"Berries\"\n\n");
  const std::string line = written_as("jsonl", document);
  EXPECT_NE(line.find("\"margin\": 0.5}"), std::string::npos) << line;
  EXPECT_NE(line.find("\"explanation\": {\"active_rules\": [\"Entity_1 excludes Entities\"], "
                      "\"broken_locally\": [\"Entity_2 excludes Entities\"], \"runner_up\": "
                      "{\"value\": 2.75, \"arguments\": [{\"role\": \"Entities\""),
            std::string::npos)
      << line;
  EXPECT_NE(line.find("\"problem\": \"{}\", \"certificate\": \"{}\"}"), std::string::npos);
  // The runner-up is the second of SEMAFOR's list.
  EXPECT_NE(written_as("semafor", document)
                .find("{\"rank\": 1, \"score\": 2.75, \"frameElements\": [{\"name\": \"Entities\", "
                      "\"spans\": [{\"start\": 0, \"end\": 1, \"text\": \"Berries\"}]}]}"),
            std::string::npos);
  EXPECT_NE(written_as("html", document).find("<li>Entities: Berries</li>"), std::string::npos);
}

TEST(FrameJson, HasWordsTokensAndCharactersOfTheWholeInput) {
  Document document = read_document(
      "1\t\xC3\x96l\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "2\tdo\t_\t_\t_\t_\t_\t_\t_\t_\n3\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "4\tburn\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
  document.characters_before = 100;
  FrameInstance frame =
      make_frame("Fire", {1, 3}, {{"Fuel", {0, 1}, true, 1.5}, {"Not", {2, 3}, false}});
  frame.lexical_unit = "burn.v";
  frame.score = 0.5;
  frame.value = 1.5;
  frame.bound = std::numeric_limits<double>::infinity();
  frame.rules = {"a \"b\""};
  document.sentences[0].frames.push_back(frame);
  const std::string line = written_as("jsonl", document);
  Json json;
  json.parse({line, "line", 1});
  EXPECT_EQ(line.substr(line.find("\"frames\"")),
            "\"frames\": [{\"frame\": \"Fire\", \"lexical_unit\": \"burn.v\", \"score\": 0.5, "
            "\"target\": {\"words\": [2, 4], \"tokens\": [2, 3], \"text\": \"do burn\", \"spans\": "
            "[{\"first\": 2, \"last\": 2, \"first_token\": 2, \"last_token\": 2, \"begin\": 103, "
            "\"end\": 105, \"text\": \"do\"}, {\"first\": 4, \"last\": 4, \"first_token\": 3, "
            "\"last_token\": 3, \"begin\": 109, \"end\": 113, \"text\": \"burn\"}]}, \"value\": "
            "1.5, \"bound\": null, \"proven\": false, \"arguments\": [{\"role\": \"Fuel\", "
            "\"core\": true, \"first\": 1, \"last\": 1, \"first_token\": 1, \"last_token\": 1, "
            "\"begin\": 100, \"end\": 102, \"text\": \"\xC3\x96l\", \"score\": 1.5}, {\"role\": "
            "\"Not\", \"core\": false, \"first\": 3, \"last\": 3, \"first_token\": 2, "
            "\"last_token\": 2, \"begin\": 105, \"end\": 108, \"text\": \"n't\", \"score\": 0}], "
            "\"rules\": [\"a \\\"b\\\"\"]}]}\n");
}

TEST(FrameJson, LeavesOutPlacesThatAreNotKnown) {
  Document document = make_document("a _b c");
  document.sentences[0].frames.push_back(make_frame("F", {2}, {{"R", {0, 2}}}));
  document.text.clear();
  for (Token& t : document.sentences[0].tokens) t.begin = t.end = -1;
  const std::string line = written_as("jsonl", document);
  EXPECT_NE(line.find("\"first_token\": 1, \"last_token\": 2, \"text\": \"ab\", \"score\": 0}"),
            std::string::npos)
      << line;
}

TEST(FrameWriters, SemaforCountsWordsFromZeroAndGivesRuns) {
  Document document = make_document("They took the case \"on\"");
  document.sentences[0].frames.push_back(
      make_frame("Undertaking", {1, 4}, {{"Agent", {0, 1}}, {"Activity", {2, 4}}}));
  EXPECT_EQ(
      written_as("semafor", document),
      "{\"frames\": [{\"target\": {\"name\": \"Undertaking\", \"spans\": [{\"start\": 1, \"end\": "
      "2, \"text\": \"took\"}, {\"start\": 4, \"end\": 5, \"text\": \"\\\"on\\\"\"}]}, "
      "\"annotationSets\": [{\"rank\": 0, \"score\": 0, \"frameElements\": [{\"name\": \"Agent\", "
      "\"spans\": [{\"start\": 0, \"end\": 1, \"text\": \"They\"}]}, {\"name\": \"Activity\", "
      "\"spans\": [{\"start\": 2, \"end\": 4, \"text\": \"the case\"}]}]}]}], \"tokens\": "
      "[\"They\", \"took\", \"the\", \"case\", \"\\\"on\\\"\"]}\n");
  EXPECT_EQ(written_as("semafor", make_document("Hm")), "{\"frames\": [], \"tokens\": [\"Hm\"]}\n");
}

TEST(FrameWriters, SentencesWithoutFramesAreAsBeforeUnlessFramesWereLookedFor) {
  const Document document = make_document("Hm _.");
  EXPECT_EQ(written_as("jsonl", document).find("frames"), std::string::npos);
  EXPECT_TRUE(
      written_as("jsonl", document, {.layers = {"frames"}}).ends_with(", \"frames\": []}\n"));
  EXPECT_EQ(written_as("text", document, {.layers = {"frames"}}), "Hm.\n\n");
  EXPECT_EQ(written_as("svg", document).find(".k0"), std::string::npos);
  EXPECT_NE(written_as("svg", document, {.layers = {"frames"}}).find(">Hm</text>"),
            std::string::npos);
  const std::string page = written_as("html", document, {.layers = {"frames"}});
  EXPECT_NE(page.find("<p class=\"text\">Hm.</p>"), std::string::npos);
  EXPECT_EQ(page.find("Dependency tree"), std::string::npos);
  EXPECT_EQ(written_as("html", document).find("class=\"sentence\""), std::string::npos);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++n;
  return n;
}

TEST(FrameWriters, PicturesAndPagesEscapeWhatTheyAreGiven) {
  Document document = make_document("<b> & \"x\"");
  FrameInstance frame = make_frame("F<i>", {0}, {{"R\"<i>", {1, 3}}});
  frame.lexical_unit = "<i>.v";
  frame.rules = {"<i> & 'y'"};
  FrameExplanation& why = frame.explanation.emplace_back();
  why.active_rules = why.broken_locally = {"<i>"};
  why.runner_up = {{"<i>", {0, 1}}};
  document.sentences[0].frames.push_back(frame);
  for (const std::string format : {"svg", "html"}) {
    const std::string out = written_as(format, document);
    EXPECT_EQ(out.find("<i>"), std::string::npos) << format;
    EXPECT_EQ(out.find("<b>"), std::string::npos) << format;
    EXPECT_EQ(out.find("R\""), std::string::npos) << format;
    EXPECT_EQ(out.find("& "), std::string::npos) << format;
    // Nothing is fetched from anywhere, and no script runs.
    for (const char* outside : {"src=", "href=", "<script", "url(", "@import"})
      EXPECT_EQ(out.find(outside), std::string::npos) << format << outside;
  }
}

TEST(FrameWriters, PagesMarkEveryTargetAndRoleAndStyleThemOnce) {
  const Document document = figure_1();
  const std::unique_ptr<DocumentWriter> writer = make_writer("html");
  std::string page = writer->begin();
  for (int k = 0; k < 2; ++k) {
    std::string piece;
    writer->append(piece, document);
    page += writer->place(piece);
  }
  page += writer->end();
  EXPECT_EQ(count(page, ".k0{--k:#b42318}"), 1u);
  EXPECT_EQ(count(page, "<article "), 6u);
  EXPECT_EQ(count(page, "</article>"), 6u);
  EXPECT_EQ(count(page, "<span class=\"target"), 8u);  // the third frame's has a gap
  EXPECT_EQ(count(page, "<span class=\"role"), 14u);
  EXPECT_EQ(count(page, "<span"), count(page, "</span>"));
  EXPECT_EQ(count(page, "<mark class=\"k2\""), 4u);
  EXPECT_EQ(count(page, "✓ value 4.25, proven best"), 2u);
  EXPECT_EQ(count(page, "<li>Area excludes Goal</li>"), 2u);
  EXPECT_NE(page.find("title=\"Manner, other role of Self_motion, score 1.25\""),
            std::string::npos);
  // The style goes into the head where it is known in time.
  const std::string known = written_as("html", document, {.layers = {"frames"}});
  EXPECT_LT(known.find(".k0{--k:#b42318}"), known.find("<body>"));
}

TEST(FrameWriters, PicturesGiveEveryNameRoomUnderItsWords) {
  const std::string svg = written_as("svg", figure_1());
  EXPECT_EQ(count(svg, ">Austria</text>"), 1u);
  EXPECT_EQ(count(svg, "class=\"fn\""), 4u);
  EXPECT_EQ(count(svg, "class=\"fr "), 7u);
  EXPECT_EQ(count(svg, "<g>"), count(svg, "<title>"));
  EXPECT_NE(svg.find(".tree .k0"), std::string::npos);
}

TEST(FrameLayout, WordsOfATokenThatCannotBeSplitAreMarkedTogether) {
  Document document = read_document(
      "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "2\tle\t_\t_\t_\t_\t_\t_\t_\t_\n3\tpain\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
  std::vector<int> piece_of_word;
  const std::vector<Piece> pieces = pieces_of(document.sentences[0], document.text, piece_of_word);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(piece_of_word, (std::vector<int>{0, 0, 1}));
  const std::vector<Lane> lanes = lanes_of(make_frame("F", {0}, {{"R", {1, 3}}}), piece_of_word);
  ASSERT_EQ(lanes.size(), 2u);  // the role covers what the target covers
  EXPECT_EQ(lanes[1][0].first, 0);
}

TEST(FrameLayout, RunsAreWordsThatFollowEachOther) {
  using Runs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(runs_of({}), Runs{});
  EXPECT_EQ(runs_of({3, 4, 7}), (Runs{{3, 4}, {7, 7}}));
}

}  // namespace
}  // namespace entente
