#include "tasks/relations/features.h"

#include <algorithm>
#include <string>

#include "corpus/utf8.h"
#include "learn/hash.h"
#include "tasks/relations/feature_words.h"

namespace entente::relations {

std::uint64_t FeatureMaker::told(int slot, int label) { return join(id("told"), slot, label); }
std::uint64_t FeatureMaker::told(int slot, int label, int other) {
  return join(id("told2"), slot, label, other);
}

namespace {

// The corpus leaves the stop at the last word: "in Dallas. ;"
bool ends_sentence(const Passage& passage, int i) {
  const std::string& word = passage.words[i];
  if (word.size() < 3 || !word.ends_with('.')) return false;
  if (i + 1 == passage.size()) return true;
  const std::string& next = passage.words[i + 1];
  return next == ";" || next == "'" || next == "''" || next == "\"";
}

}  // namespace

void FeatureMaker::read(const Passage& passage) {
  passage_ = &passage;
  atoms_.clear();
  for (int i = 0; i < passage.size(); ++i) {
    std::string_view word = passage.words[i];
    if (ends_sentence(passage, i)) word.remove_suffix(1);
    shape_.read(word);
    Atom a;
    a.form = hash_of(word);
    a.lower = hash_of(shape_.lower());
    a.tag = hash_of(passage.tags[i]);
    a.shape = hash_of(shape_.shape());
    a.suffix2 = hash_of(shape_.suffix(2));
    a.suffix3 = hash_of(shape_.suffix(3));
    a.suffix4 = hash_of(shape_.suffix(4));
    a.prefix3 = hash_of(shape_.prefix(3));
    a.prefix4 = hash_of(shape_.prefix(4));
    a.stem = hash_of(shape_.prefix(5));
    a.gazetteer = gazetteer_.find(shape_.lower());
    a.flags = shape_.flags();
    a.classes = classes_of(shape_.lower(), passage.tags[i]);
    atoms_.push_back(a);
  }
  const auto edge = [](std::uint64_t n) { return Atom{n, n, n, n, n, n, n, n, n, n, 0, 0}; };
  before_ = edge(1);
  after_ = edge(2);
  phrases_.clear();
  mention_at_.assign(passage.words.size(), -1);
  for (int m = 0; m < passage.mention_count(); ++m) {
    phrases_.push_back(phrase(passage.mentions[m]));
    for (int i = passage.mentions[m].begin; i < passage.mentions[m].end; ++i) mention_at_[i] = m;
  }
}

std::span<const std::uint32_t> FeatureMaker::classes_of(std::string_view lower,
                                                        std::string_view tag) const {
  if (tag.starts_with("VB")) return gazetteer_.classes().find(lower, WordClasses::kVerb);
  if (!tag.starts_with("NN") || tag.starts_with("NNP")) return {};
  return gazetteer_.classes().find(lower, WordClasses::kNoun);
}

FeatureMaker::Phrase FeatureMaker::phrase(const Mention& m) const {
  Phrase p{};
  std::string text;
  p.shape = id("shape");
  p.tags = id("tags");
  for (int i = m.begin; i < m.end; ++i) {
    const Atom& a = atoms_[i];
    p.shape = mix(p.shape, a.shape);
    p.tags = mix(p.tags, a.tag);
    p.any |= a.gazetteer;
    text += (i > m.begin ? " " : "") + unicode::to_lower(passage_->words[i]);
  }
  while (text.size() > 3 && text.ends_with('.')) text.pop_back();
  p.gazetteer = gazetteer_.find(text);
  if (p.gazetteer == 0 && text.starts_with("the ")) p.gazetteer = gazetteer_.find(text.substr(4));
  p.lower = hash_of(text);
  p.last = atoms_[m.end - 1].gazetteer;
  p.first = atoms_[m.begin].gazetteer;
  const unsigned names = Gazetteer::kGiven | Gazetteer::kFamily;
  const int length = std::min(m.end - m.begin, 4);
  p.guess = join(id("guess"), length, p.gazetteer & ~(Gazetteer::kRole | Gazetteer::kWorks),
                 (p.first & names) != 0, (p.last & names) != 0, atoms_[m.end - 1].flags & 7);
  return p;
}

void FeatureMaker::inside(const Mention& m, Features& out) const {
  const Phrase p = phrase(m);
  const int length = m.end - m.begin;
  add(out, id("phrase"), p.lower);
  add(out, id("phrase shape"), p.shape);
  add(out, id("phrase tags"), p.tags);
  add(out, id("length"), std::min(length, 6));
  add_bits(out, id("phrase list"), p.gazetteer);
  add_bits(out, id("first list"), p.first);
  add_bits(out, id("last list"), p.last);
  add(out, id("lists"), p.first, p.last, std::min(length, 4));
  for (int i = m.begin; i < m.end; ++i) {
    const Atom& a = atoms_[i];
    add(out, id("word"), a.lower);
    add(out, id("form"), a.form);
    add(out, id("tag"), a.tag);
    add(out, id("shape"), a.shape);
    add(out, id("suffix3"), a.suffix3);
    add(out, id("suffix4"), a.suffix4);
    add(out, id("prefix3"), a.prefix3);
    add(out, id("prefix4"), a.prefix4);
    if (a.gazetteer) add_bits(out, id("any list"), a.gazetteer);
    if (i > m.begin) add(out, id("bigram"), atoms_[i - 1].lower, a.lower);
  }
  const Atom &first = atoms_[m.begin], &last = atoms_[m.end - 1];
  add(out, id("first"), first.lower);
  add(out, id("last"), last.lower);
  add(out, id("last suffix2"), last.suffix2);
  add(out, id("last suffix3"), last.suffix3);
  add(out, id("last suffix4"), last.suffix4);
  add(out, id("first prefix"), first.prefix3);
  add(out, id("first shape"), first.shape, length == 1);
  add(out, id("last shape"), last.shape, length == 1);
  add(out, id("last length"), last.lower, length == 1);
}

void FeatureMaker::context(const Mention& m, Features& out) const {
  for (int d = 1; d <= 4; ++d) {
    const Atom &l = atom(m.begin - d), &r = atom(m.end + d - 1);
    add(out, id("left"), d, l.lower);
    add(out, id("right"), d, r.lower);
    add(out, id("left tag"), d, l.tag);
    add(out, id("right tag"), d, r.tag);
    add(out, id("left bag"), l.lower);
    add(out, id("right bag"), r.lower);
    if (l.gazetteer) add_bits(out, join(id("left list"), std::min(d, 2)), l.gazetteer);
    if (r.gazetteer) add_bits(out, join(id("right list"), std::min(d, 2)), r.gazetteer);
  }
  const Atom &l1 = atom(m.begin - 1), &l2 = atom(m.begin - 2), &l3 = atom(m.begin - 3);
  const Atom &r1 = atom(m.end), &r2 = atom(m.end + 1), &r3 = atom(m.end + 2);
  add(out, id("l2l1"), l2.lower, l1.lower);
  add(out, id("r1r2"), r1.lower, r2.lower);
  add(out, id("l2l1 tags"), l2.tag, l1.tag);
  add(out, id("r1r2 tags"), r1.tag, r2.tag);
  add(out, id("l1r1"), l1.lower, r1.lower);
  add(out, id("l1r1 tags"), l1.tag, r1.tag);
  add(out, id("l2tl1"), l2.tag, l1.lower);
  add(out, id("l2l1t"), l2.lower, l1.tag);
  add(out, id("r1r2t"), r1.lower, r2.tag);
  add(out, id("r1tr2"), r1.tag, r2.lower);
  add(out, id("l321"), l3.tag, l2.tag, l1.lower);
  add(out, id("r123"), r1.lower, r2.tag, r3.tag);
  add(out, id("r123w"), r1.lower, r2.lower, r3.lower);
  add(out, id("l321w"), l3.lower, l2.lower, l1.lower);
  add(out, id("l stem"), l1.stem);
  add(out, id("r stem"), r1.stem);
  const bool single = m.end - m.begin == 1;
  add(out, id("l1 shape"), l1.lower, atoms_[m.end - 1].shape, single);
  add(out, id("r1 shape"), r1.lower, atoms_[m.end - 1].shape, single);
  add(out, id("r1r2 list"), r1.lower, r2.gazetteer);
}

// The words [from, to) as one number.
std::uint64_t FeatureMaker::words_between(int from, int to) const {
  std::uint64_t words = id("words");
  for (int i = from; i < to; ++i) words = mix(words, atoms_[i].lower);
  return words;
}

void FeatureMaker::neighbours(const Mention& m, Features& out) const {
  int before = -1, after = -1;
  for (int k = 0; k < passage_->mention_count(); ++k) {
    if (passage_->mentions[k].end <= m.begin) before = k;
    if (after < 0 && passage_->mentions[k].begin >= m.end) after = k;
  }
  const auto add_side = [&](std::uint64_t side, const Phrase& other, int from, int to) {
    add(out, id("gap"), side, bucket(to - from));
    if (to - from > 3) return;
    const std::uint64_t words = words_between(from, to);
    add(out, id("side words"), side, words);
    add(out, id("side words guess"), side, words, other.guess);
    add(out, id("side words list"), side, words, other.gazetteer);
    add(out, id("side words phrase"), side, words, other.lower);
  };
  if (before >= 0) {
    add_side(id("before"), phrases_[before], passage_->mentions[before].end, m.begin);
  } else {
    add(out, id("no before"));
  }
  if (after >= 0) {
    add_side(id("after"), phrases_[after], m.end, passage_->mentions[after].begin);
  } else {
    add(out, id("no after"));
  }
}

void FeatureMaker::mention(const Mention& m, Features& out) {
  out.clear();
  add(out, id("bias"));
  inside(m, out);
  context(m, out);
  neighbours(m, out);
}

}  // namespace entente::relations
