#include "tasks/lemmas/task.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "entente/error.h"
#include "model/test_kit.h"

namespace entente {
namespace {

// Invented words: plurals in "-i", past in "-ed", names keep their capitals.
std::vector<Sentence> invented() {
  std::vector<Sentence> out;
  const auto add = [&](const std::string& form, const char* lemma, const char* upos,
                       const char* xpos) {
    if (out.empty() || out.back().size() == 3) out.emplace_back();
    out.back().words.push_back({.form = form, .lemma = lemma, .upos = upos, .xpos = xpos});
  };
  for (const char* stem : {"mip", "rol", "tuk", "bes", "lim", "fal", "gor", "hod", "nup", "vek"}) {
    const std::string s = stem, capital = std::string(1, static_cast<char>(s[0] - 32)) + &s[1];
    add(s + "i", stem, "NOUN", "NNS");
    add(s, stem, "NOUN", "NN");
    add(capital + "i", stem, "NOUN", "NNS");
    add(s + "ed", stem, "VERB", "VBD");
    add(capital, capital.c_str(), "PROPN", "NNP");
    add(capital + "a", (capital + "a").c_str(), "PROPN", "NNP");
  }
  add("zu", "be", "AUX", "VBZ");
  add("bu", "_", "X", "GW");
  add("ta", "ta", "VERB", "VB");
  add("ta", "tu", "VERB", "VBD");
  return out;
}

std::string trained(std::span<const Sentence> train, const TestOptions& options) {
  Monitor monitor;
  ModelWriter writer("test", 1);
  EXPECT_TRUE(train_task(LemmasTask(), {train, train}, options, writer, monitor));
  return writer.bytes();
}

std::string lemma_of(const std::string& bytes, const std::string& form, const char* upos,
                     const char* xpos) {
  const ModelFile file = ModelFile::from_bytes(bytes, "test");
  const auto annotator = LemmasTask().load(file);
  const auto scratch = annotator->make_scratch();
  Sentence s;
  s.words.push_back({.form = "the", .upos = "X"});
  s.words.push_back({.form = form, .upos = upos, .xpos = xpos});
  annotator->annotate(s, *scratch);
  EXPECT_EQ(s.words[1].upos, upos);
  return s.words[1].lemma;
}

TEST(LemmasTaskTest, KnowsWhatItSawAndCarriesItOver) {
  const std::string model = trained(invented(), {});
  EXPECT_EQ(lemma_of(model, "mipi", "NOUN", "NNS"), "mip");
  EXPECT_EQ(lemma_of(model, "zu", "AUX", "VBZ"), "be");
  EXPECT_EQ(lemma_of(model, "bu", "X", "GW"), "_");
  EXPECT_EQ(lemma_of(model, "ta", "VERB", "VB"), "ta");
  EXPECT_EQ(lemma_of(model, "ta", "VERB", "VBD"), "tu");
  EXPECT_EQ(lemma_of(model, "karsi", "NOUN", "NNS"), "kars");
  EXPECT_EQ(lemma_of(model, "karsed", "VERB", "VBD"), "kars");
  EXPECT_EQ(lemma_of(model, "Karsi", "NOUN", "NNS"), "kars");
  EXPECT_EQ(lemma_of(model, "Karsona", "PROPN", "NNP"), "Karsona");
}

TEST(LemmasTaskTest, OddWordsGetALemma) {
  const std::string model = trained(invented(), {});
  for (const char* form : {"_", "i", "\xFF", "http://example.org", "😀", "ed"}) {
    EXPECT_NE(lemma_of(model, form, "NOUN", "NNS"), "") << form;
    EXPECT_NE(lemma_of(model, form, "NEW", "_"), "") << form;
  }
  EXPECT_EQ(lemma_of(model, "", "NOUN", "NNS"), "");  // as good as can be
  const std::string longest(100000, 'a');
  EXPECT_EQ(lemma_of(model, longest, "PROPN", "NNP"), longest);
  EXPECT_EQ(lemma_of(trained({}, {}), "mipi", "NOUN", "NNS"), "mipi");
}

TEST(LemmasTaskTest, WithoutLemmasInTrainingThereAreNone) {
  auto train = invented();
  for (Sentence& s : train) {
    for (Word& w : s.words) w.lemma = "_";
  }
  EXPECT_EQ(lemma_of(trained(train, {}), "karsi", "NOUN", "NNS"), "_");
}

TEST(LemmasTaskTest, StoppedAndResumedGivesTheSameModel) {
  const auto train = invented();
  const std::string whole = trained(train, training_options(5));
  for (int epochs = 0; epochs <= 4; ++epochs) {
    const std::string path = ::testing::TempDir() + "lemmas_checkpoint";
    std::filesystem::remove(path);
    const TestOptions options = training_options(5, 1, path);
    StopAfter monitor(epochs);
    ModelWriter writer("test", 1);
    EXPECT_FALSE(train_task(LemmasTask(), {train, {}}, options, writer, monitor));
    EXPECT_EQ(trained(train, options), whole) << epochs;
    std::filesystem::remove(path);
  }
}

TEST(LemmasTaskTest, ADamagedModelIsAnError) {
  const std::string bytes = trained(invented(), {});
  const ModelFile file = ModelFile::from_bytes(bytes, "test");
  for (const std::string& broken : file.section_names()) {
    if (broken.ends_with("/scale")) continue;
    ModelWriter writer("test", 1);
    for (const std::string& name : file.section_names()) {
      const auto all = file.bytes(name);
      writer.add_bytes(name, name == broken ? all.subspan(0, all.size() / 3 / 4 * 4) : all);
    }
    const ModelFile other = ModelFile::from_bytes(writer.bytes(), "test");
    EXPECT_THROW(LemmasTask().load(other), Error) << broken;
  }
}

}  // namespace
}  // namespace entente
