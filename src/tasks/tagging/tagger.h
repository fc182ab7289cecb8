// A trained tagger at work: the best sequence of (UPOS, XPOS) pairs for a sentence, then FEATS.
//
//   TaggerModel model(file);                        // sections "tags/..."
//   Tagger tagger(std::move(model));
//   tagger.annotate(sentence, *scratch);            // sets upos, xpos and feats
//
// Exact second-order Viterbi over each word's candidates, also under rules on the whole sentence: a
// finished one without a finite verb loses something, and Roth and Yih's examples where they are
// switched on. The file must outlive the tagger.
// Thread-safe with one scratch a thread. No heap use once warm, apart from long strings.
#pragma once

#include <memory>
#include <optional>
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
  // "The bank raised rates.": where the best tags of a sentence that ends in ., ? or ! have nothing
  // that may be finite, a finite verb after what can be a noun or a pronoun may cost so much, in
  // logarithms of a probability. Not under `verb`.
  double finite = 2;
  // "Will the train stop here?": behind the last modal verb or auxiliary do of such a sentence (in a
  // question any do) the bare form of a verb (Penn's VB) may cost so much, where the best tags have
  // none.
  double infinitive = 2;

  bool* find(std::string_view name);  // null: there is no such rule
};

class TaggerScratch : public Scratch {
 public:
  SentenceFacts facts;
  std::vector<std::uint64_t> features;
  StepScorer<RowView> scorer;
  SecondOrderWork<std::int32_t> work;
  std::vector<int> path, trial;
  std::vector<std::int32_t> steps;      // of all words, one after the other
  std::vector<std::size_t> step_first;  // of each word
  std::vector<Label> labels;
  FeatsReader feats;
  std::vector<std::int32_t> scores;
};

class Tagger : public Annotator {
 public:
  explicit Tagger(TaggerModel model);
  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<TaggerScratch>();
  }
  void annotate(Sentence& sentence, Scratch& scratch) const override;
  void configure(const Settings& settings) override;
  TagRules& rules() { return rules_; }

 private:
  // A rule that some word has one of these labels.
  struct Wanted {
    const std::vector<char>* labels = nullptr;  // 1 for each that will do; null: there is no rule
    const std::vector<char>* after = nullptr;   // labels, one of which the word before can have
    int from = 0;                               // the first word that counts
    std::optional<std::int32_t> loss;           // of a sentence without one; none: it must have one

    bool met(const Lattice& lattice, int i, Label label) const;
  };
  Wanted wanted(const Sentence& sentence, const TaggerScratch& scratch) const;
  // What the best tags of a finished sentence lack: a finite verb, or the verb that a modal asks for.
  Wanted missing(const Sentence& sentence, const TaggerScratch& scratch) const;
  void fill_steps(TaggerScratch& scratch, int i, std::span<std::int32_t> steps) const;
  // The best path under the rule, given the best of all and its score.
  void keep(const Wanted& rule, std::int32_t score, TaggerScratch& scratch) const;
  void prove(const Wanted& rule, TaggerScratch& scratch) const;  // that the path is the best
  void set_feats(Sentence& sentence, TaggerScratch& scratch) const;

  TaggerModel model_;
  TagRules rules_;
  // Which labels are verbs, also auxiliaries; finite, or may be; nouns, names or pronouns; auxiliaries
  // alone, modal verbs, bare forms.
  std::vector<char> full_verbs_, verbs_, finite_, may_be_finite_, nominal_;
  std::vector<char> auxiliaries_, modals_, bare_;
};

}  // namespace entente::tagging
