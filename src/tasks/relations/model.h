// A trained model of entities and relations: labels, their rules, lists of names, classifiers.
//
//   RelationModel model = train_model(passages, extra, labels, gazetteer, options, threads);
//   model.save(writer);   writer.write("er.model");
//   RelationModel same(ModelFile("er.model"));
//
//   Extractor extractor(model);                                 // one a thread
//   Extraction e = extractor.label(passage, rules);             // mentions given
//   Extraction e = extractor.find(passage, rules);              // mentions found, too
//
// Labels and relations of a passage are decided together (decode.h). A model is immutable once
// made: one serves many threads.
#pragma once

#include <span>
#include <vector>

#include "learn/model_file.h"
#include "model/proofs.h"
#include "tasks/relations/classifiers.h"
#include "tasks/relations/decode.h"
#include "tasks/relations/spans.h"

namespace entente::relations {

inline constexpr int kRelationsVersion = 3;  // of the features

struct RelationModel {
  RelationModel() = default;
  explicit RelationModel(const ModelFile& file);  // an Error if it is none, or damaged
  void save(ModelWriter& writer) const;

  LabelSet labels;
  Gazetteer gazetteer;
  Classifiers classifiers;
  LinearModel spans;
};

// `extra` are passages without relations: they teach entities and where mentions are.
RelationModel train_model(std::span<const Passage> passages, std::span<const Passage> extra,
                          const LabelSet& labels, const Gazetteer& gazetteer,
                          const ClassifierOptions& options, int threads);

struct Extraction {
  std::vector<Mention> mentions;  // labelled
  std::vector<double> mention_confidence;
  std::vector<Link> links;  // of mentions
  std::vector<double> link_confidence;
  Status status = Status::unknown;  // infeasible: what was required cannot be
};

// What somebody else makes of a mention's type.
struct Hint {
  int label = -1;         // -1: nothing
  double confidence = 0;  // in (0, 1)
};

class Extractor {
 public:
  explicit Extractor(const RelationModel& model);

  // The confidences are the classifiers' probabilities of what was chosen: of a type, and of a
  // relation against none given the types.
  // Hints, one a mention or none at all, count as much as the classifier of types.
  Extraction label(const Passage& passage, const RuleSet& rules, std::span<const Hint> hints = {});
  Extraction find(const Passage& passage, const RuleSet& rules);

  ProofSink* proofs = nullptr;  // not null: every passage's problem and certificate go there

 private:
  Labelling decide(Decoder& decoder, const JointScores& scores, const RuleSet& rules);
  int state(int relation, int head, int tail) const;
  void score_spans(std::span<const ScoredSpan> spans, JointScores& scores);
  Extraction extraction(std::span<const Mention> spans, const Labelling& chosen,
                        const JointScores& scores) const;

  const RelationModel& model_;
  LabelSet with_none_;  // the labels, and last "none" for a span that is no mention
  FeatureMaker maker_;
  SpanScorer scorer_;
  Decoder decoder_, span_decoder_;
};

}  // namespace entente::relations
