// Two layers that agree on arcs between words: y(h, m) = z(h, m).
//
//   auto* heads = dynamic_cast<const ArcAnnotator*>(&first);       // a layer of heads
//   auto* phrases = dynamic_cast<const ArcPartner*>(&second);      // a layer whose trees imply arcs
//   ArcModel* z = heads->arc_model(sentence, scratch);
//   if (z != nullptr && phrases->agree(sentence, other_scratch, *z, options, result))
//     heads->set_heads(sentence, scratch, result);                 // both layers, one optimum
//
// Tasks know this interface and not each other. See entente/agreement.h for the method.
#pragma once

#include <span>
#include <string_view>

#include "corpus/document.h"
#include "entente/agreement.h"
#include "entente/graph.h"
#include "oracle/tree_parts.h"

namespace entente {

class Scratch;
class TaskModels;

// Trees over arcs, words from 1, the root 0; the indicators are the arcs.
class ArcModel : public AgreementModel {
 public:
  virtual std::span<const trees::Arc> arcs() const = 0;
  virtual int words() const = 0;
  // The trees as the engine sees them, without prices: variable i is arc i. For certificates.
  virtual void build_problem(Graph& out) const = 0;
};

class ArcAnnotator {
 public:
  virtual ~ArcAnnotator() = default;
  // The sentence as a model of arcs, in the scratch's memory until its next use; its scores are
  // multiplied by `weight`. Null: cannot be done (a sentence that is too long).
  virtual ArcModel* arc_model(const Sentence& sentence, double weight, Scratch& scratch) const = 0;
  // Heads and labels of the arcs that are on. After arc_model of the same sentence.
  virtual void set_heads(Sentence& sentence, const AgreementResult& result,
                         Scratch& scratch) const = 0;
};

// How hard two layers try: to a proof, for nearly all sentences.
inline AgreementOptions joint_options() {
  AgreementOptions out;
  out.max_rounds = 100;
  out.branches = 60;
  return out;
}

class ArcPartner {
 public:
  virtual ~ArcPartner() = default;
  // What the other side's scores should be multiplied by.
  virtual double arc_weight() const = 0;
  // Makes its layer of the best pair that agrees. False: nothing was done (no tree over these arcs,
  // or nothing found on which both agree).
  virtual bool agree(Sentence& sentence, ArcModel& arcs, const AgreementOptions& options,
                     AgreementResult& result, Scratch& scratch) const = 0;
};

// What TaskModels may also be: models of other tasks, for commands where layers meet.
class OtherTaskModels {
 public:
  virtual ~OtherTaskModels() = default;
  virtual TaskModels& of(std::string_view task) = 0;
};

}  // namespace entente
