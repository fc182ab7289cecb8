// How good frames are against a gold layer, in three settings, and the decoders side by side.
//
//   const std::vector<Sentence> gold = read_frame_corpus(...);
//   FrameScorer s = score_frames(gold, parser, {.given = Given::kFrames}, threads);
//   const auto predicates = scored_predicates(gold, parser, threads);    // for compare_decoders()
//
// Sentences are those of the release with our tokens, tags and trees.
#pragma once

#include <span>
#include <vector>

#include "corpus/document.h"
#include "tasks/frames/evaluate.h"
#include "tasks/frames/parser.h"

namespace entente::frames {

// The frames of each sentence as the parser finds them; gold targets or frames as the options say.
std::vector<std::vector<FrameInstance>> parse_frames(std::span<const Sentence> gold,
                                                     const FrameParser& parser,
                                                     const FrameOptions& options, int threads);

FrameScorer score_frames(std::span<const Sentence> gold, const FrameParser& parser,
                         const FrameOptions& options, int threads);

// As SEMAFOR's script sees a gold layer: of several frames of one target the first, and of the
// pieces of a role the stretch from the first to the last.
void join_pieces(std::vector<FrameInstance>& frames);

// Of every gold predicate whose frame the lexicon has: its scored spans and gold arguments.
std::vector<ScoredPredicate> scored_predicates(std::span<const Sentence> gold,
                                               const FrameParser& parser, int threads);

}  // namespace entente::frames
