// Names for the arcs of a tree: one linear choice a word, after the tree is known.
//
//   LabelSet labels = LabelSet::of(sentences);                       // when training
//   label_features(atoms, heads, children, m, features);
//   label_scores(weights, labels.candidates(atoms, heads[m - 1], m), features, scores);
//
// The label of m sees its head, its own modifiers, its neighbours under the same head and its
// head's head. Only labels seen between these two parts of speech in this direction are
// considered, which saves most of the time; label_rules.h chooses among them. Cost: about 60
// features times some 6 labels a word. Reading is thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "corpus/document.h"
#include "learn/model_file.h"
#include "learn/online.h"
#include "learn/weights.h"
#include "tasks/dependency/atoms.h"
#include "tasks/dependency/features.h"

namespace entente::dependency {

// The modifiers of each head, from left to right.
class Children {
 public:
  void read(std::span<const std::int32_t> heads);
  std::span<const std::int32_t> of(int head) const {
    return {list_.data() + first_[head], list_.data() + first_[head + 1]};
  }

 private:
  std::vector<std::int32_t> first_, next_, list_;
};

class LabelSet {
 public:
  static LabelSet of(std::span<const Sentence> sentences);
  LabelSet() = default;
  LabelSet(const ModelFile& file, const std::string& name);
  void write(ModelWriter& writer, const std::string& name) const;

  const std::vector<std::string>& names() const { return names_; }
  int find(const std::string& name) const;  // -1: none
  // Labels that may stand between these words, in ascending order; never empty.
  std::span<const std::uint16_t> candidates(const Atoms& atoms, int head, int modifier) const;

 private:
  void index();

  std::vector<std::string> names_;
  std::vector<std::uint64_t> keys_;   // pairs of tags and their direction
  std::vector<std::uint32_t> first_;  // keys + 1
  std::vector<std::uint16_t> allowed_, all_;
  std::unordered_map<std::uint64_t, std::uint32_t> places_;
};

void label_features(const Atoms& atoms, std::span<const std::int32_t> heads,
                    const Children& children, int modifier, FeatureList& out);

// The feature whose weight is that of `feature` for a label. 64 labels lie in one row, so that all
// candidates come with one line of the cache; each feature has them in another order, so that
// frequent labels of different features do not meet.
inline std::uint64_t labelled(std::uint64_t feature, int label, int shift) {
  if (label >= 64) feature = mix(feature, static_cast<std::uint64_t>(label >> 6));
  return feature ^ (static_cast<std::uint64_t>(label & 63) << shift);
}

// Sums for several labels at once; replaces `scores`.
template <typename Weights>
void label_scores(const Weights& weights, std::span<const std::uint16_t> labels,
                  const FeatureList& features, std::vector<float>& scores) {
  scores.assign(labels.size(), 0);
  const int shift = shift_of(weights);
  if (labels.empty()) return;
  for (std::uint64_t f : features.view()) weights.prefetch(labelled(f, labels[0], shift));
  for (std::uint64_t f : features.view()) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      scores[i] += static_cast<float>(weights.raw(labelled(f, labels[i], shift)));
    }
  }
}

}  // namespace entente::dependency
