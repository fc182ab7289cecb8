#include "corpus/framenet/lexicon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "corpus/test_kit.h"
#include "entente/error.h"

namespace entente::framenet {
namespace {

const std::string kData = std::string(ENTENTE_SOURCE_DIR) + "/tests/data";
const std::string kMini = kData + "/framenet-mini", kBad = kData + "/framenet-bad";

// "Entity_1 Entities", one a pair.
std::vector<std::string> named(const Frame& frame, const std::vector<std::pair<int, int>>& pairs) {
  std::vector<std::string> out;
  for (const auto& [a, b] : pairs) out.push_back(frame.roles[a].name + " " + frame.roles[b].name);
  return out;
}

const LexicalUnit& unit(const Lexicon& lexicon, const std::string& frame, const std::string& name) {
  for (int i : lexicon.frames[lexicon.find(frame)].lexical_units) {
    if (lexicon.lexical_units[i].name == name) return lexicon.lexical_units[i];
  }
  throw Error("no " + name);
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(FrameNetLexicon, FramesAreSortedAndFound) {
  Report report;
  const Lexicon lexicon = read_lexicon(kMini, report);
  EXPECT_EQ(lexicon.frames.size(), 10u);
  for (std::size_t i = 0; i < lexicon.frames.size(); ++i)
    EXPECT_EQ(lexicon.find(lexicon.frames[i].name), static_cast<int>(i));
  EXPECT_EQ(lexicon.find("Similarities"), -1);
  EXPECT_EQ(lexicon.find(""), -1);
  EXPECT_TRUE(report.skipped().empty());
}

TEST(FrameNetLexicon, RulesAreThoseOfThePaper) {
  Report report;
  const Lexicon lexicon = read_lexicon(kMini, report);
  const Frame& f = lexicon.frames[lexicon.find("Similarity")];
  using Names = std::vector<std::string>;
  // Declared on both sides, and once each all the same.
  EXPECT_EQ(named(f, f.excludes), (Names{"Entity_1 Entities", "Entity_2 Entities"}));
  EXPECT_EQ(named(f, f.requires_), (Names{"Entity_1 Entity_2"}));
  EXPECT_EQ(named(f, f.requires_one_way), (Names{"Entity_1 Entity_2", "Entity_2 Entity_1"}));
  const Frame& c = lexicon.frames[lexicon.find("Collaboration")];
  EXPECT_EQ(named(c, c.excludes), (Names{"Partner_1 Partners", "Partner_2 Partners"}));
  // Declared on one side: symmetric for the paper, and as declared.
  const Frame& act = lexicon.frames[lexicon.find("Intentionally_act")];
  EXPECT_EQ(named(act, act.requires_), (Names{"Act Purpose"}));
  EXPECT_EQ(named(act, act.requires_one_way), (Names{"Purpose Act"}));
}

TEST(FrameNetLexicon, RolesHaveTheirOrderCorenessAndType) {
  Report report;
  const Lexicon lexicon = read_lexicon(kMini, report);
  const Frame& f = lexicon.frames[lexicon.find("Self_motion")];
  ASSERT_EQ(f.roles.size(), 8u);
  EXPECT_EQ(f.roles[0].name, "Self_mover");
  EXPECT_EQ(f.roles[0].semantic_type, "Sentient");
  EXPECT_EQ(f.roles[f.find_role("Goal")].core, Core::kCore);
  EXPECT_EQ(f.roles[f.find_role("Manner")].core, Core::kPeripheral);
  EXPECT_EQ(f.roles[f.find_role("Purpose")].core, Core::kExtraThematic);
  EXPECT_EQ(f.roles[f.find_role("Purpose")].semantic_type, "");
  EXPECT_EQ(f.find_role("Theme"), -1);
  ASSERT_EQ(f.core_sets.size(), 1u);
  EXPECT_EQ(f.core_sets[0].size(), 4u);
  const Frame& act = lexicon.frames[lexicon.find("Intentionally_act")];
  EXPECT_EQ(act.roles[act.find_role("Purpose")].core, Core::kCoreUnexpressed);
  EXPECT_EQ(core_name(Core::kExtraThematic), "Extra-Thematic");
}

TEST(FrameNetLexicon, LexicalUnitsHaveLexemesAHeadAndWhatTheyFill) {
  Report report;
  const Lexicon lexicon = read_lexicon(kMini, report);
  for (const LexicalUnit& u : lexicon.lexical_units) {
    const std::vector<int>& of_frame = lexicon.frames[u.frame].lexical_units;
    EXPECT_EQ(std::count_if(of_frame.begin(), of_frame.end(),
                            [&](int i) { return &lexicon.lexical_units[i] == &u; }),
              1)
        << u.name;
  }
  const LexicalUnit& over = unit(lexicon, "Giving", "hand over.v");
  EXPECT_EQ(over.lexemes, (std::vector<std::string>{"hand", "over"}));
  EXPECT_EQ(over.head, 0);
  EXPECT_EQ(over.pos, "V");
  EXPECT_EQ(over.incorporated, -1);
  const LexicalUnit& partner = unit(lexicon, "Collaboration", "partner.n");
  EXPECT_EQ(lexicon.frames[partner.frame].roles[partner.incorporated].name, "Partner_1");
  // The same word in two frames.
  EXPECT_NE(unit(lexicon, "Leadership", "run.v").frame,
            unit(lexicon, "Self_motion", "run.v").frame);
  EXPECT_TRUE(lexicon.frames[lexicon.find("Intentionally_act")].lexical_units.empty());
}

TEST(FrameNetLexicon, RelationsPairTheRolesOfChildAndParent) {
  Report report;
  const Lexicon lexicon = read_lexicon(kMini, report);
  ASSERT_EQ(lexicon.relations.size(), 6u);
  const FrameRelation& r = lexicon.relations[0];
  EXPECT_EQ(r.type, "Inheritance");
  const Frame &child = lexicon.frames[r.child], &parent = lexicon.frames[r.parent];
  EXPECT_EQ(child.name, "Self_motion");
  EXPECT_EQ(parent.name, "Motion");
  ASSERT_EQ(r.roles.size(), 7u);
  EXPECT_EQ(child.roles[r.roles[0].first].name, "Self_mover");
  EXPECT_EQ(parent.roles[r.roles[0].second].name, "Theme");
  EXPECT_TRUE(lexicon.relations.back().roles.empty());
}

TEST(FrameNetLexicon, AReleaseIsFoundInTheFolderAround) {
  EXPECT_EQ(find_release(kMini), kMini);
  const std::string around = testing::TempDir() + "entente_release_around";
  std::filesystem::remove_all(around);
  std::filesystem::create_directories(around + "/fndata-1.x/frame");
  EXPECT_EQ(find_release(around), around + "/fndata-1.x");
  EXPECT_NE(message_of([&] {
              Report report;
              read_lexicon(around, report);
            }).find("fndata-1.x/frame: expected frames (*.xml)"),
            std::string::npos);
  std::filesystem::create_directories(around + "/fndata-1.y/frame");
  // Two of them: which one is meant?
  EXPECT_NE(message_of([&] { find_release(around); }).find("expected a FrameNet release"),
            std::string::npos);
  std::filesystem::remove_all(around);
  EXPECT_NE(message_of([&] { find_release(around); }).find("no such folder"), std::string::npos);
}

TEST(FrameNetLexicon, WhatCannotBeUsedIsSkippedAndReported) {
  Report report;
  const Lexicon lexicon = read_lexicon(kBad, report);
  ASSERT_EQ(lexicon.frames.size(), 1u);
  const Frame& f = lexicon.frames[0];
  ASSERT_EQ(f.roles.size(), 2u);
  EXPECT_EQ(f.roles[1].core, Core::kPeripheral);
  EXPECT_TRUE(f.excludes.empty() && f.requires_.empty() && f.requires_one_way.empty());
  EXPECT_TRUE(f.core_sets.empty());
  EXPECT_EQ(lexicon.lexical_units[0].incorporated, -1);
  EXPECT_TRUE(lexicon.lexical_units[0].lexemes.empty());
  EXPECT_TRUE(lexicon.relations.empty());
  const std::map<std::string, int>& skipped = report.skipped();
  EXPECT_EQ(skipped.at("roles declared twice"), 1);
  EXPECT_EQ(skipped.at("unknown core types of roles (taken as Peripheral)"), 1);
  EXPECT_EQ(skipped.at("relations between frames that the release does not have"), 1);
  EXPECT_GE(skipped.at("rules between roles that the frame does not have"), 2);
  Report twice = report;
  twice.add(report);
  EXPECT_NE(std::find(twice.lines().begin(), twice.lines().end(), "skipped 2 roles declared twice"),
            twice.lines().end());
}

TEST(FrameNetLexicon, ErrorsNameTheirPlace) {
  const auto parse = [](const std::string& text) {
    return message_of([&] {
      Lexicon lexicon;
      Report report;
      parse_frame(text, "X.xml", lexicon, report);
    });
  };
  EXPECT_TRUE(parse("").starts_with("X.xml:1:1: malformed XML")) << parse("");
  EXPECT_TRUE(parse("<frame name=\"A\">\n  <FE</frame>").starts_with("X.xml:2:"));
  EXPECT_NE(parse("<lexUnit/>").find("expected <frame>, found <lexUnit>"), std::string::npos);
  EXPECT_NE(parse("<frame/>").find("a frame needs a name"), std::string::npos);
  EXPECT_NE(parse("<frame name=\"A\">\n<FE/></frame>").find("X.xml:2:"), std::string::npos);
  EXPECT_NE(parse("<frame name=\"A\"><lexUnit/></frame>").find("a lexical unit needs a name"),
            std::string::npos);
  EXPECT_NE(parse("<frame name=\"A\xFF\"/>").find("UTF-8"), std::string::npos);
}

TEST(FrameNetLexicon, SortingKeepsLexicalUnitsWithTheirFrames) {
  Lexicon lexicon;
  Report report;
  for (const char* name : {"B", "C", "A"}) {
    parse_frame(
        std::string("<frame name=\"") + name + "\"><lexUnit name=\"" + name + ".v\"/></frame>",
        name, lexicon, report);
  }
  sort_frames(lexicon);
  for (const char* name : {"A", "B", "C"})
    EXPECT_EQ(unit(lexicon, name, std::string(name) + ".v").frame, lexicon.find(name));
}

}  // namespace
}  // namespace entente::framenet
