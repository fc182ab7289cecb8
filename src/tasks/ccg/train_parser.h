// From derivations to a parser: grammar, supertagger, charts, weights.
//
//   std::optional<Parser> parser = train_parser(derivations, table, tags, {}, monitor);
//
// Charts of training sentences get categories from supertaggers that have not seen the sentence
// (the corpus is cut into parts), with the right ones added. A sentence whose derivation is not in
// its chart teaches the weights nothing; how many do is said.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tasks/ccg/parser.h"

namespace entente::ccg {

// What the weights are drawn to: the treebank's derivation, the best one of the chart by its
// dependencies (Huang 2008), or that only where the treebank's is not in the chart.
enum class Targets : std::uint8_t { treebank, max_f, both };
Targets targets_from(const std::string& name);

// Beams of training charts (Table 2 of the paper, `large` and `small` its rows), widest first.
enum class TrainingBeams : std::uint8_t { narrow, small, large };

struct TrainingOptions {
  SupertaggerOptions supertags;
  WeightsOptions weights;
  GrammarOptions grammar;
  FeatureSet features = FeatureSet::hybrid;
  int jackknife = 4;          // parts; 1: the supertagger tags what it has learned
  std::int64_t most = 30000;  // edges of a training chart
  double threshold = 1e-3;    // of the coarse pass
  bool add_gold = true;       // categories that the supertagger missed
  Targets targets = Targets::treebank;
  TrainingBeams beams = TrainingBeams::narrow;
  bool all_rules = false;  // every combinator, not only rule instances of the treebank
  NormalForm normal_form = NormalForm::eisner;
};

// What supertagger and grammar know of the training sentences: the same for every loss.
struct TrainingCharts {
  std::vector<PackedSentence> sentences;
  int all = 0, without_gold = 0, too_large = 0;
  int by_oracle = 0;  // drawn to the best derivation of the chart
  // Of those: correct dependencies, found ones and gold ones.
  std::int64_t oracle_correct = 0, oracle_total = 0, oracle_gold = 0;
  double oracle_f() const;
  double edges() const;  // of a sentence, on average
};

class ParserTrainer {
 public:
  // Marks conjuncts in the derivations where the treebank needs it. tags: one list a sentence.
  ParserTrainer(std::vector<Derivation>& derivations, CategoryTable table,
                const std::vector<std::vector<std::string>>& tags, const TrainingOptions& options);
  // Supertaggers, then charts. False if stopped.
  bool prepare(Monitor& monitor) { return train_taggers(monitor) && build_charts(monitor); }
  bool train_taggers(Monitor& monitor);
  bool build_charts(Monitor& monitor);
  // Other charts with the same supertaggers: features, targets, beams, sizes.
  bool rebuild(const TrainingOptions& options, Monitor& monitor);
  // A supertagger of the same sentences, trained otherwise.
  Supertagger train_tagger(const SupertaggerOptions& options, Monitor& monitor) const {
    return train_supertagger(examples_, options, monitor);
  }
  const TrainingCharts& charts() const { return charts_; }
  const Grammar& grammar() const { return grammar_; }
  // A parser with weights for this loss; may be called again with others.
  Parser train(const WeightsOptions& options, Monitor& monitor) const;

 private:
  bool build_chart(const Supertagger& tagger, int sentence, Parser::Work& work, PackedSentence& out,
                   ChartResult& result) const;
  bool choose_target(int sentence, Parser::Work& work, PackedSentence& out) const;
  void count_charts(std::vector<PackedSentence>& packed, std::span<const std::uint8_t> found,
                    std::span<const ChartResult> results);

  std::vector<Derivation>& derivations_;
  TrainingOptions options_;
  Grammar grammar_;
  std::vector<SupertaggerExample> examples_;
  Supertagger tagger_;
  std::vector<Supertagger> parts_;  // trained without the sentences they tag
  TrainingCharts charts_;
};

}  // namespace entente::ccg
