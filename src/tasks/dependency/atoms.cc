#include "tasks/dependency/atoms.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "learn/hash.h"

namespace entente::dependency {
namespace {

constexpr std::array<std::string_view, 17> kUniversal = {
    "ADJ",  "ADP",  "ADV",   "AUX",   "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"};

// Other tag sets share what bits are left, by their hash.
std::uint8_t slot_of(std::string_view upos, std::uint64_t hash) {
  const auto* at = std::find(kUniversal.begin(), kUniversal.end(), upos);
  if (at != kUniversal.end()) return static_cast<std::uint8_t>(at - kUniversal.begin());
  return static_cast<std::uint8_t>(kUniversal.size() + hash % (64 - kUniversal.size()));
}

bool is_letter_or_more(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

std::uint64_t shape_of(std::string_view form) {
  std::uint64_t shape = 0;
  if (!form.empty() && form[0] >= 'A' && form[0] <= 'Z') shape |= 1;
  bool all_capitals = form.size() > 1;
  for (unsigned char c : form) {
    if (c >= '0' && c <= '9') {
      shape |= 2;
    } else if (!is_letter_or_more(c)) {
      shape |= c == '-' ? 4 : 8;
    }
    all_capitals &= c >= 'A' && c <= 'Z';
  }
  if (all_capitals) shape |= 16;
  if (form.size() == 1) shape |= 32;
  return spread(shape + 1);
}

// `count` characters from the start or the end, whole UTF-8 sequences.
std::string_view first_characters(std::string_view s, int count) {
  std::size_t end = 0;
  while (end < s.size() && count-- > 0) {
    ++end;
    while (end < s.size() && (static_cast<unsigned char>(s[end]) & 0xC0) == 0x80) ++end;
  }
  return s.substr(0, end);
}
std::string_view last_characters(std::string_view s, int count) {
  std::size_t begin = s.size();
  while (begin > 0 && count-- > 0) {
    --begin;
    while (begin > 0 && (static_cast<unsigned char>(s[begin]) & 0xC0) == 0x80) --begin;
  }
  return s.substr(begin);
}

bool is_content(std::string_view upos) {
  return upos == "NOUN" || upos == "PROPN" || upos == "VERB" || upos == "ADJ" || upos == "NUM" ||
         upos == "X" || upos == "_";
}

enum class Mark { none, open, close, either };
// An opening sign and what closes it share a kind.
Mark bracket_of(std::string_view form, int& kind) {
  constexpr std::array<std::string_view, 5> kOpen = {"(", "[", "{", "«", "“"};
  constexpr std::array<std::string_view, 5> kClose = {")", "]", "}", "»", "”"};
  for (int i = 0; i < 5; ++i) {
    kind = i;
    if (form == kOpen[i]) return Mark::open;
    if (form == kClose[i]) return Mark::close;
  }
  kind = 4;
  if (form == "``") return Mark::open;
  if (form == "''") return Mark::close;
  kind = form == "'" ? 6 : 5;
  return form == "\"" || form == "'" ? Mark::either : Mark::none;
}

Atom atom_of(const Word& word, const WordClasses* classes, std::string& lower) {
  Atom a;
  lower.assign(word.form);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  a.form = hash_of(lower);
  a.lemma = word.lemma == "_" ? a.form : hash_of(word.lemma);
  a.upos = hash_of(word.upos);
  a.feats = word.feats == "_" ? 0 : hash_of(word.feats);
  a.tag = word.xpos == "_" ? mix(a.upos, a.feats) : hash_of(word.xpos);
  a.prefix = mix(3, hash_of(first_characters(lower, 3)));
  a.suffix = mix(4, hash_of(last_characters(lower, 3)));
  a.shape = shape_of(word.form);
  a.key = is_content(word.upos) ? a.tag : a.form;
  a.slot = slot_of(word.upos, a.upos);
  if (classes != nullptr) {
    const WordClass c = classes->find(word_class_key(lower));
    a.fine = c.fine;
    a.middle = c.middle;
    a.coarse = c.coarse;
  }
  return a;
}

Atom special(std::uint64_t name) {
  Atom a;
  a.form = a.lemma = a.upos = a.tag = a.prefix = a.suffix = a.shape = a.key = spread(name);
  return a;
}

}  // namespace

void Atoms::read(std::span<const Word> words) {
  words_ = static_cast<int>(words.size());
  atoms_.resize(words.size() + 2 * kPad + 1);
  sums_.resize(words.size() + 2);
  for (int i = 0; i < kPad; ++i) {
    atoms_[i] = special(0xA11CEull);
    atoms_[atoms_.size() - 1 - i] = special(0x0B0Bull);
  }
  atoms_[kPad] = special(0x4007ull);
  sums_[0] = sums_[1] = {};  // the root counts for nothing
  for (int i = 1; i <= words_; ++i) {
    const Word& word = words[i - 1];
    atoms_[i + kPad] = atom_of(word, classes_, lower_);
    Between sum = sums_[i];
    if (word.upos == "VERB" || word.upos == "AUX") ++sum.verbs;
    if (word.upos == "NOUN" || word.upos == "PROPN" || word.upos == "PRON") ++sum.nouns;
    if (word.upos == "PUNCT") ++sum.punctuation;
    if (word.form == ",") ++sum.commas;
    if (word.upos == "CCONJ") ++sum.conjunctions;
    sums_[i + 1] = sum;
  }
  match_brackets(words);
}

void Atoms::match_brackets(std::span<const Word> words) {
  partner_.assign(words.size() + 1, 0);
  enclosure_.assign(words.size() + 1, 0);
  open_stack_.clear();
  for (int i = 1; i <= words_; ++i) {
    int kind = 0;
    const Mark mark = bracket_of(words[i - 1].form, kind);
    if (mark == Mark::none) continue;
    bool closed = false;
    for (std::size_t k = mark == Mark::open ? 0 : open_stack_.size(); k-- > 0 && !closed;) {
      int other = 0;
      bracket_of(words[open_stack_[k] - 1].form, other);
      if (other != kind) continue;
      partner_[i] = open_stack_[k];
      partner_[open_stack_[k]] = i;
      open_stack_.resize(k);
      closed = true;
    }
    if (!closed && mark != Mark::close) open_stack_.push_back(i);
  }
  int open = 0;  // pairs are nested: what stays unmatched was dropped above
  for (int i = 1; i <= words_; ++i) {
    if (partner_[i] != 0 && partner_[i] < i) open = enclosure_[partner_[i]];
    enclosure_[i] = open;
    if (partner_[i] > i) open = i;
  }
}

Between Atoms::between(int a, int b) const {
  if (a > b) std::swap(a, b);
  const Between &lo = sums_[a + 1], &hi = sums_[b];
  return {.verbs = hi.verbs - lo.verbs,
          .punctuation = hi.punctuation - lo.punctuation,
          .commas = hi.commas - lo.commas,
          .conjunctions = hi.conjunctions - lo.conjunctions,
          .nouns = hi.nouns - lo.nouns};
}

std::uint64_t Atoms::slots_between(int a, int b) const {
  if (a > b) std::swap(a, b);
  std::uint64_t set = 0;
  for (int i = a + 1; i < b; ++i) set |= std::uint64_t{1} << (*this)[i].slot;
  return set;
}

}  // namespace entente::dependency
