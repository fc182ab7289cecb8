#include "tasks/dependency/training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/random.h"
#include "entente/error.h"
#include "model/test_kit.h"
#include "tasks/dependency/task.h"

namespace entente::dependency {
namespace {

// "the/DET/2/det cat/NOUN/3/nsubj sleeps/VERB/0/root"
Sentence sentence(const std::string& text) {
  Sentence out;
  std::istringstream in(text);
  for (std::string field; in >> field;) {
    std::replace(field.begin(), field.end(), '/', ' ');
    std::istringstream columns(field);
    Word w;
    columns >> w.form >> w.upos >> w.head >> w.deprel;
    w.lemma = w.form;
    w.xpos = w.upos;
    out.words.push_back(w);
  }
  return out;
}

// Small invented sentences, put together at random: attachment of "with ..." depends on the verb.
std::vector<Sentence> treebank(int size, std::uint64_t seed) {
  Random random(seed);
  const std::vector<std::string> nouns = {"cat", "dog", "tree", "spoon", "hat"};
  const std::vector<std::string> verbs = {"eats", "sees"};
  std::vector<Sentence> out;
  for (int i = 0; i < size; ++i) {
    const std::string a = nouns[random.below(5)], b = nouns[random.below(5)],
                      c = nouns[random.below(5)];
    const int verb = random.below(2);
    std::string text = "the/DET/2/det " + a + "/NOUN/3/nsubj " + verbs[verb] +
                       "/VERB/0/root the/DET/5/det " + b +
                       "/NOUN/3/obj with/ADP/8/case a/DET/8/det " + c + "/NOUN/" +
                       (verb == 0 ? "3/obl" : "5/nmod") + " ./PUNCT/3/punct";
    if (random.chance(0.2)) text = "go/VERB/0/root !/PUNCT/1/punct";
    out.push_back(sentence(text));
  }
  return out;
}

TestOptions small() {
  TestOptions options;
  options.epochs = 4;
  options.settings = {{"bits", "16"}, {"pruner_bits", "14"}, {"label_bits", "14"}, {"folds", "2"}};
  return options;
}

struct Trained {
  std::string bytes;
  bool finished = false;
};

Trained train(const std::vector<Sentence>& data, const TestOptions& options, Monitor& monitor) {
  ModelWriter writer("test", 1);
  const bool finished = train_task(DependencyTask(), {data, {}}, options, writer, monitor);
  return {finished ? writer.bytes() : "", finished};
}
Trained train(const std::vector<Sentence>& data, const TestOptions& options) {
  Monitor monitor;
  return train(data, options, monitor);
}

TEST(DependencyTraining, LearnsToParseWhatItSawAndMore) {
  const std::vector<Sentence> data = treebank(60, 1), fresh = treebank(40, 2);
  for (const char* order : {"1", "2"}) {
    TestOptions options = small();
    options.settings["order"] = order;
    const ModelFile file = ModelFile::from_bytes(train(data, options).bytes, "m");
    DependencyTask task;
    ASSERT_TRUE(task.is_in(file));
    const auto annotator = task.load(file);
    const auto scratch = annotator->make_scratch();
    for (const auto* set : {&data, &fresh}) {
      for (const Sentence& gold : *set) {
        Sentence s = gold;
        for (Word& w : s.words) w.head = -1, w.deprel = "_";
        annotator->annotate(s, *scratch);
        for (int m = 0; m < s.size(); ++m) {
          EXPECT_EQ(s.words[m].head, gold.words[m].head) << order << " " << gold.words[m].form;
          EXPECT_EQ(s.words[m].deprel, gold.words[m].deprel) << order;
        }
      }
    }
    EXPECT_EQ(statistics(*scratch).sentences, 100);
    EXPECT_EQ(statistics(*scratch).optimal, 100);
  }
}

TEST(DependencyTraining, TheNumberOfThreadsDoesNotMatter) {
  const std::vector<Sentence> data = treebank(40, 3);
  TestOptions options = small();
  const std::string one = train(data, options).bytes;
  options.threads = 2;
  EXPECT_EQ(train(data, options).bytes, one);
}

// Stops when a stage begins.
class StopAt : public Monitor {
 public:
  explicit StopAt(int stages) : left_(stages) {}
  void stage(const std::string& /*name*/, std::int64_t /*total*/) override { --left_; }
  bool stopped() const override { return left_ <= 0; }

 private:
  int left_;
};

TEST(DependencyTraining, GoingOnAfterAStopGivesTheSameModel) {
  const std::vector<Sentence> data = treebank(40, 4);
  TestOptions options = small();
  const std::string whole = train(data, options).bytes;
  options.checkpoint = ::testing::TempDir() + "/dependency_training_test.checkpoint";
  for (int stages = 1; stages <= 6; ++stages) {
    std::filesystem::remove(options.checkpoint);
    StopAt monitor(stages);
    EXPECT_FALSE(train(data, options, monitor).finished) << stages;
    ASSERT_TRUE(std::filesystem::exists(options.checkpoint)) << stages;
    EXPECT_EQ(train(data, options).bytes, whole) << stages;
  }
  std::filesystem::remove(options.checkpoint);
}

TEST(DependencyTraining, TheMeanOfSeveralRunsGoesOnAfterAStopToo) {
  const std::vector<Sentence> data = treebank(40, 4);
  TestOptions options = small();
  options.epochs = 2;
  const std::string one = train(data, options).bytes;
  options.settings["runs"] = "3";
  const std::string whole = train(data, options).bytes;
  EXPECT_NE(whole, one);
  options.checkpoint = ::testing::TempDir() + "/dependency_runs_test.checkpoint";
  for (int stages : {3, 5, 6, 7, 8}) {
    std::filesystem::remove(options.checkpoint);
    StopAt monitor(stages);
    EXPECT_FALSE(train(data, options, monitor).finished) << stages;
    EXPECT_EQ(train(data, options).bytes, whole) << stages;
  }
  std::filesystem::remove(options.checkpoint);
}

TEST(DependencyTraining, RefusesWhatItCannotUse) {
  TestOptions options = small();
  options.settings["ordre"] = "2";
  EXPECT_THROW(train(treebank(5, 1), options), Error);
  options = small();
  options.settings["order"] = "3";
  EXPECT_THROW(train(treebank(5, 1), options), Error);
  EXPECT_THROW(train({}, small()), Error);
}

TEST(DependencyTraining, CrossingArcsAndSeveralRootsAreLearnedFromTheTreebank) {
  std::vector<Sentence> data;
  for (int i = 0; i < 30; ++i) {
    data.push_back(sentence("b/B/3/x c/C/4/y d/D/0/root e/E/3/z"));  // 1<-3, 2<-4 cross
    data.push_back(sentence("f/F/0/root g/G/0/root"));
  }
  const ModelFile file = ModelFile::from_bytes(train(data, small()).bytes, "m");
  const Parser parser(file);
  EXPECT_FALSE(parser.options().prune.projective);
  EXPECT_FALSE(parser.options().prune.single_root);
  EXPECT_EQ(attachment(parser, data, 1).las, 100);
}

// However few arcs are left, they hold a tree; with a wide margin all are.
TEST(DependencyTask, ArcsThatAreDroppedLeaveATree) {
  TestOptions options = small();
  options.settings["projective"] = "0";
  options.settings["threshold"] = "1e-9";
  const std::vector<Sentence> data = treebank(40, 7);
  const ModelFile file = ModelFile::from_bytes(train(data, options).bytes, "m");
  Parser parser(file);
  EXPECT_EQ(parser.margin(), usual_margin(false));
  std::int64_t arcs[3] = {};
  const double margins[3] = {1e-9, 0, 1e6};
  for (int k = 0; k < 3; ++k) {
    parser.margin() = margins[k];
    ParserStatistics statistics;
    attachment(parser, data, 1, &statistics);
    arcs[k] = statistics.arcs;
    EXPECT_EQ(statistics.optimal, statistics.sentences);
  }
  EXPECT_LT(arcs[0], arcs[1]);
  EXPECT_EQ(arcs[1], arcs[2]);
}

bool is_tree_with_one_root(const Sentence& s) {
  int roots = 0;
  for (int m = 1; m <= s.size(); ++m) {
    roots += s.words[m - 1].head == 0;
    int x = m;
    for (int steps = 0; x != 0; ++steps) {
      if (steps > s.size()) return false;
      x = s.words[x - 1].head;
    }
  }
  return roots == 1;
}

TEST(DependencyTask, AnySentenceGetsATree) {
  TestOptions options = small();
  options.settings["heads"] = "3";  // nonsense is slow to parse: every head seems as good
  const ModelFile file = ModelFile::from_bytes(train(treebank(30, 5), options).bytes, "m");
  DependencyTask task;
  const auto annotator = task.load(file);
  const auto scratch = annotator->make_scratch();
  Sentence empty;
  annotator->annotate(empty, *scratch);
  Random random(6);
  const std::vector<std::string> forms = {"cat", "(", ")", "\"", "the", ".", "_", "naïve", "«", ""};
  for (int size : {1, 2, 3, 12, 40, 127, 129, 5000}) {
    Sentence s;
    for (int i = 0; i < size; ++i) {
      Word w;
      w.form = forms[random.below(static_cast<int>(forms.size()))];
      if (random.chance(0.5)) w.upos = random.chance(0.5) ? "NOUN" : "QQ";
      s.words.push_back(w);
    }
    Sentence again = s;
    annotator->annotate(s, *scratch);
    EXPECT_TRUE(is_tree_with_one_root(s)) << size;
    annotator->annotate(again, *annotator->make_scratch());  // whatever came before
    for (int i = 0; i < size; ++i) {
      EXPECT_EQ(s.words[i].head, again.words[i].head);
      EXPECT_EQ(s.words[i].deprel, again.words[i].deprel);
    }
  }
}

}  // namespace
}  // namespace entente::dependency
