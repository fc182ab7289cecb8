// A trained tagger at work: the best sequence of (UPOS, XPOS) pairs for a sentence, then FEATS.
//
//   TaggerModel model(file);                        // sections "tags/..."
//   Tagger tagger(std::move(model));
//   tagger.annotate(sentence, *scratch);            // sets upos, xpos and feats
//
// Exact second-order Viterbi over each word's candidates, also under rules on the whole sentence
// (Roth and Yih's examples) where they are switched on. The file must outlive the tagger.
// Thread-safe with one scratch a thread. No heap use once warm, apart from long strings.
#pragma once

#include <memory>
#include <vector>

#include "learn/model_file.h"
#include "learn/row_weights.h"
#include "model/task.h"
#include "tasks/tagging/feats.h"
#include "tasks/tagging/features.h"
#include "tasks/tagging/scorer.h"

namespace entente::tagging {

struct TaggerModel {
  TaggerModel() = default;
  explicit TaggerModel(const ModelFile& file);

  Tags tags;
  Lexicon lexicon;
  WordClasses classes;
  RowView rows;
  FeatsList feats;
  RowView feats_rows;
};

void write_tags(const Tags& tags, ModelWriter& writer);
Tags read_tags(const ModelFile& file);

struct TagRules {
  bool verb = false;         // a sentence has a verb, if any of its words can be one
  bool three_verbs = false;  // no three full verbs in a row

  bool* find(std::string_view name);  // null: there is no such rule
};

class TaggerScratch : public Scratch {
 public:
  SentenceFacts facts;
  std::vector<std::uint64_t> features;
  StepScorer<RowView> scorer;
  SecondOrderWork<std::int32_t> work;
  std::vector<int> path, trial;
  std::vector<Label> labels;
  FeatsReader feats;
  std::vector<std::int32_t> scores;
};

class Tagger : public Annotator {
 public:
  explicit Tagger(TaggerModel model) : model_(std::move(model)) {}
  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<TaggerScratch>();
  }
  void annotate(Sentence& sentence, Scratch& scratch) const override;
  void configure(const Settings& settings) override;
  TagRules& rules() { return rules_; }

 private:
  // Scores of the steps to word i; with word `verb`, if that is not -1, a verb.
  void fill_steps(TaggerScratch& scratch, int i, int verb, std::span<std::int32_t> steps) const;
  void prove(TaggerScratch& scratch) const;  // that the path is the best
  // The best path; with word `verb`, if that is not -1, a verb.
  std::int32_t find_path(TaggerScratch& scratch, int verb, std::vector<int>& path) const;
  bool is_verb(Label label, bool auxiliary) const;
  void set_feats(Sentence& sentence, TaggerScratch& scratch) const;

  TaggerModel model_;
  TagRules rules_;
};

}  // namespace entente::tagging
