#include "tasks/roles/predicates.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/random.h"
#include "learn/hash.h"
#include "learn/online.h"
#include "learn/online_trainer.h"

namespace entente::roles {

namespace {

constexpr std::uint64_t kAnyPredicate = 0x51ed270b, kUnseenSense = 0x2545f491;

// Apart from the features of candidates (feature_parts.h): models know these words by it.
std::uint64_t trait(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {
  return spread(mix(mix(a, b), c));
}

void make_features(const Input& input, int word, FeatureList& out) {
  const std::vector<InputWord>& words = input.words;
  const InputWord& w = words[word];
  const auto at = [&](int i) -> const InputWord& {
    static const InputWord kOutside{1, 2, 3, 4, -1, 0, 0};
    return i >= 0 && i < input.size() ? words[i] : kOutside;
  };
  out.clear();
  out.push_back(trait(1, 1));
  out.push_back(trait(2, w.lemma));
  out.push_back(trait(3, w.lemma, w.tag));
  out.push_back(trait(4, w.form));
  out.push_back(trait(5, w.tag));
  out.push_back(trait(6, w.relation, w.tag));
  out.push_back(trait(7, w.relation, w.lemma));
  out.push_back(trait(8, at(word - 1).form));
  out.push_back(trait(9, at(word + 1).form));
  out.push_back(trait(10, at(word - 1).form, w.lemma));
  out.push_back(trait(11, at(word + 1).form, w.lemma));
  out.push_back(trait(12, at(word - 1).tag, at(word + 1).tag));
  out.push_back(trait(13, at(word + 2).form, w.lemma));
  const InputWord& head = at(w.head);
  out.push_back(trait(14, head.lemma, w.relation));
  out.push_back(trait(15, head.lemma, w.lemma));
  out.push_back(trait(16, head.tag, w.relation));
  out.push_back(trait(17, static_cast<std::uint64_t>(input.passive(word)), w.lemma));
  for (int i = 0; i < input.size(); ++i) {
    if (words[i].head != word) continue;
    out.push_back(trait(18, words[i].relation, w.lemma));
    out.push_back(trait(19, words[i].lemma, w.lemma));
    out.push_back(trait(20, words[i].relation, w.tag));
    out.push_back(trait(21, words[i].lemma, words[i].relation));
  }
}

// "No predicate", then the senses.
void make_choices(const Input& input, int word, const Rolesets& rolesets, bool with_none,
                  std::vector<int>& out) {
  out.clear();
  if (with_none) out.push_back(kNotOne);
  const InputWord& w = input.words[word];
  std::span<const int> sets = rolesets.of_lemma(w.lemma, w.kind);
  // A noun whose verb is known is most likely its nominalisation.
  if (sets.empty() && w.kind != 'V') sets = rolesets.of_lemma(w.lemma, 'V');
  out.insert(out.end(), sets.begin(), sets.end());
  if (sets.empty()) out.push_back(kUnseen);
}

std::uint64_t sense_of(const Rolesets& rolesets, int choice) {
  return choice == kUnseen ? kUnseenSense : rolesets[choice].hash;
}

template <typename Weights>
float score_of(const Weights& weights, const Rolesets& rolesets, const FeatureList& features,
               int choice) {
  if (choice == kNotOne) return 0;
  const std::uint64_t sense = sense_of(rolesets, choice);
  decltype(weights.raw(0)) sum = 0;
  for (std::uint64_t f : features) {
    sum += weights.raw(trait(f, kAnyPredicate)) + weights.raw(trait(f, sense));
  }
  return weights.scale() * static_cast<float>(sum);
}

}  // namespace

bool may_be_predicate(const Input& input, int word) {
  static const std::uint64_t kModal = hash_of("MD");
  const char kind = input.words[word].kind;
  return (kind == 'V' || kind == 'N' || kind == 'J') && input.words[word].tag != kModal;
}

int PredicateModel::best(const Input& input, int word, Work& work, bool with_none) const {
  make_choices(input, word, rolesets_, with_none, work.choices);
  if (work.choices.size() == 1) return work.choices[0];
  make_features(input, word, work.features);
  int best = work.choices[0];
  float most = -1e30f;
  for (int choice : work.choices) {
    const float s = score_of(weights_, rolesets_, work.features, choice);
    if (s > most) {
      most = s;
      best = choice;
    }
  }
  return best;
}

namespace {

class PredicateTrainer {
 public:
  explicit PredicateTrainer(const Rolesets& rolesets) : rolesets_(rolesets) {}

  void learn(const propbank::PropSentence& s) {
    input_.assign(s);
    gold_.assign(s.words.size(), kNotOne);
    for (const auto& p : s.propositions) gold_[p.predicate] = rolesets_.find(p.roleset);
    for (int w = 0; w < s.size(); ++w) {
      if (may_be_predicate(input_, w)) learn_word(w, gold_[w]);
    }
  }
  void restart_average() { weights_.restart_average(); }
  std::vector<float> averaged() const { return weights_.averaged(); }

 private:
  void learn_word(int word, int gold) {
    make_choices(input_, word, rolesets_, true, choices_);
    // Senses seen once teach what unseen ones look like.
    if (gold >= 0 && rolesets_[gold].count == 1) {
      choices_ = {kNotOne, kUnseen};
      gold = kUnseen;
    }
    const auto right = std::find(choices_.begin(), choices_.end(), gold) - choices_.begin();
    if (right == std::ssize(choices_)) return;
    make_features(input_, word, features_);
    scores_.clear();
    for (int c : choices_) scores_.push_back(score_of(weights_, rolesets_, features_, c));
    const float top = *std::max_element(scores_.begin(), scores_.end());
    float sum = 0;
    for (float& x : scores_) sum += x = std::exp(x - top);
    bool moved = false;
    for (std::size_t c = 0; c < choices_.size(); ++c) {
      const float gradient = scores_[c] / sum - (std::cmp_equal(c, right) ? 1 : 0);
      if (choices_[c] == kNotOne || std::abs(gradient) < 1e-3f) continue;
      const std::uint64_t sense = sense_of(rolesets_, choices_[c]);
      for (std::uint64_t f : features_) {
        weights_.gather(trait(f, kAnyPredicate), gradient);
        weights_.gather(trait(f, sense), gradient);
      }
      moved = true;
    }
    if (moved) weights_.adagrad_step(0.1f, 0.01f);
  }

  const Rolesets& rolesets_;
  OnlineWeights weights_{21};
  Input input_;
  FeatureList features_;
  std::vector<int> choices_, gold_;
  std::vector<float> scores_;
};

}  // namespace

PackedWeights train_predicates(std::span<const propbank::PropSentence> sentences,
                               const Rolesets& rolesets, int epochs, Monitor& monitor) {
  PredicateTrainer trainer(rolesets);
  Random random(1);
  const auto learn = [&](std::span<const int> batch, const OnlineStep&) {
    for (const int i : batch) trainer.learn(sentences[i]);
  };
  const auto end_epoch = [&](int epoch) {
    if (epoch == 0) trainer.restart_average();
  };
  train_online({.name = "roles: predicates",
                .epochs = epochs,
                .examples = sentences.size(),
                .stream = &random},
               {.learn = learn, .end_epoch = end_epoch}, monitor);
  return PackedWeights::of(trainer.averaged());
}

std::pair<int, int> words_of_predicate(const propbank::PropSentence& s, int word,
                                       const std::string& roleset, int& apart) {
  apart = -1;
  const std::size_t bar = roleset.find('_'), dot = roleset.rfind('.');
  if (bar == roleset.npos || dot == roleset.npos || dot < bar) return {word, word + 1};
  const std::string particle = roleset.substr(bar + 1, dot - bar - 1);
  if (word + 1 < s.size() && s.lemmas[word + 1] == particle) return {word, word + 2};
  for (int i = 0; i < s.size(); ++i) {
    if (s.heads[i] == word && s.relations[i] == "compound:prt" && s.lemmas[i] == particle)
      apart = i;
  }
  return {word, word + 1};
}

}  // namespace entente::roles
