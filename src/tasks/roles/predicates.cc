#include "tasks/roles/predicates.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "learn/hash.h"
#include "learn/online.h"
#include "learn/row_training.h"

namespace entente::roles {

namespace {

constexpr std::uint64_t kAnyPredicate = 0x51ed270b, kUnseenSense = 0x2545f491;

std::uint64_t of(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {
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
  out.push_back(of(1, 1));
  out.push_back(of(2, w.lemma));
  out.push_back(of(3, w.lemma, w.tag));
  out.push_back(of(4, w.form));
  out.push_back(of(5, w.tag));
  out.push_back(of(6, w.relation, w.tag));
  out.push_back(of(7, w.relation, w.lemma));
  out.push_back(of(8, at(word - 1).form));
  out.push_back(of(9, at(word + 1).form));
  out.push_back(of(10, at(word - 1).form, w.lemma));
  out.push_back(of(11, at(word + 1).form, w.lemma));
  out.push_back(of(12, at(word - 1).tag, at(word + 1).tag));
  out.push_back(of(13, at(word + 2).form, w.lemma));
  const InputWord& head = at(w.head);
  out.push_back(of(14, head.lemma, w.relation));
  out.push_back(of(15, head.lemma, w.lemma));
  out.push_back(of(16, head.tag, w.relation));
  out.push_back(of(17, static_cast<std::uint64_t>(input.passive(word)), w.lemma));
  for (int i = 0; i < input.size(); ++i) {
    if (words[i].head != word) continue;
    out.push_back(of(18, words[i].relation, w.lemma));
    out.push_back(of(19, words[i].lemma, w.lemma));
    out.push_back(of(20, words[i].relation, w.tag));
    out.push_back(of(21, words[i].lemma, words[i].relation));
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

template <typename Weights>
float score_of(const Weights& weights, const Rolesets& rolesets, const FeatureList& features,
               int choice) {
  if (choice == kNotOne) return 0;
  const std::uint64_t sense = choice == kUnseen ? kUnseenSense : rolesets[choice].hash;
  decltype(weights.raw(0)) sum = 0;
  for (std::uint64_t f : features) {
    sum += weights.raw(of(f, kAnyPredicate)) + weights.raw(of(f, sense));
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

PackedWeights train_predicates(std::span<const propbank::PropSentence> sentences,
                               const Rolesets& rolesets, int epochs, Monitor& monitor) {
  OnlineWeights weights(21);
  Random random(1);
  Input input;
  FeatureList features;
  std::vector<int> choices, gold;
  std::vector<float> scores;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    monitor.stage("roles: predicates, epoch " + std::to_string(epoch + 1),
                  static_cast<std::int64_t>(sentences.size()));
    for (int i : shuffled(sentences.size(), random)) {
      if (monitor.stopped()) break;
      const propbank::PropSentence& s = sentences[i];
      input.assign(s);
      gold.assign(s.words.size(), kNotOne);
      for (const auto& p : s.propositions) gold[p.predicate] = rolesets.find(p.roleset);
      for (int w = 0; w < s.size(); ++w) {
        if (!may_be_predicate(input, w)) continue;
        make_choices(input, w, rolesets, true, choices);
        // Senses seen once teach what unseen ones look like.
        if (gold[w] >= 0 && rolesets[gold[w]].count == 1) {
          choices = {kNotOne, kUnseen};
          gold[w] = kUnseen;
        }
        const auto right = std::find(choices.begin(), choices.end(), gold[w]);
        if (right == choices.end()) continue;
        make_features(input, w, features);
        scores.clear();
        for (int c : choices) scores.push_back(score_of(weights, rolesets, features, c));
        const float top = *std::max_element(scores.begin(), scores.end());
        float sum = 0;
        for (float& x : scores) sum += x = std::exp(x - top);
        bool moved = false;
        for (std::size_t c = 0; c < choices.size(); ++c) {
          const float gradient =
              scores[c] / sum - (c == static_cast<std::size_t>(right - choices.begin()) ? 1 : 0);
          if (choices[c] == kNotOne || std::abs(gradient) < 1e-3f) continue;
          const std::uint64_t sense =
              choices[c] == kUnseen ? kUnseenSense : rolesets[choices[c]].hash;
          for (std::uint64_t f : features) {
            weights.gather(of(f, kAnyPredicate), gradient);
            weights.gather(of(f, sense), gradient);
          }
          moved = true;
        }
        if (moved) weights.adagrad_step(0.1f, 0.01f);
      }
      monitor.advance(1);
    }
    if (epoch == 0) weights.restart_average();
  }
  return PackedWeights::of(weights.averaged());
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
