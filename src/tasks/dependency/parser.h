// A trained parser: words in, heads and labels out.
//
//   Parser parser(file);                        // weights stay where they lie in the model file
//   ParserScratch scratch;                      // one a thread
//   parser.parse(sentence.words, scratch);
//   // scratch.heads[m - 1], scratch.labels[m - 1] (numbers of parser.label_set())
//   // scratch.statistics: what decoding cost
//
// Path: atoms -> pruner -> parts -> scores -> tree -> labels. A sentence of more than
// kLongest words is cut into stretches, after punctuation where possible, whose trees are hung
// together, so that time and memory stay linear beyond it. The decoder's effort is bounded, the
// less the longer the sentence, so that no text takes more than some seconds: real sentences do not
// come near. Thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learn/model_file.h"
#include "learn/weights.h"
#include "model/proofs.h"
#include "tasks/dependency/atoms.h"
#include "tasks/dependency/decode.h"
#include "tasks/dependency/label_rules.h"
#include "tasks/dependency/labels.h"
#include "tasks/dependency/pruner.h"
#include "tasks/dependency/second_order.h"

namespace entente::dependency {

inline constexpr std::size_t kLongest = 128;

struct ParserOptions {
  Order order = Order::second;
  PruneOptions prune;
  DecodeOptions decode;  // its projective and single_root are the pruner's
  LabelSwitches rules;
  // Arcs whose own score in the tree model is this much below the best into the same word are dropped
  // before labels and pairs are scored; 0: none.
  double margin = 0;
  // What the tree model says of a label counts this much beside the label model.
  float blend = 1.0f;
  int others = 0;  // of the next best trees, kept beside the best one
};

// Where arcs may cross each one is dear; a wrong head costs 1 in learning.
inline double usual_margin(bool projective) { return projective ? 0 : 0.8; }

// Sums over sentences.
struct ParserStatistics {
  std::int64_t sentences = 0, words = 0, arcs = 0, pairs = 0;
  std::int64_t optimal = 0, by_dual_alone = 0, iterations = 0, nodes = 0;
  // Seconds spent.
  double pruning = 0, scoring = 0, decoding = 0, labelling = 0;

  void add(const ParserStatistics& other);
};

struct ParserScratch {
  std::vector<std::int32_t> heads;  // one a word
  std::vector<std::uint16_t> labels;
  TreeProof proof;  // of the last tree
  ParserStatistics statistics;

  Atoms atoms;
  PrunerWorkspace pruner;
  std::vector<Arc> kept;
  std::vector<double> best_into;  // by word
  Parts parts;
  PartScores scores;
  ArcLabels arc_labels;
  Decoder decoder;
  TreeList best;  // of a sentence parsed in one piece, where more than one were asked for
  Children children;
  FeatureList features;
  LabelChoice choice;
  std::vector<std::int32_t> order;  // of heads, the lowest first
  std::vector<float> label_scores, arc_scores;
  std::vector<std::int32_t> whole;  // heads of a sentence that was cut
  ProofSink* proofs = nullptr;
};

class Parser {
 public:
  Parser() = default;
  explicit Parser(const ModelFile& file);
  // The weights must outlive the parser.
  Parser(const ParserOptions& options, LaidOut pruner, LaidOut arcs, LabelSet label_set,
         LabelRules label_rules, LaidOut labels, WordClasses classes);

  void parse(std::span<const Word> words, ParserScratch& scratch) const;
  // The two halves of it, for who chooses the tree together with something else: parts and scores
  // of a sentence of at most kLongest words; labels of scratch.heads.
  void score(std::span<const Word> words, ParserScratch& scratch) const;
  void label(ParserScratch& scratch) const;
  DecodeOptions decode_options(std::size_t words) const;
  const LabelSet& label_set() const { return label_set_; }
  const ParserOptions& options() const { return options_; }
  // For comparisons of decoders: how the tree is found, not what is found where that is exact.
  void set_decoding(Method method, int max_iterations, int max_nodes);
  DecodeOptions& decoding() { return options_.decode; }
  int& others() { return options_.others; }
  LabelSwitches& rules() { return options_.rules; }
  double& margin() { return options_.margin; }
  float& blend() { return options_.blend; }

 private:
  // A stretch of a text of `whole` words.
  void prune(std::span<const Word> words, ParserScratch& scratch) const;
  void score_kept(ParserScratch& scratch) const;
  void drop_hopeless(ParserScratch& scratch) const;
  void parse_stretch(std::span<const Word> words, std::size_t whole, ParserScratch& scratch) const;

  ParserOptions options_;
  LaidOut pruner_, arcs_, labels_;
  LabelSet label_set_;
  LabelRules label_rules_;
  WordClasses classes_;
};

void write_options(ModelWriter& writer, const ParserOptions& options);

}  // namespace entente::dependency
