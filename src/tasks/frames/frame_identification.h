// Which frame a target evokes: a log-linear choice among the frames of the lexical units that its
// words may stand for.
//
//   FrameIdentifier identifier(file, lexicon);       // sections "frames/units/",
//   "frames/identify/" FrameIdentifier::Workspace work;                           // one a thread
//   identifier.choose(sentence, target, work, choices);
//   choices[0].frame                                           // the most probable; never empty
//
// Words that no lexical unit is known for get the frames of their neighbours in the lexicon, words
// that begin as they do, and the frames that are most frequent for their part of speech. Cost:
// some hundred weights a candidate frame, mostly two or three of them. Immutable: one serves many
// threads. Same input, same output.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/document.h"
#include "corpus/framenet/lexicon.h"
#include "learn/model_file.h"
#include "learn/weights.h"
#include "tasks/frames/facts.h"
#include "tasks/frames/frame_features.h"
#include "tasks/frames/lexical_units.h"

namespace entente::frames {

// Frames inherited from, by frame.
class ParentFrames {
 public:
  explicit ParentFrames(const framenet::Lexicon& lexicon);
  std::span<const int> of(int frame) const {
    return std::span<const int>(parents_).subspan(first_[frame], first_[frame + 1] - first_[frame]);
  }

 private:
  std::vector<int> first_, parents_;
};

// The candidates for a target, one a frame, in the order of the table. Replaces `out`.
void frame_candidates(std::span<const Match> matches, Pos pos, const ParentFrames& parents,
                      std::vector<FrameCandidate>& out);

// Scores to probabilities, in place.
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
    std::vector<WordFact> facts;
    FactTree tree;
    std::vector<Match> matches;
    std::vector<FrameCandidate> candidates;
    TargetContext context;
    std::vector<std::uint64_t> features;
    std::vector<double> scores;
  };

  FrameIdentifier(const ModelFile& file, const framenet::Lexicon& lexicon);

  // Most probable first; ties go to the lower frame. `target`: words of the sentence, in order.
  void choose(const Sentence& sentence, std::span<const int> target, Workspace& work,
              std::vector<Choice>& choices) const;

 private:
  const framenet::Lexicon& lexicon_;
  LexicalUnits units_;
  WeightView weights_;
  ParentFrames parents_;
};

}  // namespace entente::frames
