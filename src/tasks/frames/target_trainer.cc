#include "tasks/frames/target_trainer.h"

#include <algorithm>
#include <cmath>

#include "learn/online_trainer.h"
#include "learn/weights.h"

namespace entente::frames {

double yes_or_no_gradient(double score, bool yes) {
  return 1 / (1 + std::exp(-score)) - (yes ? 1 : 0);
}

TargetTrainer::TargetTrainer(const TargetSettings& settings)
    : settings_(settings), weights_(settings.bits) {}

void TargetTrainer::add(const Sentence& sentence, float weight) {
  if (sentence.frames.empty()) return;
  append_facts(sentence, facts_);
  first_.push_back(facts_.size());
  std::vector<std::vector<int>>& targets = targets_.emplace_back();
  for (const FrameInstance& f : sentence.frames) targets.push_back(f.target);
  std::sort(targets.begin(), targets.end());
  weight_.push_back(weight);
}

void TargetTrainer::learn(std::size_t sentence, const LexicalUnits& units, Random& random) {
  const std::span<const WordFact> facts = std::span<const WordFact>(facts_).subspan(
      first_[sentence], first_[sentence + 1] - first_[sentence]);
  tree_.begin(facts);
  candidates_.read(facts, units);
  find_inside(candidates_, inside_);
  const std::vector<std::vector<int>>& gold = targets_[sentence];
  for (int c = 0; c < candidates_.size(); ++c) {
    reader_.read(facts, tree_, units, candidates_[c], inside_[c], features_);
    std::erase_if(features_, [&](std::uint64_t) { return random.chance(settings_.hide); });
    const std::vector<int> words(candidates_[c].begin(), candidates_[c].end());
    const bool yes = std::binary_search(gold.begin(), gold.end(), words);
    const auto g =
        weight_[sentence] * static_cast<float>(yes_or_no_gradient(weights_.score(features_), yes));
    if (std::abs(g) < 1e-4f) continue;
    weights_.gather(features_, g);
    weights_.adagrad_step(static_cast<float>(settings_.rate));
  }
}

bool TargetTrainer::train(const LexicalUnits& units, Monitor& monitor) {
  const OnlinePlan plan{.name = "targets",
                        .epochs = settings_.epochs,
                        .examples = targets_.size(),
                        .seed = settings_.seed,
                        .average_from = 1};
  const OnlineLearner learner{.learn =
                                  [&](std::span<const int> examples, const OnlineStep& step) {
                                    for (const int e : examples)
                                      learn(static_cast<std::size_t>(e), units, step.random);
                                  },
                              .start_average = [&] { weights_.restart_average(); }};
  return train_online(plan, learner, monitor);
}

void TargetTrainer::write(ModelWriter& writer) const {
  PackedWeights::of(weights_.averaged()).write(writer, "frames/targets/weights");
  writer.add_number("frames/targets/bias", settings_.bias);
}

}  // namespace entente::frames
