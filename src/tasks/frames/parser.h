// The frame-semantic parser: which words evoke which frames, and who does what in them.
//
//   const FrameParser parser(file);
//   FrameParser::Workspace work;                         // one a thread
//   parser.parse(sentence, options, work);               // fills sentence.frames
//
// Three steps, each of which may be given instead: targets (targets.h), frames
// (frame_identification.h), arguments (arguments.h scores, constraints.h rules, decode.h solves).
// The sentence needs tags and a tree. Immutable: one serves many threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "corpus/document.h"
#include "corpus/framenet/lexicon.h"
#include "learn/model_file.h"
#include "model/proofs.h"
#include "tasks/frames/arguments.h"
#include "tasks/frames/atoms.h"
#include "tasks/frames/constraints.h"
#include "tasks/frames/decode.h"
#include "tasks/frames/frame_identification.h"
#include "tasks/frames/targets.h"

namespace entente::frames {

// What is known of a sentence's frames before parsing.
enum class Given : std::uint8_t { kNothing, kTargets, kFrames };

// What targets are looked for.
enum class Only : std::uint8_t { kAll, kVerbs, kNouns };

struct FrameOptions {
  RuleSet rules;
  DecoderSpec decoder;
  bool explain = false;
  Given given = Given::kNothing;
  Only only = Only::kAll;
  double min_score = 0;  // the least probability of a frame that is shown
};

class FrameParser {
 public:
  struct Workspace {
    TreeMixture trees;
    TargetFinder::Workspace targets;
    FrameIdentifier::Workspace identify;
    std::vector<std::vector<int>> found;
    std::vector<FrameIdentifier::Choice> choices;
    ArgumentModel::Work arguments;
    ArgumentProblem problem;
    ArgumentDecision decision;
    Decoder decoder;
    std::vector<double> margins;
    ProofSink* proofs = nullptr;
  };

  explicit FrameParser(const ModelFile& file);

  const framenet::Lexicon& lexicon() const { return lexicon_; }
  void parse(Sentence& sentence, const FrameOptions& options, Workspace& work) const;

  // The steps. Each fills in its part of sentence.frames and leaves the others.
  void find_targets(Sentence& sentence, Workspace& work) const;
  void identify(Sentence& sentence, Workspace& work) const;
  // The scored spans of one predicate whose frame the lexicon has; read trees first.
  void make_problem(const FrameInstance& instance, int frame, Workspace& work,
                    ArgumentProblem& problem) const;

 private:
  // Takes out what the options do not ask for, and words within names: a name of several words is
  // one unit, not so many frames.
  void choose_targets(Sentence& sentence, const FrameOptions& options) const;
  void find_arguments(FrameInstance& instance, const FrameOptions& options, Workspace& work) const;

  framenet::Lexicon lexicon_;
  TargetFinder targets_;
  FrameIdentifier identifier_;
  ArgumentModel arguments_;
};

}  // namespace entente::frames
