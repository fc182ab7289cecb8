// Training of the supertagger: see supertagger.h.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "learn/adagrad.h"
#include "learn/online_trainer.h"
#include "tasks/ccg/supertagger.h"

namespace entente::ccg {

class SupertaggerTrainer {
 public:
  SupertaggerTrainer(std::span<const SupertaggerExample> examples,
                     const SupertaggerOptions& options)
      : examples_(examples), options_(options) {
    make_dictionary();
    tagger_.bits_ = options.bits;
    const std::size_t size = std::size_t{1} << options.bits;
    tagger_.weights_.assign(size, 0);
    squares_.assign(size, 1e-4f);
    sums_.assign(size, 0);
  }

  Supertagger run(Monitor& monitor) {
    Random random(options_.seed);
    int averaged = 0;
    const auto learn = [&](std::span<const int> batch, const OnlineStep&) {
      for (const int i : batch) update(i);
    };
    // The model is the mean of the later epochs.
    const auto end_epoch = [&](int epoch) {
      if (2 * epoch < options_.epochs - 1) return;
      ++averaged;
      for (std::size_t w = 0; w < sums_.size(); ++w) sums_[w] += tagger_.weights_[w];
    };
    train_online({.name = "supertags",
                  .epochs = options_.epochs,
                  .examples = examples_.size(),
                  .stream = &random,
                  .reshuffle = true},
                 {.learn = learn, .end_epoch = end_epoch}, monitor);
    if (averaged > 0) {
      for (std::size_t w = 0; w < sums_.size(); ++w)
        tagger_.weights_[w] = sums_[w] / static_cast<float>(averaged);
    }
    return std::move(tagger_);
  }

 private:
  void make_dictionary() {
    std::map<CategoryId, std::int32_t> numbers;
    for (const SupertaggerExample& e : examples_) {
      for (const CategoryId c : e.gold) numbers.try_emplace(c, 0);
    }
    for (auto& [category, number] : numbers) {
      number = static_cast<std::int32_t>(tagger_.labels_.size());
      tagger_.labels_.push_back(category);
      tagger_.everywhere_.push_back(number);
    }
    std::map<std::string, std::map<std::int32_t, int>> words, tags;
    for (const SupertaggerExample& e : examples_) {
      std::vector<std::int32_t>& gold = gold_.emplace_back();
      for (std::size_t i = 0; i < e.gold.size(); ++i) {
        gold.push_back(numbers[e.gold[i]]);
        ++words[e.text.words[i]][gold.back()];
        ++tags[e.text.tags[i]][gold.back()];
      }
    }
    for (const auto& [word, labels] : words) {
      int total = 0;
      for (const auto& [label, count] : labels) total += count;
      if (total < options_.frequent) continue;
      for (const auto& [label, count] : labels) tagger_.by_word_[word].push_back(label);
    }
    for (const auto& [tag, labels] : tags) {
      for (const auto& [label, count] : labels) tagger_.by_tag_[tag].push_back(label);
    }
  }

  void update(int example) {
    const SupertaggerExample& e = examples_[example];
    const std::vector<std::int32_t>& gold = gold_[example];
    if (gold.empty()) return;
    Supertagger::Work& work = work_;
    tagger_.join(e.text, gold.data(), options_.tau, work);
    LatticeChain& chain = work.chain;
    chain.sums();
    const int n = static_cast<int>(gold.size());
    steps_.clear();
    for (int i = 0; i < n; ++i) {
      const std::int32_t* own = work.labels.data() + chain.first(i);
      const std::uint64_t* features =
          work.features.data() + static_cast<std::size_t>(i) * Supertagger::kFeatures;
      for (int b = 0; b < chain.width(i); ++b) {
        const double gradient = (own[b] == gold[i] ? 1 : 0) - chain.marginal(i, b);
        if (std::abs(gradient) < 1e-5) continue;
        for (int f = 0; f < Supertagger::kFeatures; ++f)
          move(tagger_.index(features[f], own[b]), gradient);
      }
      if (i == 0) continue;
      const std::int32_t* before = work.labels.data() + chain.first(i - 1);
      for (int a = 0; a < chain.width(i - 1); ++a) {
        for (int b = 0; b < chain.width(i); ++b) {
          const bool right = before[a] == gold[i - 1] && own[b] == gold[i];
          const double gradient = (right ? 1 : 0) - chain.step_marginal(i, a, b);
          if (std::abs(gradient) < 1e-4) continue;
          steps_.emplace_back(tagger_.index(77 + static_cast<std::uint64_t>(before[a]), own[b]),
                              gradient);
        }
      }
    }
    for (const auto& [at, gradient] : steps_) move(at, gradient);
  }

  void move(std::size_t at, double gradient) {
    tagger_.weights_[at] += adagrad_step(squares_[at], static_cast<float>(gradient),
                                         static_cast<float>(options_.rate), 0.0f);
  }

  std::span<const SupertaggerExample> examples_;
  SupertaggerOptions options_;
  Supertagger tagger_;
  std::vector<std::vector<std::int32_t>> gold_;
  std::vector<float> squares_, sums_;
  std::vector<std::pair<std::size_t, double>> steps_;
  Supertagger::Work work_;
};

Supertagger train_supertagger(std::span<const SupertaggerExample> examples,
                              const SupertaggerOptions& options, Monitor& monitor) {
  return SupertaggerTrainer(examples, options).run(monitor);
}

}  // namespace entente::ccg
