// A trained lemmatizer at work: forms with their tags to lemmas.
//
//   Lemmatizer lemmatizer{LemmaModel(file)};         // sections "lemmas/..."
//   lemmatizer.annotate(sentence, *scratch);         // reads form, upos, xpos; sets lemma
//
// A word seen in training with its tags gets the script it had there; any other gets the best, by a
// linear model, of the scripts that its UPOS was seen with and that apply to it. The file must
// outlive the lemmatizer. Thread-safe with one scratch a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "corpus/word_shape.h"
#include "learn/flat_table.h"
#include "learn/row_weights.h"
#include "model/task.h"
#include "tasks/lemmas/script.h"

namespace entente::lemmas {

constexpr std::uint64_t kFeatureVersion = 1;

struct KnownLemma {
  std::uint32_t check = 0, script = 0;
};
std::uint64_t known_key(const Word& word);            // form and UPOS
std::uint64_t known_key_with_xpos(const Word& word);  // form, UPOS and XPOS

struct LemmaModel {
  LemmaModel() = default;
  explicit LemmaModel(const ModelFile& file);
  // The scripts a word with this UPOS may have, most frequent first; of any word if it is new.
  std::span<const std::uint32_t> scripts_of(const std::string& upos) const;

  std::vector<EditScript> scripts;
  std::vector<std::string> upos;        // "" stands for all others, and comes last
  std::vector<std::uint32_t> first_of;  // upos.size() + 1: where each one's scripts start
  std::vector<std::uint32_t> scripts_by_upos;
  FlatTable<KnownLemma> known;
  RowView rows;
};

// What the linear model sees of a word.
class WordFeatures {
 public:
  // Of word i of a sentence; `shouting`: it has no lower-case letters.
  void read(const Sentence& sentence, int i, bool shouting, std::vector<std::uint64_t>& out);
  bool is_shouting(const Sentence& sentence);

 private:
  WordShape shape_;
};

class LemmaScratch : public Scratch {
 public:
  WordFeatures word;
  CasedForm form;
  std::vector<std::uint64_t> features;
  std::vector<std::uint32_t> candidates;
  std::vector<std::int32_t> scores;
};

// The scripts of `upos` that apply.
void find_candidates(const LemmaModel& model, const std::string& upos, const CasedForm& form,
                     std::vector<std::uint32_t>& out);

class Lemmatizer : public Annotator {
 public:
  explicit Lemmatizer(LemmaModel model) : model_(std::move(model)) {}
  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<LemmaScratch>();
  }
  void annotate(Sentence& sentence, Scratch& scratch) const override;

 private:
  void set_lemma(Sentence& sentence, int i, bool shouting, LemmaScratch& scratch) const;

  LemmaModel model_;
};

}  // namespace entente::lemmas
