// The argument model in training (see arguments.h): first the pruner, then the roles.
//
//   ArgumentTrainer trainer(store, lexicon, settings);      // store must outlive it
//   if (trainer.run(checkpoint, monitor)) trainer.write(writer);
//
// Each role is a choice between its candidate spans and none; where the truth has several spans of
// a role, any of them is right. AdaGrad on the log-likelihood in batches: the predicates of a batch
// are scored in parallel and their gradients added in order, so that the model is the same for any
// number of threads. Cost: an epoch over the 17,000 predicates of FrameNet's full texts takes half
// a minute of processor time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "learn/online.h"
#include "tasks/frames/arguments.h"
#include "tasks/frames/decode.h"
#include "tasks/frames/examples.h"

namespace entente::frames {

struct ArgumentSettings {
  int bits = 24, pruner_bits = 18;
  int epochs = 3;
  double rate = 0.05, damping = 0;  // see OnlineWeights
  double hide = 0.3;                // share of features hidden at each step, against overfitting
  double share = kLeastShare;       // see by_share()
  double prune_least = -5.5;
  int prune_most = 30;
  double margin = 0;  // what a wrong choice of a role is worth more while learning (softmax-margin)
  // What the best of all choices that keep the rules counts beside likelihood (structured hinge),
  // and what a wrong argument and a missed one are worth more there.
  double structured = 0, cost = 1;
  std::string clusters = {};  // a model file with meanings of words; empty: none
  int threads = 1;
  std::uint64_t seed = 1;
};

class ArgumentTrainer {
 public:
  ArgumentTrainer(const ExampleStore& store, const framenet::Lexicon& lexicon,
                  const ArgumentSettings& settings);

  bool run(const std::string& checkpoint, Monitor& monitor);  // false: stopped; call it again
  void write(ModelWriter& writer) const;

  // For tests: the gradient of one example's loss, by feature, and that loss if one weight were
  // larger by `step`.
  std::vector<std::pair<std::uint64_t, float>> gradient_of(int example) const;
  double loss_with(int example, std::size_t weight, double step);
  const OnlineWeights& weights() const { return weights_; }
  const OnlineWeights& pruner() const { return pruner_; }

 private:
  struct Work {
    Atoms atoms;
    ArgumentModel::Work model;
    std::vector<int> target;
    std::vector<Span> gold;
    std::vector<float> scores, any;
    std::vector<std::size_t> places;
    std::vector<std::pair<std::uint64_t, float>> gradient;
    double loss = 0;
    ArgumentProblem problem;  // of structured learning
    ArgumentDecision decision;
    Decoder decoder;
    std::vector<int> truth;
  };
  bool run_epoch(int epoch, Monitor& monitor);
  // Learns from examples[i] for each i in `batch`; returns the sum of their losses.
  double learn_batch(std::span<const int> batch, std::span<const int> examples, bool pruning,
                     std::vector<Work>& work);
  void prepare(int example, Work& work) const;
  void pruner_gradient(int example, Work& work) const;
  void role_gradient(int example, Work& work) const;
  // Of the hinge: the choice of all roles that would be best if mistakes were worth more, against
  // the truth. Adds what a span, whatever the role, is to have to `any`; returns that of null.
  float structured_gradient(int example, Work& work) const;

  const ExampleStore& store_;
  const framenet::Lexicon& lexicon_;
  ArgumentSettings settings_;
  RoleKeys keys_;
  OnlineWeights weights_, pruner_;
  std::vector<WordMeaning> meaning_table_;
  WordMeanings meanings_;
  int epoch_ = 0;  // in hand: what is hidden depends on it
};

}  // namespace entente::frames
