#include "tasks/entities/features.h"

#include <algorithm>

#include "learn/hash.h"

namespace entente::entities {

namespace {

using Features = std::vector<std::uint64_t>;

std::uint64_t feature(int number, std::uint64_t a) {
  return spread(mix(static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15ULL, a));
}
std::uint64_t feature(int number, std::uint64_t a, std::uint64_t b) {
  return spread(mix(mix(static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15ULL, a), b));
}
std::uint64_t feature(int number, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return spread(mix(mix(mix(static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15ULL, a), b), c));
}

// One number each template; offsets of a word in the window are added.
enum Template : int {
  kBias = 1,
  kForm = 10,
  kLower = 20,
  kTag = 30,
  kShape = 40,
  kLists = 50,
  kPhrase = 60,
  kSuffix = 70,
  kPrefix = 75,
  kLongShape = 80,
  kFlags = 81,
  kStart = 82,
  kAgain = 83,
  kTags = 90,
  kShapes = 95,
  kWords = 100,
  kMixed = 110,
  kNames = 120,
  kTrigger = 130,
  kFar = 150,
};

}  // namespace

void FeatureMaker::read(const Sentence& sentence) {
  const auto n = static_cast<std::size_t>(sentence.size());
  atoms_.resize(n);
  lower_.resize(n);
  before_ = {};
  after_ = {};
  before_.form = before_.lower = before_.tag = before_.shape = 1;
  after_.form = after_.lower = after_.tag = after_.shape = 2;
  int capitals = 0, letters = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Word& word = sentence.words[i];
    Atom& a = atoms_[i];
    a = {};
    shape_.read(word.form);
    lower_[i] = shape_.lower();
    a.form = hash_of(word.form);
    a.lower = hash_of(shape_.lower());
    a.tag = hash_of(word.xpos);
    a.coarse = hash_of(word.upos);
    a.shape = hash_of(shape_.shape());
    a.long_shape = hash_of(shape_.long_shape());
    for (int k = 0; k < 4; ++k) {
      a.suffix[k] = hash_of(shape_.suffix(k + 1));
      a.prefix[k] = hash_of(shape_.prefix(k + 1));
    }
    a.flags = shape_.flags();
    a.lists = gazetteer_.find(shape_.lower());
    if (shape_.length() > 1) {
      capitals += (shape_.flags() & WordShape::kAllUpper) != 0;
      letters += (shape_.flags() & (WordShape::kAllUpper | WordShape::kLower)) != 0;
    }
  }
  shouted_ = letters > 3 && 2 * capitals > letters;
  for (Atom& a : atoms_) {
    for (const Atom& other : atoms_) {
      if (&a == &other || a.lower != other.lower || a.form == other.form) continue;
      a.again |= other.flags & WordShape::kFirstUpper ? 1 : 2;
    }
  }
  read_phrases();
}

// The longest phrases of the lists, from the left; those of one word only where it is capitalised.
void FeatureMaker::read_phrases() {
  const int n = size();
  std::string phrase;
  for (int i = 0; i < n;) {
    int length = 0;
    unsigned bits = 0;
    phrase.clear();
    for (int k = 0; k < kLongestName && i + k < n; ++k) {
      if (k > 0) phrase += ' ';
      phrase += lower_[static_cast<std::size_t>(i + k)];
      if (k == 0 && !(at(i).flags & WordShape::kFirstUpper)) break;
      if (const unsigned found = gazetteer_.find(phrase); found != 0) {
        length = k + 1;
        bits = found;
      }
    }
    for (int k = 0; k < length; ++k) {
      Atom& a = atoms_[static_cast<std::size_t>(i + k)];
      a.phrase = bits;
      a.phrase_place = length == 1 ? 4 : k == 0 ? 1 : k + 1 == length ? 3 : 2;
    }
    i += std::max(length, 1);
  }
}

void FeatureMaker::word(int i, Features& out) const {
  out.clear();
  out.push_back(feature(kBias, shouted_));
  look_around(i, out);
  look_inside(i, out);
  ask_lists(i, out);
  ask_context(i, out);
}

void FeatureMaker::look_around(int i, Features& out) const {
  for (int d = -2; d <= 2; ++d) {
    const Atom& a = at(i + d);
    out.push_back(feature(kLower + d, a.lower));
    out.push_back(feature(kTag + d, a.tag));
    out.push_back(feature(kShape + d, a.shape, shouted_));
    if (d >= -1 && d <= 1) out.push_back(feature(kForm + d, a.form));
  }
  for (int d = 3; d <= 4; ++d) {
    out.push_back(feature(kFar, at(i + d).lower));
    out.push_back(feature(kFar + 1, at(i - d).lower));
  }
  const Atom &l2 = at(i - 2), &l = at(i - 1), &a = at(i), &r = at(i + 1), &r2 = at(i + 2);
  out.push_back(feature(kTags, l.tag, a.tag));
  out.push_back(feature(kTags + 1, a.tag, r.tag));
  out.push_back(feature(kTags + 2, l.tag, a.tag, r.tag));
  out.push_back(feature(kShapes, l.shape, a.shape));
  out.push_back(feature(kShapes + 1, a.shape, r.shape));
  out.push_back(feature(kShapes + 2, l.shape, a.shape, r.shape));
  out.push_back(feature(kWords, l.lower, a.lower));
  out.push_back(feature(kWords + 1, a.lower, r.lower));
  out.push_back(feature(kWords + 2, l2.lower, l.lower, a.shape));
  out.push_back(feature(kWords + 3, r.lower, r2.lower, a.shape));
  out.push_back(feature(kMixed, l.lower, a.shape));
  out.push_back(feature(kMixed + 1, r.lower, a.shape));
  out.push_back(feature(kMixed + 2, l.lower, a.shape, r.shape));
  out.push_back(feature(kMixed + 3, l.shape, a.shape, r.lower));
  out.push_back(feature(kMixed + 4, l2.lower, l.shape, a.shape));
  out.push_back(feature(kMixed + 5, r2.lower, r.shape, a.shape));
}

void FeatureMaker::look_inside(int i, Features& out) const {
  const Atom& a = at(i);
  for (int k = 0; k < 4; ++k) {
    out.push_back(feature(kSuffix + k, a.suffix[k]));
    out.push_back(feature(kPrefix + k, a.prefix[k]));
  }
  out.push_back(feature(kSuffix + 4, a.suffix[2], a.shape));
  out.push_back(feature(kLongShape, a.long_shape));
  out.push_back(feature(kFlags, a.flags, shouted_));
  out.push_back(feature(kStart, i == 0, a.shape));
  if (i == 0) out.push_back(feature(kStart, 2, a.lower));
  if (a.again != 0) out.push_back(feature(kAgain, a.again, a.shape));
}

void FeatureMaker::ask_lists(int i, Features& out) const {
  for (int d = -2; d <= 2; ++d) {
    const Atom& a = at(i + d);
    for (unsigned bit = 1; bit < 1u << names::Gazetteer::kBits; bit <<= 1) {
      if (a.lists & bit)
        out.push_back(feature(kLists + d, bit, (a.flags & WordShape::kFirstUpper) != 0));
      if (a.phrase & bit) {
        out.push_back(feature(kPhrase + d, bit, static_cast<std::uint64_t>(a.phrase_place)));
      }
    }
  }
  const Atom &l = at(i - 1), &a = at(i), &r = at(i + 1);
  out.push_back(feature(kNames, a.lists, a.shape));
  out.push_back(feature(kNames + 1, l.lists, a.lists, a.shape));
  out.push_back(feature(kNames + 2, a.lists, r.lists, a.shape));
  out.push_back(feature(kNames + 3, a.phrase, static_cast<std::uint64_t>(a.phrase_place), a.shape));
}

// Words that tell what a run of capitalised words is, however long it is: the first before and after
// it that is written small.
void FeatureMaker::ask_context(int i, Features& out) const {
  if (!(at(i).flags & WordShape::kFirstUpper)) return;
  int left = i, right = i;
  while (left > 0 && (at(left - 1).flags & WordShape::kFirstUpper)) --left;
  while (right + 1 < size() && (at(right + 1).flags & WordShape::kFirstUpper)) ++right;
  const Atom &before = at(left - 1), &after = at(right + 1), &last = at(right), &first = at(left);
  const auto place = static_cast<std::uint64_t>((i == left ? 1 : 0) + (i == right ? 2 : 0));
  out.push_back(feature(kTrigger, before.lower));
  out.push_back(feature(kTrigger + 1, after.lower));
  out.push_back(feature(kTrigger + 2, last.lower, place));
  out.push_back(feature(kTrigger + 3, first.lower, place));
  out.push_back(feature(kTrigger + 4, before.lower, after.lower));
  out.push_back(
      feature(kTrigger + 5, static_cast<std::uint64_t>(std::min(right - left, 4)), place));
  out.push_back(feature(kTrigger + 6, last.lists, place));
  out.push_back(feature(kTrigger + 7, first.lists, place));
  out.push_back(feature(kTrigger + 8, last.suffix[2], place));
  out.push_back(feature(kTrigger + 9, at(left - 2).lower, before.lower));
}

}  // namespace entente::entities
