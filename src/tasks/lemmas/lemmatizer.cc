#include "tasks/lemmas/lemmatizer.h"

#include <algorithm>

#include "learn/hash.h"
#include "learn/row_training.h"

namespace entente::lemmas {

std::uint64_t known_key(const Word& word) {
  return spread(mix(mix(1, hash_of(word.form)), hash_of(word.upos)));
}

std::uint64_t known_key_with_xpos(const Word& word) {
  return spread(mix(known_key(word), hash_of(word.xpos)));
}

LemmaModel::LemmaModel(const ModelFile& file) {
  if (file.number("lemmas/version") != static_cast<double>(kFeatureVersion)) {
    file.fail("the lemmatizer was trained by another version; train it again");
  }
  bool good = true;
  for (const std::string& text : file.strings("lemmas/scripts")) {
    good = from_text(text, scripts.emplace_back()) && good;
  }
  upos = file.strings("lemmas/upos");
  const auto copy = [&](const char* name, std::vector<std::uint32_t>& to) {
    const std::span<const std::uint32_t> from = file.array<std::uint32_t>(name);
    to.assign(from.begin(), from.end());
  };
  copy("lemmas/first_of", first_of);
  copy("lemmas/scripts_by_upos", scripts_by_upos);
  known = FlatTable<KnownLemma>(file, "lemmas/known");
  rows = RowView(file, "lemmas/weights");
  good = good && !upos.empty() && upos.back().empty() && first_of.size() == upos.size() + 1 &&
         std::is_sorted(first_of.begin(), first_of.end()) && first_of.front() == 0 &&
         first_of.back() == scripts_by_upos.size();
  for (std::uint32_t s : scripts_by_upos) good = good && s < scripts.size();
  for (const KnownLemma& k : known.entries()) {
    good = good && (k.check == 0 || k.script < scripts.size());
  }
  if (!good) file.fail("the lemmatizer's sections are damaged");
}

std::span<const std::uint32_t> LemmaModel::scripts_of(const std::string& name) const {
  std::size_t u = 0;
  while (u + 1 < upos.size() && upos[u] != name) ++u;
  return std::span<const std::uint32_t>(scripts_by_upos)
      .subspan(first_of[u], first_of[u + 1] - first_of[u]);
}

bool WordFeatures::is_shouting(const Sentence& sentence) {
  unsigned flags = 0;
  for (const Word& w : sentence.words) {
    shape_.read(w.form);
    flags |= shape_.flags();
    if (flags & WordShape::kLower) return false;  // soon, in nearly all sentences
  }
  return flags & WordShape::kAllUpper;
}

void WordFeatures::read(const Sentence& sentence, int i, bool shouting,
                        std::vector<std::uint64_t>& out) {
  const Word& word = sentence.words[i];
  shape_.read(word.form);
  out.clear();
  const std::uint64_t upos = hash_of(word.upos), xpos = hash_of(word.xpos);
  const std::uint64_t looks = shape_.flags() * 4u + (i == 0 ? 2u : 0u) + (shouting ? 1u : 0u);
  std::uint64_t number = 0;
  const auto add = [&](auto... values) {
    std::uint64_t h = ++number;
    ((h = mix(h, values)), ...);
    out.push_back(spread(h));
  };
  add(upos), add(upos, xpos), add(upos, looks), add(upos, xpos, looks);
  add(upos, hash_of(shape_.shape())), add(upos, hash_of(shape_.lower()));
  add(static_cast<std::uint64_t>(std::min(shape_.length(), 8)), xpos);
  for (int n = 1; n <= 6; ++n) {
    const std::uint64_t suffix = mix(hash_of(shape_.suffix(n)), n <= shape_.length() ? 1u : 0u);
    add(suffix, upos), add(suffix, upos, xpos);
    if (n <= 3) add(suffix, upos, looks);
  }
  for (int n = 1; n <= 4; ++n) add(hash_of(shape_.prefix(n)), upos);
  add(hash_of(shape_.prefix(2)), hash_of(shape_.suffix(3)), xpos);
}

void find_candidates(const LemmaModel& model, const std::string& upos, const CasedForm& form,
                     std::vector<std::uint32_t>& out) {
  constexpr std::size_t kMost = 24;
  out.clear();
  for (std::uint32_t s : model.scripts_of(upos)) {
    if (out.size() == kMost) return;
    if (applies(model.scripts[s], form)) out.push_back(s);
  }
}

void Lemmatizer::set_lemma(Sentence& sentence, int i, bool shouting, LemmaScratch& s) const {
  Word& word = sentence.words[i];
  s.form.read(word.form);
  for (std::uint64_t key : {known_key_with_xpos(word), known_key(word)}) {
    const KnownLemma* known = model_.known.find(key);
    if (known && apply(model_.scripts[known->script], s.form, word.lemma)) return;
  }
  find_candidates(model_, word.upos, s.form, s.candidates);
  if (s.candidates.empty()) {
    word.lemma = word.form;
    return;
  }
  int best = 0;
  if (s.candidates.size() > 1) {
    s.word.read(sentence, i, shouting, s.features);
    best = choose<RowView, std::uint32_t>(model_.rows, s.features, s.candidates, s.scores);
  }
  apply(model_.scripts[s.candidates[best]], s.form, word.lemma);
}

void Lemmatizer::annotate(Sentence& sentence, Scratch& scratch) const {
  auto& s = static_cast<LemmaScratch&>(scratch);
  const bool shouting = s.word.is_shouting(sentence);
  for (int i = 0; i < sentence.size(); ++i) {
    set_lemma(sentence, i, shouting, s);
  }
}

}  // namespace entente::lemmas
