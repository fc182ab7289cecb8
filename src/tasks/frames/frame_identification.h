// Which frame a target evokes: a log-linear choice among the frames of the lexical units that its
// words may stand for.
//
//   FrameIdentifier identifier(file, lexicon);    // sections "frames/units/", "frames/identify/"
//   FrameIdentifier::Workspace work;                       // one a thread
//   identifier.choose(sentence, target, work, choices);
//   choices[0].frame                                       // the most probable; never empty
//
// Words that no lexical unit is known for get the frames of their neighbours in the lexicon, units
// that begin as they do, and those most frequent for their part of speech. Cost: some hundred
// weights a candidate, mostly two or three of them; begin() once a sentence saves the rest.
// Immutable: one serves many threads. Same input, same output.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/document.h"
#include "corpus/framenet/lexicon.h"
#include "learn/model_file.h"
#include "learn/weights.h"
#include "tasks/frames/facts.h"
#include "tasks/frames/frame_features.h"
#include "tasks/frames/lexical_units.h"

namespace entente::frames {

constexpr int kParts = 17;       // of speech, of facts.h
constexpr int kFrequent = 10;    // frames kept for each
constexpr int kNeighbours = 15;  // frames of words that begin alike

// One candidate a frame, that of the unit that suits the part of speech best. Replaces `out`.
void frame_candidates(std::span<const Match> matches, Pos pos, std::vector<FrameCandidate>& out);
// Frames of units that share a beginning with the word, the longest first, but for units of just
// this word. Replaces `out`. Linear in the lexicon.
void neighbour_candidates(const framenet::Lexicon& lexicon, std::string_view lower_case,
                          std::vector<FrameCandidate>& out);
// Those of `frames` that are not there yet.
void add_frequent(std::span<const std::int32_t> frames, std::vector<FrameCandidate>& out);

// Scores to probabilities, in place. At least one.
void softmax(std::span<double> scores);

class FrameIdentifier {
 public:
  struct Choice {
    int frame = -1;  // of the lexicon
    double probability = 0;
    int lexical_unit = -1;  // of the lexicon; -1: none of this frame's matches the words
  };
  class Workspace {
    friend class FrameIdentifier;
    const Sentence* sentence = nullptr;
    std::vector<WordFact> facts;
    FactTree tree;
    std::vector<Match> matches;
    std::vector<FrameCandidate> candidates;
    TargetContext context;
    std::vector<std::uint64_t> features;
    std::vector<double> scores;
  };

  // The lexicon must be the one it was trained with, and must stay.
  FrameIdentifier(const ModelFile& file, const framenet::Lexicon& lexicon);

  // Most probable first; ties go to the lower frame. `target`: words of the sentence, in order, at
  // least one.
  void choose(const Sentence& sentence, std::span<const int> target, Workspace& work,
              std::vector<Choice>& choices) const {
    begin(sentence, work);
    choose(target, work, choices);
  }
  // The same for several targets of one sentence, which must stay until the last choose().
  void begin(const Sentence& sentence, Workspace& work) const;
  void choose(std::span<const int> target, Workspace& work, std::vector<Choice>& choices) const;

 private:
  void find_candidates(std::span<const int> target, Workspace& work) const;

  const framenet::Lexicon& lexicon_;
  LexicalUnits units_;
  WeightView weights_;
  std::span<const std::int32_t> frequent_;  // kParts x kFrequent
};

}  // namespace entente::frames
