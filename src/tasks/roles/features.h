// Candidates for a predicate's arguments and what the models see of them.
//
//   FeatureMaker maker;                                     // scratch, one a thread
//   maker.set_predicate(input, word, v_begin, v_end);
//   for (const Candidate& c : maker.candidates()) {
//     maker.cheap(c, features);                             // for the pruner
//     maker.full(c, features);                              // for the choice of a role
//   }
//
// Candidates are the phrases that do not contain the predicate (of those over the same words the
// highest), the same without punctuation at their ends, phrases that are likely but not in the tree
// where a parser made it, the words below a word in the dependency
// tree where that is no phrase, and for words that the predicate depends on what is left of them
// when dependents are cut off from outside: "story" of "story that he told". Features are the usual
// ones (Gildea and Jurafsky 2002, Xue and Palmer 2004, Pradhan et al. 2005): paths in both trees,
// heads, neighbours, subcategorisation, voice, and their conjunctions with the predicate; and
// marked subtrees: small trees around the path that have the marks of the kernel paper, predicate
// and argument. Hashes of learn/hash.h. Cost: about the depth of the tree a candidate.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/roles/input.h"

namespace entente::roles {

struct Candidate {
  int begin = 0, end = 0;  // words
  int node = 0;            // itself, or the smallest phrase around it
  int head = 0;            // word
  enum Kind : std::uint8_t { kPhrase, kTrimmed, kSubtree, kPart, kLikely } kind = kPhrase;
  std::uint64_t label = 0;  // of the phrase; of the one around it where it is none
  std::uint8_t belief = 0;  // of the parser, in steps; 0: nothing is known
  std::uint8_t rival = 0;   // the highest belief in another candidate with the same head
  std::uint8_t agrees = 0;  // the dependency tree has these words below one, too
};

using FeatureList = std::vector<std::uint64_t>;

struct FeatureGroups {
  bool usual = true;      // paths, heads, ...
  bool subtrees = true;   // marked subtrees
  bool trust = true;      // likely phrases, how sure the parser is, whether both trees agree
  bool meanings = false;  // word classes and topics, where they are known: of the usual ones

  int bits() const { return usual + 2 * subtrees + 4 * trust + 8 * meanings; }
  static FeatureGroups of(int bits) {
    return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
  }
};

class FeatureMaker {
 public:
  explicit FeatureMaker(FeatureGroups groups = {}) : groups_(groups) {}

  // The predicate's own words are [v_begin, v_end), word among them.
  void set_predicate(const Input& input, int word, int v_begin, int v_end);
  const std::vector<Candidate>& candidates() const { return candidates_; }
  void cheap(const Candidate& c, FeatureList& out);
  void full(const Candidate& c, FeatureList& out);
  void properties(const Candidate& c, FeatureList& out);  // one by one, for the network

 private:
  void find_candidates(int v_begin, int v_end);
  void trim(int& begin, int& end) const;
  void add_subtrees_of_words(int v_begin, int v_end);
  void add_parts_of(int word, int v_begin, int v_end);
  void prepare_predicate();
  void add_candidate(const Candidate& candidate);
  void add_likely(int v_begin, int v_end);
  void find_subtrees();
  void find_rivals();
  int smallest_around(int word, int begin, int end) const;
  void find_paths(const Candidate& c);
  void add_usual(const Candidate& c, FeatureList& out) const;
  void add_words(const Candidate& c, FeatureList& out) const;
  void add_subtrees(const Candidate& c, FeatureList& out) const;
  void add_meanings(const Candidate& c, FeatureList& out) const;
  std::uint64_t between(const Candidate& c) const;
  std::uint64_t production(int node, int marked) const;

  FeatureGroups groups_;
  const Input* input_ = nullptr;
  int word_ = 0;
  bool passive_ = false;
  std::uint64_t subcategorisation_ = 0, predicate_ = 0, predicate_tag_ = 0, particle_ = 0;
  std::uint64_t frame_ = 0;  // relations of what depends on the predicate
  std::vector<Candidate> candidates_;
  std::vector<std::uint64_t> seen_;                         // spans taken
  std::vector<std::uint8_t> first_belief_, second_belief_;  // by head: the two highest
  std::vector<int> subtree_begin_, subtree_end_, lefts_, rights_;
  std::vector<int> above_;                 // predicate's leaf and what is above it
  std::vector<std::uint64_t> down_;        // paths from above_[i] down to the predicate
  std::vector<int> level_;                 // of nodes: place in above_, or -1
  std::vector<std::uint64_t> dependency_;  // of words: path upwards from the predicate
  // of the candidate at hand
  int meet_ = 0, up_length_ = 0;
  std::uint64_t path_ = 0, up_ = 0, dependency_path_ = 0;
  int dependency_length_ = 0;
};

}  // namespace entente::roles
