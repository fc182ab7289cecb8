#include "tasks/tagging/feats_trainer.h"

#include <algorithm>
#include <map>

#include "learn/online_trainer.h"
#include "learn/row_training.h"

namespace entente::tagging {

constexpr std::size_t kMostChoices = 32, kMostNames = 0xFFFF;

FeatsTrainer::FeatsTrainer(std::span<const Sentence> train, const Tags& tags,
                           std::span<const Label> labels, std::span<const std::size_t> first_word,
                           const FeatsSettings& settings, Monitor& monitor)
    : train_(train),
      tags_(tags),
      labels_(labels),
      first_word_(first_word),
      settings_(settings),
      monitor_(monitor) {}

void FeatsTrainer::collect() {
  std::map<std::string_view, Label> numbers;
  std::vector<std::map<Label, int>> counts(tags_.labels.size());
  std::size_t at = 0;
  for (const Sentence& s : train_) {
    for (const Word& w : s.words) {
      auto it = numbers.find(w.feats);
      if (it == numbers.end() && numbers.size() < kMostNames) {
        it = numbers.emplace(w.feats, static_cast<Label>(numbers.size())).first;
        list_.names.push_back(w.feats);
      }
      right_.push_back(it == numbers.end() ? Label{0} : it->second);
      counts[labels_[at++]][right_.back()] += 1;
    }
  }
  if (list_.names.empty()) list_.names.push_back("_");
  list_.first_of.assign(1, 0);
  for (const std::map<Label, int>& of_label : counts) {
    std::vector<std::pair<Label, int>> sorted(of_label.begin(), of_label.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (sorted.empty()) sorted.push_back({0, 0});
    if (sorted.size() > kMostChoices) sorted.resize(kMostChoices);
    for (const auto& item : sorted) list_.choices.push_back(item.first);
    list_.first_of.push_back(static_cast<std::uint32_t>(list_.choices.size()));
  }
}

template <typename Visit>
void FeatsTrainer::each_choice(int sentence, Visit visit) {
  const Sentence& s = train_[sentence];
  const std::size_t first = first_word_[sentence];
  reader_.begin(s, tags_, labels_.subspan(first, s.words.size()));
  for (int i = 0; i < s.size(); ++i) {
    const std::span<const Label> choices = list_.of(labels_[first + i]);
    const Label right = right_[first + i];
    const auto at = std::find(choices.begin(), choices.end(), right);
    if (choices.size() > 1 && at != choices.end()) {
      reader_.features(i, features_);
      visit(choices, static_cast<int>(at - choices.begin()));
    }
    reader_.set(i, right);
  }
}

bool FeatsTrainer::run() {
  collect();
  SeenTwice seen;
  for (std::size_t s = 0; s < train_.size(); ++s) {
    each_choice(static_cast<int>(s), [&](std::span<const Label>, int) {
      for (std::uint64_t f : features_) seen.see(f);
    });
  }
  rows_ = TrainingRows(seen.line_bits(settings_.line_bits));
  for (std::size_t s = 0; s < train_.size(); ++s) {
    each_choice(static_cast<int>(s), [&](std::span<const Label>, int) {
      for (std::uint64_t f : features_) {
        if (seen(f)) rows_.mark(f);
      }
    });
  }
  return learn();
}

bool FeatsTrainer::learn() {
  const OnlinePlan plan{.name = "tagger: feats",
                        .epochs = settings_.epochs,
                        .examples = train_.size(),
                        .rate = settings_.rate,
                        // Other orders than those in which the tags were learned.
                        .seed_of = [&](int epoch) {
                          return settings_.seed * 1000033 + static_cast<std::uint64_t>(epoch);
                        }};
  const auto learn_sentences = [&](std::span<const int> sentences, const OnlineStep& step) {
    for (const int s : sentences) {
      each_choice(s, [&](std::span<const Label> choices, int right) {
        std::erase_if(features_, [&](std::uint64_t) { return step.random.chance(settings_.hide); });
        learn_choice<Label>(rows_, features_, choices, right, static_cast<float>(step.rate),
                            scores_);
      });
    }
  };
  const auto end_epoch = [&](int epoch) {
    if (epoch >= settings_.epochs * 2 / 5) rows_.add_to_average();
  };
  return train_online(plan, {.learn = learn_sentences, .end_epoch = end_epoch}, monitor_);
}

}  // namespace entente::tagging
