// What a frame is chosen by: properties of a target in its sentence, apart from any frame, and
// their places in the table of weights once a candidate frame is named.
//
//   TargetContext context;
//   context.read(facts, tree, target);
//   place_features(context, candidate, features);        // 64-bit hashes for learn/weights.h
//
// Properties: words and tags of the target, its head, its dependents with what marks them, its
// neighbours, and the content words of the sentence. Each counts with the frame, and again with
// the frame and the target's words. Linear in the sentence. No heap use once warm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tasks/frames/facts.h"
#include "tasks/frames/lexical_units.h"

namespace entente::frames {

constexpr std::uint64_t kFrameFeatureVersion = 1;

class TargetContext {
 public:
  // `hidden`: as if the target's own words had never been seen.
  void read(std::span<const WordFact> facts, const FactTree& tree, std::span<const int> target,
            bool hidden = false);

  std::uint64_t words = 0;  // the target's lemmas
  Pos pos = Pos::other;     // of its head
  std::uint64_t tag = 0;
  std::vector<std::uint64_t> properties;

 private:
  void read_head(std::span<const WordFact> facts, const FactTree& tree, int head,
                 std::span<const int> target);
  void read_dependents(std::span<const WordFact> facts, const FactTree& tree, int head,
                       std::span<const int> target);
  void read_surroundings(std::span<const WordFact> facts, std::span<const int> target);
};

struct FrameCandidate {
  int frame = -1;
  int unit = -1;  // -1: no lexical unit matches
  int pos = 0;    // of the unit
  Source source = Source::lexicon;
  Reading reading = Reading::lemma;

  bool known() const { return source < Source::neighbour; }  // by the table of lexical units
};

// Replaces `features`.
void place_features(const TargetContext& context, const FrameCandidate& candidate,
                    std::vector<std::uint64_t>& features);

}  // namespace entente::frames
