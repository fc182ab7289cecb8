// Which words of a sentence evoke a frame: single words, groups, and groups with gaps ("take ...
// off").
//
//   TargetFinder finder(file, lexicon);             // sections "frames/units/", "frames/targets/"
//   TargetFinder::Workspace work;                            // one a thread
//   finder.find(sentence, work, targets);                    // no two of them share a word
//
// Candidates are the groups that may stand for a lexical unit. A log-linear model says how likely
// annotators would have taken each; of the likely ones those are taken that are worth most
// together without sharing a word. Cost: about 150 weights a candidate, two candidates in three
// words. Immutable: one serves many threads.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/document.h"
#include "corpus/framenet/lexicon.h"
#include "learn/model_file.h"
#include "learn/weights.h"
#include "tasks/frames/disjoint_groups.h"
#include "tasks/frames/facts.h"
#include "tasks/frames/frame_features.h"
#include "tasks/frames/lexical_units.h"

namespace entente::frames {

// The groups of a sentence that may be targets, each once, by their first word.
class TargetCandidates {
 public:
  void read(std::span<const WordFact> facts, const LexicalUnits& units);
  int size() const { return static_cast<int>(first_.size()) - 1; }
  std::span<const int> operator[](int i) const {
    return std::span<const int>(words_).subspan(first_[i], first_[i + 1] - first_[i]);
  }

 private:
  struct Found {
    std::array<int, LexicalUnits::kLongest> words{};
    int count = 0;
    bool operator<(const Found& o) const;
    bool operator==(const Found& o) const { return words == o.words && count == o.count; }
  };
  std::vector<Found> found_;
  std::vector<int> words_, first_{0};
};

// The features of one candidate.
class TargetFeatures {
 public:
  // Replaces `out`. `inside`: the words are part of a larger candidate.
  void read(std::span<const WordFact> facts, const FactTree& tree, const LexicalUnits& units,
            std::span<const int> target, bool inside, std::vector<std::uint64_t>& out);

 private:
  void add_matches(std::span<const WordFact> facts, std::span<const int> target,
                   std::vector<std::uint64_t>& out) const;

  TargetContext context_;
  std::vector<Match> matches_;
};

// For each candidate: are its words part of a larger one? Replaces `inside`.
void find_inside(const TargetCandidates& candidates, std::vector<bool>& inside);

class TargetFinder {
 public:
  class Workspace {
    friend class TargetFinder;
    std::vector<WordFact> facts;
    FactTree tree;
    TargetCandidates candidates;
    TargetFeatures reader;
    std::vector<bool> inside;
    std::vector<std::uint64_t> features;
    std::vector<WordGroup> groups;
    std::vector<float> scores;
    DisjointGroups disjoint;
    std::vector<int> chosen;
  };

  TargetFinder(const ModelFile& file, const framenet::Lexicon& lexicon);

  // Replaces `targets`: words from 0, in order; targets by their first word.
  void find(const Sentence& sentence, Workspace& work,
            std::vector<std::vector<int>>& targets) const;

 private:
  LexicalUnits units_;
  WeightView weights_;
  float bias_ = 0;
};

}  // namespace entente::frames
