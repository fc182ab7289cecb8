// Annotated predicates in a compact form, for training: a hundred thousand fit in memory.
//
//   ExampleStore store;
//   store.add(sentence, lexicon, 1.0f);             // its frames layer is the truth
//   for (int i = 0; i < store.size(); ++i) { atoms.read(store.words(i)); store.target(i); ... }
//
// Frames that the lexicon does not have, and roles that the frame does not have, are left out and
// counted. Cost: 32 bytes a word and some 40 a predicate. Reading is thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/document.h"
#include "corpus/framenet/lexicon.h"
#include "tasks/frames/atoms.h"
#include "tasks/frames/features.h"
#include "tasks/frames/types.h"

namespace entente::frames {

struct StoredArgument {
  int role = 0;  // of the frame
  Span span;
};

class ExampleStore {
 public:
  void add(const Sentence& sentence, const framenet::Lexicon& lexicon, float weight);

  int size() const { return static_cast<int>(predicates_.size()); }
  int frame(int i) const { return predicates_[i].frame; }
  std::uint32_t unit(int i) const { return predicates_[i].unit; }  // unit_key() of the lexical unit
  float weight(int i) const { return predicates_[i].weight; }
  int sentence(int i) const { return predicates_[i].sentence; }
  std::span<const WordFact> words(int i) const;
  std::span<const std::int32_t> target(int i) const;
  std::span<const StoredArgument> arguments(int i) const;
  int unknown_frames() const { return unknown_frames_; }
  int unknown_roles() const { return unknown_roles_; }

 private:
  struct StoredPredicate {
    std::int32_t sentence = 0, frame = 0;
    std::uint32_t unit = 0;
    std::uint32_t target_end = 0, argument_end = 0;  // they begin where those before end
    float weight = 1;
  };
  std::vector<WordFact> words_;
  std::vector<std::uint64_t> sentence_end_;
  std::vector<StoredPredicate> predicates_;
  std::vector<std::int32_t> targets_;
  std::vector<StoredArgument> arguments_;
  int unknown_frames_ = 0, unknown_roles_ = 0;
  Atoms scratch_;
};

}  // namespace entente::frames
