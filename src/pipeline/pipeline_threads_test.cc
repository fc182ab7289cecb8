// Training and annotating on several threads: the same bytes as on one. Also run under TSan.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "corpus/conllu.h"
#include "entente/error.h"
#include "pipeline/pipeline.h"
#include "pipeline/train.h"

namespace entente {
namespace {

// "the dog sees a cat": determiner, noun, verb, determiner, noun.
Document make_treebank(int sentences) {
  Random random(8);
  const std::vector<std::string> nouns = {"dog", "cat", "judge", "river"};
  const std::vector<std::string> verbs = {"sees", "likes", "moves"};
  Document out;
  for (int i = 0; i < sentences; ++i) {
    Sentence& s = out.sentences.emplace_back();
    const auto word = [&](const std::string& form, const char* upos, int head, const char* label) {
      s.tokens.push_back({.first = s.size(), .last = s.size()});
      s.words.push_back({.form = form, .lemma = form, .upos = upos, .head = head, .deprel = label});
    };
    word(random.chance(0.5) ? "the" : "a", "DET", 2, "det");
    word(nouns[random.below(4)], "NOUN", 3, "nsubj");
    word(verbs[random.below(3)], "VERB", 0, "root");
    word(random.chance(0.5) ? "the" : "a", "DET", 5, "det");
    word(nouns[random.below(4)], "NOUN", 3, "obj");
  }
  return out;
}

std::string train(const Document& treebank, int threads) {
  const std::string path =
      ::testing::TempDir() + "/pipeline_threads_" + std::to_string(threads) + ".model";
  TrainingPlan plan;
  plan.task = "dependency";
  plan.jackknife = 2;
  plan.options.threads = threads;
  plan.options.epochs = 1;
  plan.settings = {{"bits", "14"},
                   {"pruner_bits", "12"},
                   {"dependency.label_bits", "12"},
                   {"tags.size", "16"},
                   {"lemmas.size", "14"}};
  plan.output = path;
  plan.restart = true;
  Monitor monitor;
  EXPECT_TRUE(train_pipeline(treebank, {}, {"tags", "lemmas", "dependency"}, plan, monitor));
  EXPECT_FALSE(std::filesystem::exists(path + ".work"));
  return path;
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(PipelineThreads, ModelsAndAnnotationsAreTheSameForAnyNumber) {
  const Document treebank = make_treebank(240);
  const std::string one = train(treebank, 1), two = train(treebank, 2);
  EXPECT_EQ(bytes_of(one), bytes_of(two));

  const Pipeline pipeline(one);
  EXPECT_EQ(pipeline.layers().size(), 3u);
  EXPECT_FALSE(pipeline.has("tokens"));
  std::vector<std::string> results[2];
  for (int threads : {1, 3}) {
    std::vector<std::unique_ptr<Pipeline::Worker>> workers;
    for (int t = 0; t < threads; ++t) workers.push_back(pipeline.make_worker());
    std::vector<std::string>& out = results[threads == 1 ? 0 : 1];
    out.resize(treebank.sentences.size());
    parallel_for(
        static_cast<int>(out.size()), threads,
        [&](int i, int thread) {
          Sentence s = treebank.sentences[i];
          pipeline.annotate(s, *workers[thread], pipeline.layers());
          append_conllu(out[i], s);
        },
        1);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_NE(results[0][0].find("nsubj"), std::string::npos);
  Document text;
  text.text = "the dog";
  EXPECT_THROW(pipeline.segment(text, *pipeline.make_worker()), Error);
  const std::vector<std::string> frames = {"frames"}, trees = {"dependency"};
  EXPECT_THROW(pipeline.layers_for(frames), Error);
  EXPECT_EQ(pipeline.layers_for(trees).size(), 3u);
  const std::string_view given[] = {"tags", "lemmas"};
  EXPECT_EQ(pipeline.layers_for(trees, given), trees);
  std::filesystem::remove(one);
  std::filesystem::remove(two);
}

}  // namespace
}  // namespace entente
