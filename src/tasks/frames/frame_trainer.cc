#include "tasks/frames/frame_trainer.h"

#include <algorithm>
#include <cmath>

#include "corpus/utf8.h"
#include "learn/online_trainer.h"
#include "learn/weights.h"

namespace entente::frames {

double choice_loss(std::span<const double> scores, int right, std::vector<double>& gradient) {
  gradient.assign(scores.begin(), scores.end());
  softmax(gradient);
  const double loss = -std::log(std::max(gradient[right], 1e-300));
  gradient[right] -= 1;
  return loss;
}

FrameTrainer::FrameTrainer(const framenet::Lexicon& lexicon, const FrameSettings& settings)
    : lexicon_(lexicon), settings_(settings), weights_(settings.bits) {}

void FrameTrainer::add(const Sentence& sentence, float weight) {
  const auto number = static_cast<std::uint32_t>(first_.size() - 1);
  bool used = false;
  for (const FrameInstance& instance : sentence.frames) {
    const int frame = lexicon_.find(instance.frame);
    if (frame < 0 || instance.target.empty()) continue;
    used = true;
    Example e{number,
              static_cast<std::uint32_t>(targets_.size()),
              static_cast<std::uint16_t>(instance.target.size()),
              frame,
              weight,
              -1};
    targets_.insert(targets_.end(), instance.target.begin(), instance.target.end());
    examples_.push_back(e);
    if (instance.target.size() != 1 || settings_.unknown_every <= 0 ||
        examples_.size() % settings_.unknown_every != 0) {
      continue;
    }
    neighbour_candidates(lexicon_, unicode::to_lower(sentence.words[instance.target[0]].form),
                         candidates_);
    e.unknown = static_cast<std::int32_t>(unknown_.size());
    unknown_.push_back(candidates_);
    examples_.push_back(e);
  }
  if (!used) return;
  append_facts(sentence, facts_);
  first_.push_back(facts_.size());
}

void FrameTrainer::count_frequent() {
  std::vector<std::vector<double>> counts(kParts, std::vector<double>(lexicon_.frames.size()));
  for (const Example& e : examples_) {
    const std::span<const WordFact> facts =
        std::span<const WordFact>(facts_).subspan(first_[e.sentence]);
    const int head = head_of(facts, std::span<const int>(targets_).subspan(e.target, e.size));
    counts[static_cast<std::size_t>(facts[head].pos)][e.frame] += e.weight;
  }
  frequent_.assign(kParts * kFrequent, -1);
  std::vector<std::int32_t> order(lexicon_.frames.size());
  for (int part = 0; part < kParts; ++part) {
    for (std::size_t f = 0; f < order.size(); ++f) order[f] = static_cast<std::int32_t>(f);
    const std::vector<double>& count = counts[part];
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return count[a] > count[b]; });
    for (int k = 0; k < kFrequent && k < static_cast<int>(order.size()); ++k) {
      if (count[order[k]] > 0) frequent_[part * kFrequent + k] = order[k];
    }
  }
}

void FrameTrainer::hide(Random& random) {
  std::erase_if(context_.properties, [&](std::uint64_t) { return random.chance(settings_.hide); });
}

void FrameTrainer::learn(const Example& e, const LexicalUnits& units, Random& random) {
  const std::span<const WordFact> facts = std::span<const WordFact>(facts_).subspan(
      first_[e.sentence], first_[e.sentence + 1] - first_[e.sentence]);
  const std::span<const int> target = std::span<const int>(targets_).subspan(e.target, e.size);
  tree_.begin(facts);
  context_.read(facts, tree_, target, e.unknown >= 0);
  if (e.unknown >= 0) {
    candidates_ = unknown_[e.unknown];
    const auto part = static_cast<std::size_t>(context_.pos);
    add_frequent(std::span<const std::int32_t>(frequent_).subspan(part * kFrequent, kFrequent),
                 candidates_);
  } else {
    units.find(facts, target, matches_);
    frame_candidates(matches_, context_.pos, candidates_);
  }
  const auto right = std::find_if(candidates_.begin(), candidates_.end(),
                                  [&](const FrameCandidate& c) { return c.frame == e.frame; });
  if (candidates_.size() < 2 || right == candidates_.end()) return;
  hide(random);
  if (features_.size() < candidates_.size()) features_.resize(candidates_.size());
  scores_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    place_features(context_, candidates_[i], features_[i]);
    scores_.push_back(weights_.score(features_[i]));
  }
  choice_loss(scores_, static_cast<int>(right - candidates_.begin()), gradient_);
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const float g = e.weight * static_cast<float>(gradient_[i]);
    if (std::abs(g) > 1e-4f) weights_.gather(features_[i], g);
  }
  weights_.adagrad_step(static_cast<float>(settings_.rate));
}

bool FrameTrainer::train(const LexicalUnits& units, Monitor& monitor) {
  count_frequent();
  const OnlinePlan plan{.name = "frames",
                        .epochs = settings_.epochs,
                        .examples = examples_.size(),
                        .seed = settings_.seed,
                        .average_from = 1};
  const OnlineLearner learner{.learn =
                                  [&](std::span<const int> examples, const OnlineStep& step) {
                                    for (const int e : examples)
                                      learn(examples_[e], units, step.random);
                                  },
                              .start_average = [&] { weights_.restart_average(); }};
  return train_online(plan, learner, monitor);
}

void FrameTrainer::write(ModelWriter& writer) const {
  PackedWeights::of(weights_.averaged()).write(writer, "frames/identify/weights");
  writer.add<std::int32_t>("frames/identify/frequent", frequent_);
}

}  // namespace entente::frames
