// What a frame is chosen by: features of a target in its sentence, apart from any frame, and their
// places in the table of weights once a candidate frame is named.
//
//   TargetContext context;  context.read(facts, tree, target);
//   place_features(context, candidate, features);        // 64-bit hashes for OnlineWeights
//
// Every property of the context counts three times: with the frame, with the frame and the
// target's words, and (some) with the frames that the frame inherits from. Linear in the words
// around the target. No heap use once warm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tasks/frames/facts.h"
#include "tasks/frames/lexical_units.h"

namespace entente::frames {

constexpr std::uint64_t kFrameFeatureVersion = 1;

struct TargetContext {
  std::uint64_t words = 0;  // the target's lemmas
  Pos pos = Pos::other;     // of its head
  std::uint64_t tag = 0;
  // Properties; the first `shared` of them are worth sharing along frame relations.
  std::vector<std::uint64_t> properties;
  std::size_t shared = 0;

  void read(std::span<const WordFact> facts, const FactTree& tree, std::span<const int> target);

 private:
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
  bool known = true;             // it came from the table of lexical units
  std::span<const int> parents;  // frames that it inherits from
};

// Replaces `features`.
void place_features(const TargetContext& context, const FrameCandidate& candidate,
                    std::vector<std::uint64_t>& features);

}  // namespace entente::frames
