// What labels may stand beside each other under one head: rules that the treebank keeps, learned
// from it, and the best labels that obey them.
//
//   LabelRules rules = LabelRules::of(sentences, labels);          // when training
//   LabelChoice choice;                                            // one a thread: keeps its
//   memory choice.begin();  choice.add(candidates, scores); ...           // the modifiers of one
//   head choice.solve(rules, switches, head_tag, words);                // choice.label(i)
//
// Five families, each with a name for --without:
//   once    a label stands at most once under a head (subjects, objects, ...)
//   apart   two labels never stand under one head (a subject and a passive auxiliary, ...)
//   needs   a label only stands beside another, or under heads with certain tags (a passive
//           subject beside a passive auxiliary, ...)
//   bare    a label is not for words with a preposition of their own (objects, ...): `case`, where the
//           treebank has that label
//   words   a label is for a closed class of words (passive auxiliaries are "be" and "get")
// A rule is learned where the treebank could have broken it often and did so at most once in a
// thousand times.
//
// The choice is exact: labels that obey the rules by themselves are the best; otherwise depth
// first over the modifiers with the sum of the best labels left as the bound. Where no labels obey
// all rules the choice obeys none. Cost: linear but for heads whose best labels break a rule; after
// kMostNodes nodes the best found so far counts, and proven() says so. No heap use once warm.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/document.h"
#include "learn/model_file.h"
#include "tasks/dependency/atoms.h"
#include "tasks/dependency/labels.h"

namespace entente::dependency {

struct LabelSwitches {
  bool once = true, apart = true, needs = true, words = true, bare = true;

  bool any() const { return once || apart || needs || words || bare; }
  bool* find(std::string_view name);  // null: there is no such family
};

class LabelRules {
 public:
  struct Need {
    std::uint16_t label, other;
    std::uint32_t first_tag, tags;  // of tags_: under such heads it may stand alone
  };

  static LabelRules of(std::span<const Sentence> sentences, const LabelSet& set);
  LabelRules() = default;
  LabelRules(const ModelFile& file, const std::string& name, std::size_t labels);
  void write(ModelWriter& writer, const std::string& name) const;

  bool empty() const { return labels_ == 0; }
  // May both stand under one head? The same label twice: may it be there twice?
  bool together(std::uint16_t a, std::uint16_t b, const LabelSwitches& on) const {
    return !apart_[static_cast<std::size_t>(a) * labels_ + b] || !(a == b ? on.once : on.apart);
  }
  // Is the word one that may have this label?
  bool fits(std::uint16_t label, std::uint64_t lemma) const;
  // Is it never that of a word with a preposition of its own? Is it that of prepositions?
  bool bare(std::uint16_t label) const { return bare_[label] == kBare; }
  bool marks(std::uint16_t label) const { return bare_[label] == kMarks; }
  std::span<const Need> needs() const { return needs_; }
  bool excused(const Need& need, std::uint64_t tag) const;
  // For people: "once obj", "apart aux:pass nsubj", ...
  std::vector<std::string> describe(const LabelSet& set) const;

 private:
  enum : std::uint8_t { kFree, kBare, kMarks };

  void find_bare(std::span<const Sentence> sentences, const LabelSet& set);

  std::size_t labels_ = 0;
  std::vector<std::uint8_t> bare_;   // by label
  std::vector<std::uint8_t> apart_;  // labels * labels, symmetric
  std::vector<Need> needs_;
  std::vector<std::uint64_t> tags_;
  std::vector<std::uint32_t> first_word_;  // labels + 1; none: any word
  std::vector<std::uint64_t> words_;       // sorted within a label
};

class LabelChoice {
 public:
  void begin();
  // One modifier: its candidates and their scores, in any order; marked: it has a preposition of its own.
  void add(std::span<const std::uint16_t> labels, std::span<const float> scores,
           std::uint64_t lemma, bool marked = false);
  void solve(const LabelRules& rules, const LabelSwitches& on, std::uint64_t head_tag);

  int size() const { return static_cast<int>(lemmas_.size()); }
  std::uint16_t label(int i) const { return chosen_[i]; }
  double value() const { return value_; }
  bool proven() const { return proven_; }
  bool lawful() const { return lawful_; }  // the labels obey all rules

 private:
  static constexpr int kMostNodes = 20000;
  struct Option {
    float score;
    std::uint16_t label;
  };

  void drop_unfit(const LabelRules& rules, const LabelSwitches& on);
  bool obeys(std::span<const std::uint16_t> labels) const;
  bool clashes(int depth, std::uint16_t label) const;
  void search(int depth, double value);
  std::span<const Option> options(int i) const {
    return {options_.data() + first_[i], options_.data() + end_[i]};
  }

  std::vector<Option> options_;  // by modifier, the best first
  std::vector<std::uint32_t> first_, end_;
  std::vector<std::uint64_t> lemmas_;
  std::vector<std::uint8_t> marked_;
  std::vector<double> rest_;  // what the modifiers from i on are worth at most
  std::vector<std::uint16_t> chosen_, trial_;
  const LabelRules* rules_ = nullptr;
  LabelSwitches on_;
  std::uint64_t head_tag_ = 0;
  double value_ = 0;
  int nodes_ = 0;
  bool proven_ = true, lawful_ = true;
};

}  // namespace entente::dependency
