// Lexical categories of the words of a sentence, with probabilities: a chain over the categories
// that a dictionary allows each word, each word's few best of them joined by how they follow each
// other.
//
//   Supertagger tagger = train_supertagger(sentences, grammar.table, {}, monitor);
//   Supertagger::Work work;                                  // one a thread
//   tagger.tag(words, work, choices);                        // all that survive, best first
//   keep_within(choices, {.beta = 0.01, .most = 20}, kept);  // Clark and Curran's multitagging
//
// Words seen often have the categories they were seen with, others those of their part of speech.
// Trained by stochastic gradients (AdaGrad) of the conditional likelihood, or of softmax-margin
// with a cost tau for every wrong category (Gimpel and Smith 2010). Cost: words * candidates *
// features. Immutable once made: thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/monitor.h"
#include "corpus/word_shape.h"
#include "learn/model_file.h"
#include "oracle/lattice_chain.h"
#include "tasks/ccg/coarse.h"

namespace entente::ccg {

// What taggers and parsers see of a sentence.
struct TaggedWords {
  std::vector<std::string> words, tags;  // tags: parts of speech
};

struct SupertaggerExample {
  TaggedWords text;
  std::vector<CategoryId> gold;
};

struct SupertaggerOptions {
  int epochs = 8;
  int bits = 21;  // of the table of weights
  double rate = 0.15;
  double tau = 0;     // of Hamming softmax-margin; 0: likelihood
  int frequent = 10;  // words seen as often have only the categories they were seen with
  std::uint64_t seed = 1;
};

// Which of a word's choices a parser gets.
struct Beam {
  double beta = 0.01;  // at least so much of the best one's probability
  int most = 20;       // the dictionary's cut-off k
};
void keep_within(const Choices& all, const Beam& beam, Choices& kept);

class Supertagger {
 public:
  static constexpr int kWidth = 16;  // candidates of a word that join the chain

  struct Work {
    std::vector<std::uint64_t> features;  // kFeatures a word
    std::vector<std::int32_t> labels;     // candidates that joined, word after word
    LatticeChain chain;                   // over them
    WordShape shape;
    std::vector<std::uint64_t> words, tags;
    std::vector<double> scores;
    std::vector<std::pair<double, std::int32_t>> ranked;
  };

  Supertagger() = default;
  explicit Supertagger(const ModelFile& file);
  void save(ModelWriter& writer) const;

  // Choices of each word by falling probability; each word has at least one. work.chain is the
  // chain they come from, for whoever passes messages to it.
  void tag(const TaggedWords& text, Work& work, Choices& out) const;

 private:
  friend class SupertaggerTrainer;
  static constexpr int kFeatures = 27;

  std::span<const std::int32_t> candidates(const std::string& word, const std::string& tag) const;
  void find_features(const TaggedWords& text, Work& work) const;
  std::size_t index(std::uint64_t feature, std::int32_t label) const;
  double emission(const std::uint64_t* features, std::int32_t label) const;
  // The chain over the candidates that join.
  void join(const TaggedWords& text, const std::int32_t* gold, double tau, Work& work) const;
  double step(std::int32_t before, std::int32_t after) const;

  int bits_ = 0;
  std::vector<CategoryId> labels_;
  std::unordered_map<std::string, std::vector<std::int32_t>> by_word_, by_tag_;
  std::vector<std::int32_t> everywhere_;  // for tags never seen
  std::vector<float> weights_;
};

Supertagger train_supertagger(std::span<const SupertaggerExample> examples,
                              const SupertaggerOptions& options, Monitor& monitor);

}  // namespace entente::ccg
