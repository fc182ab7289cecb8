// Tags of a whole corpus at once: a trigram tagger for every sentence, and a model in which the
// tokens of a word type prefer one tag (Rush and Collins, section 3).
//
//   CorpusTags corpus(tagger, sentences, {.penalty = 1.0});
//   AgreementResult r = corpus.run({.max_rounds = 30});
//   corpus.tags(r, out);                        // of every sentence
//
// Word types take part that the tagger hardly knows and that occur at least twice. The second
// model pays `penalty` for every token of a type whose tag is not the type's; it is solved type by
// type. Prices start as half of each token's log odds, by which both sides agree on most tokens at
// once; only sentences with a changed price are decoded again, from the first word with one on.
// Memory: the lattices of all sentences that take part, and what was last found in each. One thread
// at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/proof/forests.h"
#include "entente/agreement.h"
#include "tasks/constituency/tagger.h"

namespace entente::constituency {

struct CorpusTagOptions {
  double penalty = 1;
  bool lazy = true;  // false: every sentence in every round, to compare
  int seen = 2;      // types that the tagger saw less often take part
  // Word classes from raw text: a type's tag is worth `class_weight` times how likely the tagger
  // finds it, over the whole corpus, for words of its class.
  std::span<const WordClass> classes = {};
  double class_weight = 1;
};

// All sentences by the tagger; indicators are the candidates of tokens that take part.
class SentenceSide : public AgreementModel {
 public:
  int size() const override { return static_cast<int>(sentence_of_.size()); }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override;
  double maximize_again(std::span<const double> prices, std::span<const std::int32_t> changed,
                        std::span<std::uint8_t> on) override;
  double score(std::span<const std::uint8_t> on) override;
  std::int64_t decoded() const { return decoded_; }    // sentences, over all rounds
  std::int64_t rescored() const { return rescored_; }  // decoded with the other side's tags
  // For certificates: one forest of all sentences with the indicators that its edges switch on, and its
  // best derivation with just these.
  void shared_forest(std::span<const std::uint8_t> on, SharedForest& forest, Derivation& best);

 private:
  friend class CorpusTags;
  void list_edges();
  std::span<const std::int32_t> edges_of(std::int32_t indicator) const {
    return std::span(edges_).subspan(first_edge_[indicator],
                                     first_edge_[indicator + 1] - first_edge_[indicator]);
  }
  double score(int s, std::span<const std::uint8_t> on);
  struct Kept {  // of the last search of a sentence
    std::vector<double> priced;
    BestPass best;
  };
  double decode(int s, std::span<const double> prices, std::span<std::uint8_t> on);
  double decode_again(int s, std::span<const double> prices, std::span<const std::int32_t> changed,
                      std::span<std::uint8_t> on);
  double search(int s, int first_node, Kept& kept, std::span<std::uint8_t> on);

  std::vector<TagLattice> lattices_;
  std::vector<std::vector<std::int32_t>> indicator_;  // of each candidate of a lattice; -1: none
  // Edges of each indicator in its lattice, in order.
  std::vector<std::int32_t> edges_, first_edge_;
  std::vector<Kept> kept_;                 // of each lattice; only one where nothing is kept
  std::vector<std::int32_t> sentence_of_;  // of each indicator
  std::vector<std::vector<std::int32_t>> of_sentence_;
  std::vector<double> value_, own_;   // of each sentence: with prices, without
  std::vector<std::uint8_t> answer_;  // of the last search
  std::vector<char> touched_;
  Kept other_;  // to score what the other side wants
  Derivation derivation_;
  std::vector<std::uint8_t> scored_on_;  // what score() was asked last, and its answers
  std::vector<double> scored_;
  struct Known {  // the last few taggings that were scored: the types go to and fro
    std::vector<std::uint8_t> on;  // of_sentence_'s, one after the other
    std::vector<double> score;
    std::size_t next = 0;
  };
  std::vector<Known> known_;
  std::int64_t decoded_ = 0, rescored_ = 0;
  bool lazy_ = true;
};

// Tokens of a type and the tag they should share.
class TypeSide : public AgreementModel {
 public:
  struct Token {
    std::int32_t first, count;  // its indicators; those of a token stand together
  };
  int size() const override { return static_cast<int>(tag_.size()); }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override;
  double maximize_again(std::span<const double> prices, std::span<const std::int32_t> changed,
                        std::span<std::uint8_t> on) override;
  double score(std::span<const std::uint8_t> on) override;
  // As SentenceSide's. Each type takes an edge for its tag, each of its tokens one below that; tags
  // that no token of a type can have are one edge, the best of them.
  void shared_forest(std::span<const std::uint8_t> on, SharedForest& forest, Derivation& best);

 private:
  friend class CorpusTags;
  void start_sums(std::size_t type);
  std::vector<std::int32_t> tags_of(std::size_t type);
  int place_of(const Token& token, std::int32_t tag) const;
  int add_type(std::size_t type, SharedForest& forest);
  void derive_type(std::size_t type, std::span<const std::uint8_t> on, int edge, Derivation& best);
  double choose(std::size_t type, std::span<const double> prices, std::span<std::uint8_t> on);

  std::vector<std::vector<Token>> types_;
  std::vector<std::int32_t> tag_, type_of_;  // of each indicator
  std::vector<double> value_;                // of each type
  std::vector<char> touched_;
  std::vector<std::uint8_t> scored_on_;  // what score() was asked last, and its answers
  std::vector<double> scored_;
  bool lazy_ = true;
  std::vector<double> prior_;  // of each type, tags_ each; empty: none
  double penalty_ = 1;
  int tags_ = 0;
  std::vector<double> sum_;
};

class CorpusTags {
 public:
  CorpusTags(const Tagger& tagger, std::span<const std::vector<std::string>> sentences,
             const CorpusTagOptions& options);
  AgreementResult run(const AgreementOptions& options);
  // By the best pair found (the tagger's own tags where nothing takes part).
  void tags(const AgreementResult& result, std::vector<std::vector<std::int32_t>>& out);
  // The problem of both and its certificate, by a result with the leaves of its search (keep_parts).
  ForestCertificate certify(const AgreementResult& result, ForestProblem& problem);
  void separate_tags(std::vector<std::vector<std::int32_t>>& out) const { out = separate_; }
  const SentenceSide& sentences() const { return sentences_; }
  int types() const { return static_cast<int>(types_.types_.size()); }

 private:
  SentenceSide sentences_;
  TypeSide types_;
  void set_priors(std::span<const std::string> types, std::span<const double> counts,
                  const CorpusTagOptions& options);

  std::vector<double> start_;        // prices to begin with
  std::vector<std::int32_t> place_;  // of each sentence: among those that take part, or -1
  std::vector<std::vector<std::int32_t>> separate_;
};

}  // namespace entente::constituency
