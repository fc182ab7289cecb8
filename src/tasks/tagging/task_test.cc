#include "tasks/tagging/task.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/random.h"
#include "entente/error.h"
#include "model/test_kit.h"

namespace entente {
namespace {

// An invented language: "da"/"de" before nouns, verbs after nouns, some words both.
std::vector<Sentence> invented(int sentences, std::uint64_t seed) {
  Random random(seed);
  const std::vector<std::string> nouns = {"mipa", "rola", "tuka", "besa", "lima"};
  const std::vector<std::string> verbs = {"miput", "rolut", "besut", "lima"};
  std::vector<Sentence> out(sentences);
  for (Sentence& s : out) {
    const auto add = [&](std::string form, const char* upos, const char* xpos) {
      if (s.words.empty()) form[0] = static_cast<char>(form[0] - 32);
      s.words.push_back(
          {.form = form, .upos = upos, .xpos = xpos, .feats = std::string("F=") + xpos});
    };
    for (int part = random.between(1, 3); part > 0; --part) {
      add(random.chance(0.5) ? "da" : "de", "DET", "D");
      add(nouns[random.below(5)], "NOUN", "N");
      add(verbs[random.below(4)], "VERB", "V");
    }
    s.words.push_back({.form = ".", .upos = "PUNCT", .xpos = "."});
  }
  return out;
}

std::string trained(std::span<const Sentence> train, const TestOptions& options) {
  Monitor monitor;
  ModelWriter writer("test", 1);
  EXPECT_TRUE(train_task(TaggingTask(), {train, {}}, options, writer, monitor));
  return writer.bytes();
}

class TaggerOf {
 public:
  explicit TaggerOf(const std::string& bytes)
      : file_(ModelFile::from_bytes(bytes, "test")),
        annotator_(TaggingTask().load(file_)),
        scratch_(annotator_->make_scratch()) {}
  void operator()(Sentence& s) { annotator_->annotate(s, *scratch_); }

 private:
  ModelFile file_;
  std::unique_ptr<Annotator> annotator_;
  std::unique_ptr<Scratch> scratch_;
};

TEST(TaggingTaskTest, LearnsASmallLanguage) {
  TaggerOf tag(trained(invented(200, 1), {}));
  for (const Sentence& gold : invented(50, 2)) {
    Sentence s = gold;
    for (Word& w : s.words) w.upos = w.xpos = w.feats = "_";
    tag(s);
    for (int i = 0; i < s.size(); ++i) {
      EXPECT_EQ(s.words[i].upos, gold.words[i].upos) << s.words[i].form;
      EXPECT_EQ(s.words[i].xpos, gold.words[i].xpos) << s.words[i].form;
      EXPECT_EQ(s.words[i].feats, gold.words[i].feats) << s.words[i].form;
      EXPECT_EQ(s.words[i].lemma, "_");
      EXPECT_EQ(s.words[i].head, -1);
    }
  }
}

TEST(TaggingTaskTest, TheSameSeedGivesTheSameModel) {
  const auto train = invented(40, 3);
  EXPECT_EQ(trained(train, training_options(0, 5)), trained(train, training_options(0, 5)));
  EXPECT_NE(trained(train, training_options(0, 5)), trained(train, training_options(0, 6)));
}

TEST(TaggingTaskTest, StoppedAndResumedGivesTheSameModel) {
  const auto train = invented(40, 4);
  const std::string whole = trained(train, training_options(6));
  for (int epochs = 0; epochs <= 5; ++epochs) {
    const std::string path = ::testing::TempDir() + "tagging_checkpoint";
    std::filesystem::remove(path);
    const TestOptions options = training_options(6, 1, path);
    StopAfter monitor(epochs);
    ModelWriter writer("test", 1);
    EXPECT_FALSE(train_task(TaggingTask(), {train, {}}, options, writer, monitor));
    EXPECT_EQ(trained(train, options), whole) << epochs;
    TestOptions other = options;
    other.seed = 2;
    Monitor quiet;
    EXPECT_THROW(train_task(TaggingTask(), {train, {}}, other, writer, quiet), Error);
    std::filesystem::remove(path);
  }
}

TEST(TaggingTaskTest, OddSentencesDoNotCrash) {
  TaggerOf tag(trained(invented(50, 5), {}));
  Sentence empty;
  tag(empty);
  Sentence odd;
  for (const char* form : {"", "_", "\xFF", "http://example.org/a", "a@b.org", "😀", "１２", "-"}) {
    odd.words.push_back({.form = form});
  }
  odd.words.push_back({.form = std::string(200000, 'a')});
  tag(odd);
  for (const Word& w : odd.words) EXPECT_NE(w.upos, "_");
  Sentence longest;
  Random random(1);
  for (int i = 0; i < 5000; ++i) {
    longest.words.push_back({.form = std::string(1, static_cast<char>('a' + random.below(26)))});
  }
  tag(longest);
}

TEST(TaggingTaskTest, MissingTagsStayMissing) {
  auto train = invented(30, 6);
  for (Sentence& s : train) {
    for (Word& w : s.words) w.xpos = "_";
  }
  train.emplace_back();  // without words
  TaggerOf tag(trained(train, {}));
  Sentence s = train[0];
  for (Word& w : s.words) w.upos = "_";
  tag(s);
  EXPECT_EQ(s.words[0].upos, "DET");
  EXPECT_EQ(s.words[0].xpos, "_");
}

TEST(TaggingTaskTest, TrainsOnNothing) {
  TaggerOf tag(trained({}, {}));
  Sentence s;
  s.words.push_back({.form = "da"});
  tag(s);
  EXPECT_EQ(s.words[0].upos, "_");
}

TEST(TaggingTaskTest, ManyTagsAreManageable) {
  for (int tags : {900, 5000}) {
    Random random(7);
    std::vector<Sentence> train(300);
    for (Sentence& s : train) {
      for (int i = 0; i < 20; ++i) {
        const std::string tag = std::to_string(random.below(tags));
        s.words.push_back(
            {.form = "w" + std::to_string(random.below(5)), .upos = "X", .xpos = tag});
      }
    }
    TaggerOf tag(trained(train, training_options(1)));
    Sentence s = train[0];
    tag(s);
    EXPECT_EQ(s.words[0].xpos == "_", tags == 5000);  // no tag set
  }
}

TEST(TaggingTaskTest, UnknownSettingsAreRefused) {
  Monitor monitor;
  ModelWriter writer("test", 1);
  const auto train = invented(2, 8);
  for (const auto& setting : std::vector<std::pair<std::string, std::string>>{
           {"raet", "1"}, {"rate", "quick"}, {"rate", "-1"}, {"size", "12.5"}}) {
    TestOptions options;
    options.settings = {setting};
    EXPECT_THROW(train_task(TaggingTask(), {train, {}}, options, writer, monitor), Error);
  }
}

}  // namespace
}  // namespace entente
