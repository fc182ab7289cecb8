// What the argument model sees of a span, given a target: some sixty hashed features.
//
//   FeatureMaker make(atoms, target, target_key);      // once a target
//   make.span_features(span, features);                 // role-independent; hashes
//   make.null_features(features);                       // of leaving a role empty
//
// The model combines each with the role (arguments.h). Values are part of the model: a change needs
// a new kVersion. Cost of a span: linear in its length and the path to it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "learn/word_meanings.h"
#include "tasks/frames/atoms.h"
#include "tasks/frames/types.h"

namespace entente::frames {

// What stands for a lexical unit ("partner.n") in features.
std::uint32_t unit_key(std::string_view lexical_unit);

using FeatureList = std::vector<std::uint64_t>;

class FeatureMaker {
 public:
  // What kinds of things words mean: nothing unless this is said. Must outlive it.
  void use(const WordMeanings* meanings) { meanings_ = meanings; }
  // target_key stands for the lexical unit.
  void start(const Atoms& atoms, std::span<const int> target, std::uint32_t target_key);
  void span_features(Span span, FeatureList& out) const;
  void null_features(FeatureList& out) const;

 private:
  struct Path {
    std::uint64_t relations = 0, tags = 0;
    int up = 0, down = 0;
  };
  Path path_to(int word) const;
  void context_features(Span span, int head, FeatureList& out) const;
  // Kinds of head words, of what is around, and of the target.
  void meaning_features(Span span, int head, std::uint64_t path, std::uint64_t preposition,
                        int side, FeatureList& out) const;
  struct Kind {
    std::uint64_t fine = 0, middle = 0, topic = 0, other = 0;
  };
  Kind kind_of(int word) const;

  const Atoms* atoms_ = nullptr;
  std::span<const int> target_;
  const WordMeanings* meanings_ = nullptr;
  std::vector<Kind> kinds_;  // of each word; empty where no meanings are known
  int word_ = 0;             // the head of the target
  std::uint64_t unit_ = 0, lemma_ = 0, pos_ = 0, voice_ = 0, pattern_ = 0;
  mutable std::vector<std::int16_t> up_;  // from the target's head to the root
};

}  // namespace entente::frames
