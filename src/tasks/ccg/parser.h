// A CCG parser: words and parts of speech in, the best derivation and its dependencies out.
//
//   Parser parser(file);                                  // or train_parser
//   Parser::Work work(parser);                            // one a thread
//   Parse parse;
//   parser.parse(text, {}, work, parse);                  // parse.derivation, .dependencies
//
// The supertagger proposes categories within a beam (adaptive: narrow first, wider while there is
// no parse; reverse: wide first, narrower while the chart is too large; Auli and Lopez 2011, Table
// 1), a coarse pass prunes, and the chart of signs is searched exactly: by the best derivation, or
// by the dependencies that are expected to be right (minimum risk), or for the best under parser and
// supertagger together (integrate.h). What no rule puts together is strung together at last.
// Immutable once made: thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "learn/model_file.h"
#include "model/proofs.h"
#include "oracle/hypergraph/best.h"
#include "tasks/ccg/chart.h"
#include "tasks/ccg/edge_features.h"
#include "tasks/ccg/integrate.h"
#include "tasks/ccg/min_risk.h"
#include "tasks/ccg/supertagger.h"
#include "tasks/ccg/training.h"

namespace entente::ccg {

enum class Decoding : std::uint8_t {
  best,
  min_risk,
  agreement,  // the best under supertagger and parser together, by dual decomposition
};
enum class Strategy : std::uint8_t { adaptive, reverse };

struct ParseOptions {
  Decoding decoding = Decoding::best;
  Strategy strategy = Strategy::adaptive;
  std::int64_t most = 1000000;  // edges of a chart
  double threshold = 1e-3;      // of the coarse pass
  double risk = 0.25;           // min_risk: what a dependency must be likely to be worth making
  // Rounds of belief propagation between supertagger and parser; -1: as the parser was trained, one
  // if it saw the supertagger's probabilities, none if not.
  int rounds = -1;
  int agreement_rounds = 100;
  bool all_rules = false;  // every combinator from the start, not only where the treebank's fail
  NormalForm normal_form = NormalForm::eisner;
};

struct Parse {
  bool found = false;
  Derivation derivation;  // words and tags included
  std::vector<Dependency> dependencies;
  std::vector<CategoryId> supertags;  // the parse's, or the supertagger's best where there is none
  double score = 0;                   // of the derivation
  double log_z = 0;                   // of the chart: exp(score - log_z) is its probability
  int beam = -1;                      // which step of the strategy parsed it
  bool by_all_combinators = false;    // the treebank's rules alone gave no parse
  bool proven = false;                // nothing in the chart is better, as the decoding sees it
  double bound = 0;                   // agreement: no derivation is worth more
  int rounds = 0;                     // of belief propagation, or of dual decomposition
  std::vector<Rule> rules;            // one a node of the derivation
};

class Parser {
 public:
  struct Work {
    explicit Work(const Parser& parser);
    RuleCache rules, all_rules;
    Markups markups, all_markups;
    CoarseChart coarse;
    Chart chart;
    EdgeFeatures features;
    Supertagger::Work tagging;
    Choices choices, kept;
    Integration both;
    MinRisk min_risk;
    std::vector<std::uint32_t> features_of_edge;
    std::vector<double> base, score, risk;
    ForestSums sums;
    BestPass best;
    std::vector<std::int32_t> edges;
    AgreementResult agreed;  // of Decoding::agreement; `on` empty: no pair was found
  };

  Parser(Grammar grammar, Supertagger tagger, std::vector<float> weights, int bits, FeatureSet set);
  explicit Parser(const ModelFile& file);
  void save(ModelWriter& writer) const;

  void parse(const TaggedWords& text, const ParseOptions& options, Work& work, Parse& out) const;
  // After a parse() that found one, with the same options: what it was chosen from, and the proof.
  void prove(const ParseOptions& options, Work& work, ProofSink& proofs) const;
  const Grammar& grammar() const { return grammar_; }
  const Supertagger& tagger() const { return tagger_; }
  Parser with_tagger(Supertagger tagger) const;  // that knows the same categories

 private:
  struct Effort {  // how the categories within a beam are put together
    Beam beam;
    bool all = false;       // by every combinator
    bool any_root = false;  // into any category
    bool glue = false;      // and where nothing else does, one after the other
    bool only_glue = false;
    double stricter = 1;  // times the threshold of the coarse pass
  };
  static const Effort kLastEfforts[];  // when the strategy's beams have failed

  bool try_effort(const Effort& effort, const ParseOptions& options, Work& work,
                  ChartResult& result) const;
  void score_chart(const TaggedWords& text, bool all, Work& work) const;
  void decode(const TaggedWords& text, const ParseOptions& options, bool all, Work& work,
              Parse& out) const;
  void agree(const ParseOptions& options, Work& work, Parse& out) const;
  double tagger_weight() const;

  Grammar grammar_;
  Supertagger tagger_;
  std::vector<double> weights_;
  int bits_;
  FeatureSet set_;
};

}  // namespace entente::ccg
