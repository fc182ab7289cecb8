#include "tasks/frames/lexicon_io.h"

#include <gtest/gtest.h>

#include "entente/error.h"

namespace entente::frames {
namespace {

framenet::Lexicon small_release() {
  framenet::Report report;
  return framenet::read_lexicon(ENTENTE_SOURCE_DIR "/tests/data/framenet-mini", report);
}

TEST(LexiconIo, GivesBackWhatWasWritten) {
  const framenet::Lexicon lexicon = small_release();
  ModelWriter writer("test", 1);
  write_lexicon(lexicon, writer);
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "test.model");
  const framenet::Lexicon back = read_lexicon(file);
  ASSERT_EQ(back.frames.size(), lexicon.frames.size());
  for (std::size_t f = 0; f < back.frames.size(); ++f) {
    const framenet::Frame &a = lexicon.frames[f], &b = back.frames[f];
    EXPECT_EQ(b.name, a.name);
    EXPECT_EQ(b.excludes, a.excludes);
    EXPECT_EQ(b.requires_, a.requires_);
    EXPECT_EQ(b.requires_one_way, a.requires_one_way);
    EXPECT_EQ(b.core_sets, a.core_sets);
    EXPECT_EQ(b.lexical_units, a.lexical_units);
    ASSERT_EQ(b.roles.size(), a.roles.size());
    for (std::size_t r = 0; r < a.roles.size(); ++r) {
      EXPECT_EQ(b.roles[r].name, a.roles[r].name);
      EXPECT_EQ(b.roles[r].core, a.roles[r].core);
      EXPECT_EQ(b.roles[r].semantic_type, a.roles[r].semantic_type);
    }
  }
  ASSERT_EQ(back.lexical_units.size(), lexicon.lexical_units.size());
  for (std::size_t u = 0; u < back.lexical_units.size(); ++u) {
    const framenet::LexicalUnit &a = lexicon.lexical_units[u], &b = back.lexical_units[u];
    EXPECT_EQ(b.name, a.name);
    EXPECT_EQ(b.frame, a.frame);
    EXPECT_EQ(b.incorporated, a.incorporated);
    EXPECT_EQ(b.lexemes, a.lexemes);
    EXPECT_EQ(b.head, a.head);
  }
  ASSERT_EQ(back.relations.size(), lexicon.relations.size());
  EXPECT_EQ(back.relations[0].roles, lexicon.relations[0].roles);
  EXPECT_EQ(back.relations[0].type, lexicon.relations[0].type);
}

TEST(LexiconIo, RefusesNumbersThatPointNowhere) {
  const framenet::Lexicon lexicon = small_release();
  ModelWriter writer("test", 1);
  write_lexicon(lexicon, writer);
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "test.model");
  const auto numbers = file.array<std::int32_t>("frames/lexicon/numbers");
  int refused = 0;
  for (std::size_t i = 0; i < numbers.size(); i += 7) {
    std::vector<std::int32_t> changed(numbers.begin(), numbers.end());
    changed[i] = 1 << 29;
    ModelWriter bad("test", 1);
    bad.add<std::int32_t>("frames/lexicon/numbers", changed);
    bad.add_strings("frames/lexicon/text", file.strings("frames/lexicon/text"));
    const ModelFile damaged = ModelFile::from_bytes(bad.bytes(), "test.model");
    try {
      read_lexicon(damaged);  // only a unit's chief lexeme may be any number
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(numbers.size() / 7 / 2));
}

}  // namespace
}  // namespace entente::frames
