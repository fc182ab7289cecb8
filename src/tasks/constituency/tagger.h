// A trigram tagger: a conditional random field over the tags that the lexicon allows, as a forest.
//
//   Tagger tagger(lexicon, weights);           // weights: WeightReader
//   TagLattice lattice;                        // scratch
//   tagger.build(words, lattice);              // lattice.forest with its scores
//   tagger.marginals(lattice);                 // lattice.probability of each candidate
//
// Nodes are pairs of neighbouring tags, edges triples. Words are hashed as they are, in lower case,
// by their ends and their shape; so are their neighbours. Immutable; thread-safe with one lattice a
// thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "oracle/hypergraph/best.h"
#include "oracle/hypergraph/hypergraph.h"
#include "oracle/hypergraph/sums.h"
#include "tasks/constituency/lexicon.h"
#include "tasks/constituency/weights.h"

namespace entente::constituency {

struct TagLattice {
  struct Candidate {
    std::int32_t tag;
    float lexical;      // the lexicon's score
    float unary;        // of the features
    float probability;  // after marginals()
  };
  struct Edge {
    std::int32_t position;              // of the tag added; the number of words at the end
    std::int32_t before2, before, tag;  // tags; `tags` is the edge of the sentence
    std::int32_t candidate;             // -1 at the end
  };
  std::vector<Candidate> candidates;
  std::vector<std::int32_t> first;      // of each word, and the end
  std::vector<std::uint64_t> features;  // of all words, `per_word` each
  int per_word = 0;
  Hypergraph forest;
  std::vector<Edge> edges;  // of the forest
  ForestSums sums;
  BestPass best;
  Derivation derivation;
  std::vector<TagCandidate> spare;
  std::vector<std::int32_t> best_tags;  // after decode() or marginals()

  int size() const { return static_cast<int>(first.size()) - 1; }
};

class Tagger {
 public:
  static constexpr int kBits = 20;
  Tagger(const Lexicon& lexicon, WeightReader weights) : lexicon_(&lexicon), weights_(weights) {}

  // Places of weights: hashed features first, then pairs and triples of tags.
  static std::size_t extra_weights(int tags) {
    return static_cast<std::size_t>(tags + 1) * (tags + 1) * (tags + 2);
  }
  std::size_t pair_place(int before, int tag) const {
    return (std::size_t{1} << kBits) + static_cast<std::size_t>(before) * width() + tag;
  }
  std::size_t triple_place(int before2, int before, int tag) const {
    return pair_place(0, 0) +
           static_cast<std::size_t>(width()) * width() * (1 + static_cast<std::size_t>(before2)) +
           static_cast<std::size_t>(before) * width() + tag;
  }
  // With only one candidate each where `keep` says which (gold tags join the candidates).
  void build(std::span<const std::string> words, TagLattice& lattice,
             std::span<const std::int32_t> gold = {}) const;
  double decode(TagLattice& lattice) const;   // best_tags; returns the score
  void marginals(TagLattice& lattice) const;  // probabilities and best_tags
  const Lexicon& lexicon() const { return *lexicon_; }
  const WeightReader& weights() const { return weights_; }

 private:
  int width() const { return lexicon_->tags() + 1; }

  const Lexicon* lexicon_;
  WeightReader weights_;
};

// Learns the weights of a tagger; deterministic.
OnlineWeights train_tagger(const Lexicon& lexicon, std::span<const PhraseTree> trees, int epochs,
                           std::uint64_t seed);

}  // namespace entente::constituency
