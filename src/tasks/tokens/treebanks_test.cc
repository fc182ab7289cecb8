// On real treebanks, where they are: a little training must already go a long way.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/evaluation.h"
#include "corpus/gzip.h"
#include "corpus/test_kit.h"
#include "model/test_kit.h"
#include "tasks/tokens/segmenter.h"
#include "tasks/tokens/task.h"

namespace entente {
namespace {

Document first_sentences(const std::string& path, int sentences) {
  CorpusFile file(path);
  ConlluReader reader(file);
  Document document;
  for (Sentence s; static_cast<int>(document.sentences.size()) < sentences && reader.read(s);) {
    document.sentences.push_back(s);
  }
  build_text(document);
  return document;
}

TEST(Treebanks, AThousandSentencesTeachTokensAndSentences) {
  std::string found;
  for (const std::string& path : treebanks()) {
    const std::size_t at = path.find("en_ewt-dev.conllu.gz");
    if (at != std::string::npos) found = path.substr(0, at);
  }
  if (found.empty()) GTEST_SKIP() << "no treebanks in ../shared/data/ud or $ENTENTE_DATA/ud";
  const Document train = first_sentences(found + "en_ewt-train.conllu.gz", 1000);
  const Document gold = first_sentences(found + "en_ewt-dev.conllu.gz", 200);
  TestOptions options;
  options.epochs = 2;
  ModelWriter writer("tokens", 1);
  Monitor monitor;
  ASSERT_TRUE(train_task(TokensTask(), {train.sentences, {}}, options, writer, monitor));
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "m");
  const Segmenter segmenter(file);
  Document system;
  system.text = gold.text;
  segmenter.segment(system, *segmenter.make_scratch());
  const Evaluation e = evaluate(gold.sentences, system.sentences);
  EXPECT_GT(e.find("Tokens")->f1(), 98);
  EXPECT_GT(e.find("Words")->f1(), 97);
  EXPECT_GT(e.find("Sentences")->f1(), 80);
}

}  // namespace
}  // namespace entente
