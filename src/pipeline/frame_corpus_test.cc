#include <gtest/gtest.h>

#include <filesystem>

#include "pipeline/task_models.h"
#include "tasks/frames/corpus.h"
#include "tasks/registry.h"

namespace entente {
namespace {

const std::string kModel = ENTENTE_SOURCE_DIR "/models/english.model";
const std::string kRelease = ENTENTE_SOURCE_DIR "/tests/data/framenet-mini";

TEST(FrameCorpus, PutsCharactersOntoOurWords) {
  if (!std::filesystem::exists(kModel)) GTEST_SKIP() << "no " << kModel;
  PipelineModels models(find_task("frames"), {kModel});
  frames::FrameCorpusMaker make(models.below());
  framenet::Report report;
  framenet::AnnotatedSentence a;
  a.text = "Zoë didn't eat. The café's cake!";  // two sentences for us, one for the release
  framenet::Predicate& p = a.predicates.emplace_back();
  p.frame = "Ingestion";
  p.lexical_unit = "eat.v";
  p.target = {{"Target", 11, 14}};
  p.arguments = {{"Ingestor", 0, 3}, {"Ingestibles", 20, 31}};
  const Sentence s = make.sentence(a, report);
  ASSERT_EQ(s.frames.size(), 1u);
  const FrameInstance& f = s.frames[0];
  ASSERT_EQ(f.target.size(), 1u);
  EXPECT_EQ(s.words[f.target[0]].form, "eat");
  ASSERT_EQ(f.arguments.size(), 2u);
  EXPECT_EQ(s.words[f.arguments[0].words.begin].form, "Zoë");
  EXPECT_EQ(f.arguments[0].words.size(), 1);
  EXPECT_EQ(s.words[f.arguments[1].words.end - 1].form, "cake");
  for (const Word& w : s.words) EXPECT_GE(w.head, 0) << "one tree over all of it";
}

TEST(FrameCorpus, IsTheSameForAnyThreads) {
  if (!std::filesystem::exists(kModel)) GTEST_SKIP() << "no " << kModel;
  PipelineModels models(find_task("frames"), {kModel});
  const auto documents = framenet::read_document_list(kRelease + "/train.docs");
  framenet::Report report;
  Monitor monitor;
  const auto one =
      frames::read_frame_corpus(kRelease, documents, models.below(), 1, report, monitor);
  const auto three =
      frames::read_frame_corpus(kRelease, documents, models.below(), 3, report, monitor);
  ASSERT_EQ(one.size(), three.size());
  std::size_t predicates = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_EQ(one[i].frames.size(), three[i].frames.size());
    predicates += one[i].frames.size();
    for (std::size_t w = 0; w < one[i].words.size(); ++w) {
      EXPECT_EQ(one[i].words[w].head, three[i].words[w].head);
    }
  }
  EXPECT_EQ(predicates, 56u);
}

}  // namespace
}  // namespace entente
