#include "tasks/frames/features.h"

#include <algorithm>
#include <cstdlib>

#include "learn/hash.h"

namespace entente::frames {

namespace {

const std::uint32_t kSubject = text_hash("nsubj"), kPassive = text_hash("nsubj:pass"),
                    kObject = text_hash("obj"), kIndirect = text_hash("iobj"),
                    kCcomp = text_hash("ccomp"), kXcomp = text_hash("xcomp"),
                    kOblique = text_hash("obl"), kCase = text_hash("case"),
                    kMark = text_hash("mark"), kNmod = text_hash("nmod"),
                    kAcl = text_hash("acl:relcl"), kAuxPass = text_hash("aux:pass"),
                    kCop = text_hash("cop");

constexpr std::uint64_t kNone = 0x51ed270b;
constexpr std::size_t kHighest = 30;  // words above the target that a path may lead over

int bucket(int n) { return n <= 4 ? n : n <= 6 ? 5 : n <= 9 ? 6 : n <= 14 ? 7 : n <= 24 ? 8 : 9; }

class Adder {
 public:
  explicit Adder(FeatureList& out) : out_(out) {}
  template <typename... Values>
  void operator()(int kind, Values... values) {
    std::uint64_t h = 0x2545f4914f6cdd1dULL * static_cast<std::uint64_t>(kind + 1);
    ((h = mix(h, static_cast<std::uint64_t>(values))), ...);
    out_.push_back(spread(h));
  }

 private:
  FeatureList& out_;
};

}  // namespace

std::uint32_t unit_key(std::string_view lexical_unit) { return text_hash(lexical_unit); }

void FeatureMaker::start(const Atoms& atoms, std::span<const int> target,
                         std::uint32_t target_key) {
  atoms_ = &atoms;
  target_ = target;
  word_ = atoms.head_of(target);
  const WordFact& t = atoms[word_];
  unit_ = target_key;
  lemma_ = t.lemma;
  pos_ = static_cast<std::uint64_t>(t.pos);
  voice_ = 0;
  pattern_ = 1;
  for (int c : atoms.children(word_)) {
    const std::uint32_t r = atoms[c].deprel;
    if (r == kPassive || r == kAuxPass) voice_ = 1;
    if (r == kSubject || r == kPassive || r == kObject || r == kIndirect || r == kCcomp ||
        r == kXcomp || r == kOblique || r == kNmod || r == kAcl || r == kCop) {
      pattern_ = mix(pattern_, r * 2 + (c > word_));
    }
  }
  kinds_.clear();
  if (meanings_ != nullptr && !meanings_->empty()) {
    for (int i = 0; i < atoms.size(); ++i) kinds_.push_back(kind_of(i));
  }
  up_.clear();
  for (int i = word_; i >= 0 && up_.size() <= kHighest; i = atoms[i].head) {
    up_.push_back(static_cast<std::int16_t>(i));
  }
}

// Names and pronouns are topics of their own: WordNet knows few of them.
FeatureMaker::Kind FeatureMaker::kind_of(int word) const {
  const WordFact& w = (*atoms_)[word];
  const WordMeaning form = meanings_->find(w.form);
  const WordMeaning lemma = w.lemma == w.form ? form : meanings_->find(w.lemma);
  Kind kind;
  kind.fine = form.fine;
  kind.middle = form.middle;
  const bool verb = w.pos == Pos::verb || w.pos == Pos::aux;
  const auto& files = verb ? lemma.verbs : lemma.nouns;
  kind.topic = files[0];
  kind.other = files[1];
  const std::uint64_t pos = static_cast<std::uint64_t>(w.pos);
  if (w.pos == Pos::pron) kind.topic = w.lemma;
  if (w.pos == Pos::propn || w.pos == Pos::num || w.pos == Pos::adj || w.pos == Pos::adv) {
    kind.topic = 100 + pos * 64 + kind.topic;
  }
  return kind;
}

FeatureMaker::Path FeatureMaker::path_to(int word) const {
  const Atoms& a = *atoms_;
  // climb from the word until the target's own way up is met
  Path path;
  std::uint64_t relations = 7, tags = 7;
  int i = word, down = 0;
  const auto meets = [&](int w) {
    for (std::size_t k = 0; k < up_.size(); ++k) {
      if (up_[k] == w) return static_cast<int>(k);
    }
    return -1;
  };
  int meeting = meets(i);
  while (meeting < 0 && i >= 0 && down < 12) {
    relations = mix(relations, a[i].deprel);
    tags = mix(tags, static_cast<std::uint64_t>(a[i].pos));
    i = a[i].head;
    ++down;
    meeting = i >= 0 ? meets(i) : -1;
  }
  path.down = down;
  path.up = meeting < 0 ? 99 : meeting;
  relations = mix(relations, 1);
  tags = mix(tags, 1);
  for (int k = 0; k < std::min(path.up, static_cast<int>(up_.size())) && k < 8; ++k) {
    relations = mix(relations, a[up_[k]].deprel);
    if (k > 0) tags = mix(tags, static_cast<std::uint64_t>(a[up_[k]].pos));
  }
  path.relations = relations;
  path.tags = tags;
  return path;
}

void FeatureMaker::span_features(Span span, FeatureList& out) const {
  const Atoms& a = *atoms_;
  Adder add(out);
  const int head = a.head_of(span.begin, span.end - 1);
  const WordFact& h = a[head];
  const WordFact& first = a[span.begin];
  const WordFact& last = a[span.end - 1];
  const Path path = path_to(head);
  const int tf = target_.front(), tl = target_.back();
  // left of, right of, around, inside or equal to the target
  const int side = span.end <= tf                           ? 0
                   : span.begin > tl                        ? 1
                   : span.begin == tf && span.end == tl + 1 ? 2
                   : span.begin <= tf && span.end > tl      ? 3
                                                            : 4;
  const int gap = side == 0 ? tf - span.end : side == 1 ? span.begin - tl - 1 : 0;
  const int distance = bucket(gap), length = bucket(span.size());
  std::uint64_t preposition = kNone;
  for (int c : a.children(head)) {
    if ((a[c].deprel == kCase || a[c].deprel == kMark) && c >= span.begin && c < head) {
      preposition = a[c].lemma;
      break;
    }
  }
  const std::uint64_t hpos = static_cast<std::uint64_t>(h.pos);
  const std::uint64_t p = path.relations;
  add(0, side);
  add(1, p);
  add(2, p, voice_, pos_);
  add(3, p, unit_);
  add(4, p, preposition);
  add(5, p, h.lemma);
  add(6, path.tags, hpos);
  add(7, path.tags, hpos, preposition, side);
  add(8, h.lemma);
  add(9, h.lemma, preposition);
  add(10, h.tag, h.deprel, side);
  add(11, h.deprel, side, distance, pos_);
  add(12, side, distance, hpos);
  add(13, first.form);
  add(14, first.tag, last.tag);
  add(15, last.form);
  add(16, first.form, hpos, side);
  add(17, preposition, side, pos_);
  add(18, preposition, h.lemma, unit_);
  add(19, h.tag, unit_, side);
  add(20, preposition, unit_, side);
  add(21, path.up, path.down, side, pos_);
  add(22, length, hpos, side);
  add(23, length, h.deprel);
  add(24, p, length);
  add(25, pattern_, p);
  add(26, pattern_, h.deprel, side, pos_);
  add(27, side, distance, unit_);
  add(28, h.form, h.deprel);
  add(29, h.flags, hpos, h.tag);
  add(30, p, first.tag);
  add(31, p, first.form);
  if (span.size() > 1) {
    add(32, a[span.begin + 1].tag, first.form);
    add(33, a[span.begin + 1].lemma);
  }
  add(34, lemma_, h.lemma);
  add(35, unit_, first.form, side);
  context_features(span, head, out);
  if (!kinds_.empty()) meaning_features(span, head, p, preposition, side, out);
}

void FeatureMaker::meaning_features(Span span, int head, std::uint64_t path,
                                    std::uint64_t preposition, int side, FeatureList& out) const {
  Adder add(out);
  const Kind &h = kinds_[head], &t = kinds_[word_];
  add(100, h.middle);
  add(101, h.fine);
  add(102, path, h.middle);
  add(103, path, h.topic);
  add(104, unit_, h.topic, side);
  add(105, preposition, h.topic);
  add(106, unit_, preposition, h.topic);
  add(107, h.topic, side, pos_);
  add(108, h.topic, h.other);
  add(109, preposition, h.middle);
  add(110, unit_, h.middle);
  add(111, path, t.topic, pos_);
  add(112, t.middle, h.middle);
  add(113, path, t.topic, preposition);
  add(114, t.topic, h.topic, side);
  add(115, path, t.middle);
  const int n = static_cast<int>(kinds_.size());
  const std::uint64_t before = span.begin > 0 ? kinds_[span.begin - 1].middle : kNone;
  const std::uint64_t after = span.end < n ? kinds_[span.end].middle : kNone;
  add(116, before, kinds_[span.begin].middle);
  add(117, kinds_[span.end - 1].middle, after);
}

void FeatureMaker::context_features(Span span, int head, FeatureList& out) const {
  const Atoms& a = *atoms_;
  Adder add(out);
  const int n = a.size();
  const std::uint64_t before_tag = span.begin > 0 ? a[span.begin - 1].tag : kNone;
  const std::uint64_t before = span.begin > 0 ? a[span.begin - 1].form : kNone;
  const std::uint64_t after_tag = span.end < n ? a[span.end].tag : kNone;
  const std::uint64_t after = span.end < n ? a[span.end].form : kNone;
  add(40, before);
  add(41, after);
  add(42, before_tag, after_tag);
  add(43, before_tag, a[span.begin].tag);
  add(44, a[span.end - 1].tag, after_tag);
  add(45, before, a[span.begin].form);
  add(46, a[span.end - 1].form, after);
  // How whole the span is: words inside that hang outside (one is right), and dependents of words
  // inside that were left out.
  int loose = 0, cut_left = 0, cut_right = 0, verbs = 0, commas = 0;
  std::uint64_t left_relation = kNone, right_relation = kNone;
  for (int i = span.begin; i < span.end; ++i) {
    if (a[i].head < span.begin || a[i].head >= span.end) loose += !a.punctuation(i);
    verbs += a[i].pos == Pos::verb;
    commas += a.punctuation(i);
  }
  for (int c : a.children(head)) {
    if (a.punctuation(c)) continue;
    if (c < span.begin) {
      ++cut_left;
      left_relation = a[c].deprel;
    } else if (c >= span.end) {
      if (cut_right++ == 0) right_relation = a[c].deprel;
    }
  }
  const std::uint64_t cuts = static_cast<std::uint64_t>(
      std::min(loose, 4) * 100 + std::min(cut_left, 3) * 10 + std::min(cut_right, 3));
  add(50, cuts, static_cast<std::uint64_t>(a[head].pos));
  add(51, left_relation, right_relation);
  add(52, cuts, left_relation, right_relation, a[head].deprel);
  add(53, std::min(verbs, 3), std::min(commas, 3), bucket(span.size()));
  const bool has_target = span.begin <= word_ && word_ < span.end;
  add(54, has_target, cuts, pos_);
  // what stands between it and the target
  const int from = span.end <= word_ ? span.end : word_ + 1;
  const int to = span.end <= word_ ? word_ : span.begin;
  int between_verbs = 0, between_commas = 0, between_nouns = 0;
  for (int i = from; i < to; ++i) {
    between_verbs += a[i].pos == Pos::verb;
    between_commas += a.punctuation(i);
    between_nouns += a[i].pos == Pos::noun || a[i].pos == Pos::propn;
  }
  add(55, std::min(between_verbs, 3), std::min(between_commas, 3), span.end <= word_);
  add(56, std::min(between_nouns, 3), a[head].deprel, span.end <= word_);
}

void FeatureMaker::null_features(FeatureList& out) const {
  const Atoms& a = *atoms_;
  const WordFact& t = a[word_];
  Adder add(out);
  add(70);
  add(71, unit_);
  add(72, pos_);
  add(73, t.tag);
  add(74, t.deprel);
  add(75, pattern_);
  add(76, voice_, pos_);
  add(77, t.head >= 0 ? a[t.head].lemma : kNone, t.deprel);
  add(78, unit_, pattern_);
  add(79, bucket(a.size()));
  add(80, target_.size());
  for (int c : a.children(word_)) add(81, a[c].deprel, c > word_);
  for (int c : a.children(word_)) add(82, a[c].deprel, a[c].lemma);
  add(83, t.form);
  add(84, t.head >= 0 ? a[t.head].tag : kNone, pos_);
  if (!kinds_.empty()) {
    add(85, kinds_[word_].topic, pos_);
    add(86, kinds_[word_].middle);
    add(87, kinds_[word_].topic, pattern_);
  }
}

}  // namespace entente::frames
