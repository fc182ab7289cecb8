#include "tasks/tagging/feats.h"

#include <algorithm>

#include "learn/hash.h"

namespace entente::tagging {

void FeatsList::write(ModelWriter& writer) const {
  writer.add_strings("tags/feats/names", names);
  writer.add<std::uint32_t>("tags/feats/first_of", first_of);
  writer.add<Label>("tags/feats/choices", choices);
}

FeatsList FeatsList::read(const ModelFile& file, std::size_t labels) {
  FeatsList out;
  out.names = file.strings("tags/feats/names");
  const std::span<const std::uint32_t> first = file.array<std::uint32_t>("tags/feats/first_of");
  const std::span<const Label> choices = file.array<Label>("tags/feats/choices");
  out.first_of.assign(first.begin(), first.end());
  out.choices.assign(choices.begin(), choices.end());
  bool good = first.size() == labels + 1 && first.front() == 0 && first.back() == choices.size();
  for (std::size_t l = 0; good && l < labels; ++l) good = first[l] < first[l + 1];
  for (Label c : choices) good = good && c < out.names.size();
  if (!good) file.fail("sections \"tags/feats/...\" are damaged");
  return out;
}

void FeatsReader::begin(const Sentence& sentence, const Tags& tags, std::span<const Label> labels) {
  sentence_ = &sentence;
  tags_ = &tags;
  labels_ = labels;
  noun_ = noun_before_ = -1;
  chosen_.assign(labels.size(), 0);
  facts_.assign(labels.size() + 2 * kAround, {1, 0});
  for (int i = 0; i < sentence.size(); ++i) {
    shape_.read(sentence.words[i].form);
    facts_[i + kAround] = {hash_of(shape_.lower()), labels[i] + 1u};
  }
}

void FeatsReader::set(int i, Label feats) {
  chosen_[i] = feats;
  const std::string& upos = tags_->upos[tags_->labels[labels_[i]].upos];
  if (upos == "NOUN" || upos == "PROPN" || upos == "PRON") {
    noun_before_ = noun_;
    noun_ = i;
  }
}

void FeatsReader::features(int i, std::vector<std::uint64_t>& out) {
  const Facts &w = at(i), &l1 = at(i - 1), &l2 = at(i - 2), &r1 = at(i + 1), &r2 = at(i + 2);
  shape_.read(sentence_->words[i].form);
  out.clear();
  std::uint64_t number = 5000;
  const auto add = [&](auto... values) {
    std::uint64_t h = mix(++number, w.label);
    ((h = mix(h, values)), ...);
    out.push_back(spread(h));
  };
  const auto chosen = [&](int k) { return k < 0 ? std::uint64_t{0} : chosen_[k] + 1u; };
  const auto distance = [&](int k) { return static_cast<std::uint64_t>(std::min(i - k, 6)); };
  add(), add(w.lower), add(shape_.flags());
  for (int n = 1; n <= 4; ++n) add(hash_of(shape_.suffix(n)));
  add(hash_of(shape_.prefix(2)));
  add(l1.lower), add(r1.lower), add(l2.lower), add(r2.lower);
  add(l1.label), add(r1.label), add(l1.label, l2.label), add(r1.label, r2.label);
  add(l1.label, r1.label), add(w.lower, l1.label), add(w.lower, r1.label);
  add(w.lower, l1.lower), add(w.lower, r1.lower), add(hash_of(shape_.suffix(2)), l1.lower);
  add(chosen(i - 1)), add(chosen(i - 1), chosen(i - 2));
  add(chosen(noun_)), add(chosen(noun_), chosen(noun_before_));
  if (noun_ < 0) return;
  add(at(noun_).lower), add(at(noun_).label, distance(noun_)), add(w.lower, chosen(noun_));
  add(chosen(noun_), distance(noun_), l1.label), add(chosen(noun_), at(noun_ - 1).label);
  if (noun_before_ >= 0) add(at(noun_before_).lower, distance(noun_before_));
}

}  // namespace entente::tagging
