#include "tasks/tagging/features.h"

#include <algorithm>

#include "learn/hash.h"

namespace entente::tagging {
namespace {

// Numbers the templates in the order they are called; one that does not apply must be skipped, so
// that those after it keep their numbers.
class Collector {
 public:
  explicit Collector(std::vector<std::uint64_t>& out) : out_(out) { out_.clear(); }

  template <typename... Values>
  void operator()(Values... values) {
    std::uint64_t h = ++template_;
    ((h = mix(h, values)), ...);
    out_.push_back(spread(h));
  }
  void skip() { ++template_; }

 private:
  std::vector<std::uint64_t>& out_;
  std::uint64_t template_ = 0;
};

constexpr std::uint64_t kPairs = 1000, kTriples = 2000;  // templates of tags

}  // namespace

SentenceFacts::Facts SentenceFacts::border(std::uint64_t value) {
  Facts f{};
  f.form = f.lower = f.shape = f.long_shape = f.ambiguity = f.best = f.suffix2 = f.suffix3 = value;
  return f;
}

void SentenceFacts::read_word(const std::string& form, const Lexicon& lexicon,
                              const WordClasses& classes, Facts& f) {
  shape_.read(form);
  const WordKeys keys = word_keys(shape_, form);
  f.form = keys.form;
  f.lower = keys.lower;
  f.shape = hash_of(shape_.shape());
  f.long_shape = hash_of(shape_.long_shape());
  f.flags = shape_.flags();
  f.length = shape_.length();
  for (int n = 1; n <= kPrefixes; ++n) {
    f.prefixes[n - 1] = n <= f.length ? hash_of(shape_.prefix(n)) : 0;
  }
  for (int n = 1; n <= kSuffixes; ++n) {
    f.suffixes[n - 1] = n <= f.length ? hash_of(shape_.suffix(n)) : 0;
  }
  f.suffix2 = hash_of(shape_.suffix(2));
  f.suffix3 = hash_of(shape_.suffix(3));
  const Lexicon::Ambiguity known = lexicon.ambiguity(keys);
  f.known = known.known == Known::form || known.known == Known::lower;
  f.best = known.labels.empty() ? 0 : known.labels.front() + 1u;
  f.ambiguity = static_cast<std::uint64_t>(known.known) + 1;
  for (Label l : known.labels) f.ambiguity = mix(f.ambiguity, l + 1u);
  const WordClass c = classes.find(classes_ ? word_class_key(shape_.lower()) : 0);
  f.fine = c.fine;
  f.middle = c.middle;
  f.coarse = c.coarse;
  f.tags = c.tags;
  f.lists = c.lists;
  lexicon.candidates(keys, candidates_);
  lattice_.add(candidates_);
}

void SentenceFacts::read(const Sentence& sentence, const Lexicon& lexicon,
                         const WordClasses& classes) {
  classes_ = !classes.empty();
  size_ = sentence.size();
  facts_.resize(static_cast<std::size_t>(size_ + 2 * kAround));
  std::fill_n(facts_.begin(), kAround, border(11));
  std::fill_n(facts_.end() - kAround, kAround, border(22));
  lattice_.begin();
  unsigned flags = 0;
  for (int i = 0; i < size_; ++i) {
    read_word(sentence.words[i].form, lexicon, classes, facts_[i + kAround]);
    flags |= at(i).flags;
  }
  shouting_ = flags & WordShape::kAllUpper && !(flags & WordShape::kLower);
  find_style();
}

// A capital tells a name in a sentence written with few of them, not in a headline.
void SentenceFacts::find_style() {
  constexpr unsigned kWord = WordShape::kFirstUpper | WordShape::kAllUpper | WordShape::kLower;
  int words = 0, capitals = 0;
  for (int i = 0; i < size_; ++i) {
    Facts& f = facts_[i + kAround];
    f.opens = i == 0 || !(at(i - 1).flags & (kWord | WordShape::kDigit));
    if (f.opens || !(f.flags & kWord) || f.length < 3) continue;
    ++words;
    capitals += (f.flags & WordShape::kFirstUpper) != 0;
  }
  style_ = capitals * 8 <= words       ? 0
           : capitals * 5 <= words * 2 ? 1
           : capitals * 4 < words * 3  ? 2
                                       : 3;
}

void SentenceFacts::require(std::span<const Label> labels) {
  required_.begin();
  for (int i = 0; i < size_; ++i) {
    const std::span<const Label> old = lattice_.at(i);
    candidates_.assign(old.begin(), old.end());
    if (std::find(old.begin(), old.end(), labels[i]) == old.end()) candidates_.push_back(labels[i]);
    required_.add(candidates_);
  }
  std::swap(lattice_, required_);
}

void SentenceFacts::word_features(int i, std::vector<std::uint64_t>& out, bool nameless) const {
  const Facts &w = at(i), &l1 = at(i - 1), &l2 = at(i - 2), &r1 = at(i + 1), &r2 = at(i + 2);
  const std::uint64_t place = (i == 0 ? 2u : 0u) + (shouting_ ? 1u : 0u);
  const std::uint64_t looks = w.flags * 4u + place;
  Collector add(out);
  const auto own = [&](auto... values) { nameless ? add.skip() : add(values...); };
  add();
  own(w.form), own(w.lower), own(w.lower, looks);
  for (std::uint64_t s : w.suffixes) s ? add(s) : add.skip();
  for (std::uint64_t p : w.prefixes) p ? add(p) : add.skip();
  for (int n = 2; n <= 4; ++n) w.suffixes[n - 1] ? add(w.suffixes[n - 1], looks) : add.skip();
  add(w.shape, place), add(w.long_shape), add(looks);
  add(static_cast<std::uint64_t>(std::min(w.length, 12)));
  // the words around
  add(at(i - 3).lower), add(l2.lower), add(l1.lower);
  add(r1.lower), add(r2.lower), add(at(i + 3).lower);
  add(l1.form), add(r1.form);
  own(l1.lower, w.lower), own(w.lower, r1.lower), add(l1.lower, r1.lower);
  add(l2.lower, l1.lower), add(r1.lower, r2.lower), own(l1.lower, w.lower, r1.lower);
  add(w.suffix3, l1.lower), add(w.suffix3, r1.lower), add(l1.suffix3), add(r1.suffix3);
  add(l1.suffix2, w.suffix2), add(w.suffix2, r1.suffix2);
  add(w.shape, l1.shape), add(w.shape, r1.shape), add(l1.shape, w.shape, r1.shape);
  // what the lexicon says
  add(w.ambiguity), add(l1.ambiguity), add(r1.ambiguity), add(l2.ambiguity), add(r2.ambiguity);
  add(l1.ambiguity, w.ambiguity), add(w.ambiguity, r1.ambiguity);
  add(l1.ambiguity, w.ambiguity, r1.ambiguity), add(l1.ambiguity, r1.ambiguity);
  add(r1.ambiguity, r2.ambiguity), add(l2.ambiguity, l1.ambiguity);
  own(w.lower, r1.ambiguity), own(w.lower, l1.ambiguity);
  own(w.lower, l1.ambiguity, r1.ambiguity), add(w.ambiguity, r1.lower), add(w.ambiguity, l1.lower);
  own(w.lower, r1.ambiguity, r2.ambiguity), add(w.ambiguity, r1.ambiguity, r2.ambiguity);
  own(w.lower, l1.ambiguity, l2.ambiguity), add(w.ambiguity, looks);
  add(w.suffix3, r1.best), add(w.suffix3, l1.best), add(w.suffix3, l1.best, r1.best);
  // how capitals are used here
  const std::uint64_t setting =
      w.flags * 16u + style_ * 4u + (w.opens ? 2u : 0u) + (i == 0 ? 1u : 0u);
  add(setting), add(setting, w.suffix2), add(setting, w.suffix3), add(setting, w.ambiguity);
  own(setting, w.lower), add(w.flags, l1.flags, r1.flags, style_), add(setting, l1.lower);
  add(w.flags, l1.flags, l1.ambiguity, style_), add(w.flags, r1.flags, r1.ambiguity, style_);
  if (!classes_) return;
  // what raw text says
  const std::uint64_t sure = w.tags & 0xFFF;  // without how sure it is
  add(setting, sure), add(setting, w.tags & 15), add(setting, w.middle), add(setting, w.fine);
  add(w.flags, l1.flags, r1.flags, w.tags & 15), add(setting, sure, l1.flags),
      add(setting, sure, r1.flags);
  add(w.flags, l1.flags, sure, l1.tags & 15), add(w.flags, r1.flags, sure, r1.tags & 15);
  add(w.fine), add(w.middle), add(w.coarse, looks), add(w.fine, looks);
  add(w.tags), add(w.tags, looks), add(sure, w.suffix2), add(sure, w.suffix3),
      add(w.tags & 15, looks);
  add(sure, w.middle), add(w.ambiguity, sure), add(w.ambiguity, w.fine);
  add(l1.fine), add(r1.fine), add(l2.fine), add(r2.fine);
  add(l1.middle, w.middle), add(w.middle, r1.middle), add(l1.middle, w.middle, r1.middle);
  add(l1.fine, w.fine), add(w.fine, r1.fine), add(l1.fine, r1.fine);
  add(l2.middle, l1.middle), add(r1.middle, r2.middle);
  add(l1.tags), add(r1.tags), add(l1.tags, sure), add(sure, r1.tags);
  add(l1.tags, r1.tags), add(l1.tags & 0xFFF, sure, r1.tags & 0xFFF);
  own(w.lower, l1.middle), own(w.lower, r1.middle), add(w.suffix3, l1.middle);
  add(w.suffix3, r1.middle), own(w.lower, l1.coarse, r1.coarse), add(sure, l1.lower);
  add(sure, r1.lower), add(r1.tags, r2.tags), add(sure, r1.tags & 0xFFF, r2.tags & 0xFFF);
  // what dictionaries say
  const std::uint64_t d = w.lists;
  add(d), add(d, looks), add(setting, d), add(d, w.suffix2), add(d, w.suffix3), add(d, w.ambiguity);
  add(d, sure), add(l1.lists, d), add(d, r1.lists), add(l1.lists, d, r1.lists);
  add(d, l1.ambiguity), add(d, r1.ambiguity), add(d, l1.lower), add(d, r1.lower);
  add(l1.lists), add(r1.lists);
}

std::uint64_t SentenceFacts::pair_feature(int k, int i, Label before) const {
  const std::uint64_t h = mix(kPairs + k, before + 1u);
  switch (k) {
    case 0:
      return spread(h);
    case 1:
      return spread(mix(h, at(i).lower));
    case 2:
      return spread(mix(h, at(i - 1).lower));
    default:
      return spread(mix(h, at(i + 1).lower));
  }
}

std::uint64_t triple_feature(int k, const Tags& tags, Label two_before, Label before) {
  const std::uint64_t h = kTriples + static_cast<std::uint64_t>(k);
  switch (k) {
    case 0:
      return spread(mix(mix(h, two_before + 1u), before + 1u));
    case 1:
      return spread(mix(mix(h, tags.upos_of(two_before)), tags.upos_of(before)));
    default:
      return spread(mix(h, two_before + 1u));
  }
}

}  // namespace entente::tagging
