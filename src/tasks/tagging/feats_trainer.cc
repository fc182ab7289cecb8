#include "tasks/tagging/feats_trainer.h"

#include <algorithm>
#include <map>

#include "base/random.h"
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
  for (int epoch = 0; epoch < settings_.epochs; ++epoch) {
    if (!run_epoch(epoch)) return false;
    if (epoch >= settings_.epochs * 2 / 5) rows_.add_to_average();
  }
  return true;
}

bool FeatsTrainer::run_epoch(int epoch) {
  Random random(settings_.seed * 1000033 + static_cast<std::uint64_t>(epoch));
  const auto rate = static_cast<float>(settings_.rate * (1 - 0.9 * epoch / settings_.epochs));
  monitor_.stage(
      "tagger: feats " + std::to_string(epoch + 1) + "/" + std::to_string(settings_.epochs),
      static_cast<std::int64_t>(train_.size()));
  for (int index : shuffled(train_.size(), random)) {
    if (monitor_.stopped()) return false;
    each_choice(index, [&](std::span<const Label> choices, int right) {
      std::erase_if(features_, [&](std::uint64_t) { return random.chance(settings_.hide); });
      learn_choice<Label>(rows_, features_, choices, right, rate, scores_);
    });
    monitor_.advance(1);
  }
  return true;
}

}  // namespace entente::tagging
