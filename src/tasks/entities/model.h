// A model of entities: a chain over the words of a sentence, whose best path is found exactly.
//
//   EntityModel model(file);                         // reads sections "entities/..."
//   Finder finder(model);                            // one per thread
//   finder.find(sentence);                           // sentence.entities: spans, types, confidences
//
// Scores of states are sums of weights of features (features.h), steps have weights of their own.
// Confidence is the least probability of its words being the part of an entity of this type that they
// were found to be. Cost: words * (features * states + states^2). A model is immutable:
// one serves many threads.
#pragma once

#include <string>
#include <vector>

#include "corpus/document.h"
#include "learn/model_file.h"
#include "learn/row_weights.h"
#include "model/names/gazetteer.h"
#include "model/proofs.h"
#include "oracle/chain_marginals.h"
#include "tasks/entities/features.h"
#include "tasks/entities/states.h"

namespace entente::entities {

inline constexpr int kEntitiesVersion = 1;  // of the features

// Scores of the chain of one sentence.
struct ChainScores {
  int length = 0, states = 0;
  std::vector<double> unary, steps;
  Chain chain() const { return {length, states, unary, steps}; }
};

// Forbidden steps get -infinity, and so do states that may not begin or end a sentence.
void forbid_steps(const States& states, std::vector<double>& steps);
void forbid_ends(const States& states, ChainScores& scores);

struct EntityModel {
  explicit EntityModel(const ModelFile& file);  // an Error if it is none, or damaged

  std::vector<std::string> types;
  States states;
  names::Gazetteer gazetteer;
  RowView rows;
  std::vector<double> steps;  // [from * states + to]
};

class Finder {
 public:
  explicit Finder(const EntityModel& model) : model_(model), maker_(model.gazetteer) {}

  // Replaces sentence.entities.
  void find(Sentence& sentence);
  ProofSink* proofs = nullptr;  // not null: every path with its proof goes there

 private:
  const EntityModel& model_;
  FeatureMaker maker_;
  std::vector<std::uint64_t> features_;
  std::vector<std::int32_t> sums_, labels_;
  ChainScores scores_;
  std::vector<double> marginals_;
  ChainWorkspace chain_work_;
  std::vector<std::int32_t> path_;
  std::vector<double> work_;
};

// The full stop that ends a sentence belongs to no entity: a stop that is part of an abbreviation is part of
// its token. conll04 has such stops in a quarter of its entities at the end of sentences ("Sweden."), so that
// a model learns them; figures are measured without this, by conll04's own places.
void cut_final_stop(Sentence& sentence);

}  // namespace entente::entities
