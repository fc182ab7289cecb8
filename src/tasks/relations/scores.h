// What the local classifiers say of a passage: a score of each label for each mention and each
// ordered pair of mentions (log-probabilities, mostly), and the labels that someone chose by them.
//
//   LocalScores scores(3, labels);                  // three mentions
//   scores.entity(0)[label];   scores.pair(2, 0)[relation];
//   Labelling best = choose_locally(scores);
//   JointScores joint = independent(scores, labels);   // what decode.h takes
//
// Pairs are kept for head 0 with all tails, head 1, ...; a mention is never paired with itself.
// Plain values.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "tasks/relations/types.h"

namespace entente::relations {

// The place of an ordered pair among the n * (n - 1) of n mentions.
inline int pair_index(int head, int tail, int mentions) {
  return head * (mentions - 1) + (tail > head ? tail - 1 : tail);
}
inline std::pair<int, int> pair_at(int index, int mentions) {
  const int head = index / (mentions - 1), rest = index % (mentions - 1);
  return {head, rest < head ? rest : rest + 1};
}
inline int pair_count(int mentions) { return mentions * (mentions - 1); }

inline std::span<double> score_part(std::vector<double>& all, int index, int size) {
  return {all.data() + static_cast<std::size_t>(index) * size, static_cast<std::size_t>(size)};
}
inline std::span<const double> score_part(const std::vector<double>& all, int index, int size) {
  return {all.data() + static_cast<std::size_t>(index) * size, static_cast<std::size_t>(size)};
}

class LocalScores {
 public:
  LocalScores() = default;
  LocalScores(int mentions, const LabelSet& labels) { reset(mentions, labels); }

  void reset(int mentions, const LabelSet& labels) {
    mentions_ = mentions;
    entity_labels_ = labels.entity_count();
    relation_labels_ = labels.relation_count();
    entities_.assign(static_cast<std::size_t>(mentions) * entity_labels_, 0);
    pairs_.assign(static_cast<std::size_t>(pair_count(mentions)) * relation_labels_, 0);
  }

  int mentions() const { return mentions_; }
  std::span<double> entity(int m) { return score_part(entities_, m, entity_labels_); }
  std::span<const double> entity(int m) const { return score_part(entities_, m, entity_labels_); }
  std::span<double> pair_at(int index) { return score_part(pairs_, index, relation_labels_); }
  std::span<const double> pair_at(int index) const {
    return score_part(pairs_, index, relation_labels_);
  }
  std::span<double> pair(int h, int t) { return pair_at(pair_index(h, t, mentions_)); }
  std::span<const double> pair(int h, int t) const { return pair_at(pair_index(h, t, mentions_)); }

 private:
  int mentions_ = 0, entity_labels_ = 0, relation_labels_ = 0;
  std::vector<double> entities_, pairs_;
};

// What is decided together: each mention has a type, each ordered pair a *state*: 0 for "none", s +
// 1 for signature s (a relation between two types). A state is worth its score.
class JointScores {
 public:
  JointScores() = default;
  JointScores(int mentions, const LabelSet& labels) { reset(mentions, labels); }

  void reset(int mentions, const LabelSet& labels) {
    mentions_ = mentions;
    types_ = labels.entity_count();
    states_ = static_cast<int>(labels.signatures.size()) + 1;
    entities_.assign(static_cast<std::size_t>(mentions) * types_, 0);
    states_of_.assign(static_cast<std::size_t>(pair_count(mentions)) * states_, 0);
  }

  int mentions() const { return mentions_; }
  std::span<double> entity(int m) { return score_part(entities_, m, types_); }
  std::span<const double> entity(int m) const { return score_part(entities_, m, types_); }
  std::span<double> states(int pair) { return score_part(states_of_, pair, states_); }
  std::span<const double> states(int pair) const { return score_part(states_of_, pair, states_); }
  // All of them, one after the other.
  std::span<const double> entities() const { return entities_; }
  std::span<const double> pairs() const { return states_of_; }

 private:
  int mentions_ = 0, types_ = 0, states_ = 0;
  std::vector<double> entities_, states_of_;
};

struct Labelling {
  std::vector<int> entities;   // one a mention
  std::vector<int> relations;  // one an ordered pair; kNone: not related
  friend bool operator==(const Labelling&, const Labelling&) = default;
};

inline int best_label(std::span<const double> scores) {
  return static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

// Each label by itself: what the basic approach does. Ties go to the first.
inline Labelling choose_locally(const LocalScores& scores) {
  Labelling out;
  for (int m = 0; m < scores.mentions(); ++m) out.entities.push_back(best_label(scores.entity(m)));
  for (int i = 0; i < pair_count(scores.mentions()); ++i) {
    out.relations.push_back(best_label(scores.pair_at(i)));
  }
  return out;
}

// The scores of classifiers that know nothing of each other as joint ones: what the paper decodes.
inline JointScores independent(const LocalScores& scores, const LabelSet& labels) {
  JointScores out(scores.mentions(), labels);
  for (int m = 0; m < scores.mentions(); ++m) {
    std::copy(scores.entity(m).begin(), scores.entity(m).end(), out.entity(m).begin());
  }
  for (int i = 0; i < pair_count(scores.mentions()); ++i) {
    out.states(i)[0] = scores.pair_at(i)[kNone];
    for (std::size_t s = 0; s < labels.signatures.size(); ++s) {
      out.states(i)[s + 1] = scores.pair_at(i)[labels.signatures[s].relation];
    }
  }
  return out;
}

// The truth of a passage whose labels are known.
inline Labelling gold_labelling(const Passage& passage) {
  Labelling out;
  for (const Mention& m : passage.mentions) out.entities.push_back(m.label);
  out.relations.assign(static_cast<std::size_t>(pair_count(passage.mention_count())), kNone);
  for (const Link& l : passage.links) {
    out.relations[pair_index(l.head, l.tail, passage.mention_count())] = l.label;
  }
  return out;
}

}  // namespace entente::relations
