// Heads and phrases of one joint optimum, with the models that ship.
#include <gtest/gtest.h>

#include "corpus/layers/constituency/brackets.h"
#include "entente/error.h"
#include "model/proofs.h"
#include "pipeline/models.h"
#include "pipeline/pipeline.h"

namespace entente {
namespace {

// Checks what the pair that agrees leaves.
class Checking : public ProofSink {
 public:
  void add(std::string_view, const Graph&, const Certificate&) override {}
  void add(std::string_view layer, const ForestProblem& p, const ForestCertificate& c) override {
    if (layer != "constituency+dependency") return;
    const Verdict v = verify(p, c);
    EXPECT_TRUE(v.optimal) << v.reason;
    values.push_back(v.value);
  }
  std::vector<double> values;
};

TEST(Pipeline, HeadsAndPhrasesAgree) {
  std::vector<std::string> paths;
  try {
    paths = {find_model("english"), find_model("constituency")};
  } catch (const Error&) {
    GTEST_SKIP() << "the models that ship are not here";
  }
  Pipeline pipeline(paths);
  pipeline.agree(true);
  const auto worker = pipeline.make_worker();
  const std::vector<std::string> wanted = {"constituency", "dependency"};
  const auto layers = pipeline.layers_for(wanted);
  for (const char* text : {"The old man saw a cat in the park.", "Go!"}) {
    Document document;
    document.text = text;
    pipeline.segment(document, *worker);
    for (Sentence& s : document.sentences) {
      Sentence again = s;
      Checking proofs;
      pipeline.collect_proofs(*worker, &proofs);
      pipeline.annotate(s, *worker, layers);
      pipeline.collect_proofs(*worker, nullptr);
      EXPECT_EQ(proofs.values.size(), 1u);
      pipeline.annotate(again, *worker, layers);
      ASSERT_EQ(s.trees.size(), 1u);
      EXPECT_EQ(to_brackets(s.trees[0]), to_brackets(again.trees[0]));
      EXPECT_TRUE(s.tree.proven);
      EXPECT_NEAR(s.tree.value, s.tree.bound, 1e-5);
      int roots = 0;
      for (int i = 0; i < s.size(); ++i) {
        EXPECT_EQ(s.words[i].head, again.words[i].head);
        EXPECT_NE(s.words[i].deprel, "_");
        roots += s.words[i].head == 0 ? 1 : 0;
      }
      EXPECT_EQ(roots, 1);
      // In sentences as plain as these every phrase has one word that hangs from outside.
      for (const Phrase& p : s.trees[0].phrases) {
        int outside = 0;
        for (int i = p.begin; i < p.end; ++i) {
          outside += s.words[i].head <= p.begin || s.words[i].head > p.end ? 1 : 0;
        }
        EXPECT_EQ(outside, 1) << p.label;
      }
    }
  }
}

}  // namespace
}  // namespace entente
