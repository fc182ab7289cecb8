// The FEATS column, once the tags are known: one choice a word among what its tags were seen with.
//
//   FeatsList list = FeatsList::read(file, labels);           // sections "tags/feats/..."
//   reader.begin(sentence, tags, labels_of_words);
//   for (int i = 0; i < n; ++i) {
//     reader.features(i, features);
//     reader.set(i, the best of list.of(labels_of_words[i]));
//   }
//
// From left to right: the choice sees the feats of the words before, above all of the nearest noun
// or pronoun, which a verb may agree with. No heap use once warm. Thread-safe with one reader each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/document.h"
#include "corpus/word_shape.h"
#include "learn/model_file.h"
#include "learn/row_weights.h"
#include "tasks/tagging/features.h"

namespace entente::tagging {

// Which feats go with which label.
struct FeatsList {
  std::vector<std::string> names;
  std::vector<std::uint32_t> first_of;  // labels + 1: where each label's choices start
  std::vector<Label> choices;           // indices of names, most frequent first

  std::span<const Label> of(Label label) const {
    return std::span<const Label>(choices).subspan(first_of[label],
                                                   first_of[label + 1] - first_of[label]);
  }
  void write(ModelWriter& writer) const;
  static FeatsList read(const ModelFile& file, std::size_t labels);
};

// A sentence with its labels, and the feats chosen so far.
class FeatsReader {
 public:
  // labels: of all words. They must stay where they are until the next begin().
  void begin(const Sentence& sentence, const Tags& tags, std::span<const Label> labels);
  void features(int i, std::vector<std::uint64_t>& out);  // given the choices before i
  void set(int i, Label feats);                           // in order, every word

 private:
  struct Facts {
    std::uint64_t lower, label;
  };
  static constexpr int kAround = 2;
  const Facts& at(int i) const { return facts_[i + kAround]; }

  const Sentence* sentence_ = nullptr;
  std::span<const Label> labels_;
  const Tags* tags_ = nullptr;
  std::vector<Facts> facts_;
  std::vector<Label> chosen_;
  int noun_ = -1, noun_before_ = -1;  // the nearest to the left
  WordShape shape_;
};

}  // namespace entente::tagging
