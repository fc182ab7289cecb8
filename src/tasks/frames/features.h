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

#include "tasks/frames/atoms.h"
#include "tasks/frames/types.h"

namespace entente::frames {

// What stands for a lexical unit ("partner.n") in features.
std::uint32_t unit_key(std::string_view lexical_unit);

using FeatureList = std::vector<std::uint64_t>;

class FeatureMaker {
 public:
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

  const Atoms* atoms_ = nullptr;
  std::span<const int> target_;
  int word_ = 0;  // the head of the target
  std::uint64_t unit_ = 0, lemma_ = 0, pos_ = 0, voice_ = 0, pattern_ = 0;
  mutable std::vector<std::int16_t> up_;  // from the target's head to the root
};

}  // namespace entente::frames
