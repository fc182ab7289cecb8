#include "tasks/frames/atoms.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "learn/hash.h"

namespace entente::frames {

namespace {

constexpr std::array<std::string_view, 17> kPosNames = {
    "X",   "ADJ",  "ADP",  "ADV",   "AUX",   "CCONJ", "DET", "INTJ", "NOUN",
    "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB"};

Pos pos_of(std::string_view upos) {
  const auto* at = std::find(kPosNames.begin(), kPosNames.end(), upos);
  return at == kPosNames.end() ? Pos::kOther : static_cast<Pos>(at - kPosNames.begin());
}

std::uint32_t top(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

std::uint8_t shape_of(std::string_view form) {
  int capitals = 0, digits = 0, hyphens = 0;
  for (char c : form) {
    capitals += c >= 'A' && c <= 'Z';
    digits += c >= '0' && c <= '9';
    hyphens += c == '-';
  }
  const bool first = !form.empty() && form[0] >= 'A' && form[0] <= 'Z';
  return static_cast<std::uint8_t>((first ? 1 : 0) | (capitals > 1 ? 2 : 0) | (digits > 0 ? 4 : 0) |
                                   (hyphens > 0 ? 8 : 0));
}

}  // namespace

std::uint32_t atom_of(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return top(hash_of(lower));
}

std::uint32_t relation_atom(std::string_view text) { return top(hash_of(text)); }

void Atoms::read(std::span<const Word> words) {
  words_.resize(words.size());
  const auto lowered = [this](const std::string& text) {
    lower_ = text;
    for (char& c : lower_) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return top(hash_of(lower_));
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& w = words[i];
    WordAtom& a = words_[i];
    a.form = lowered(w.form);
    a.lemma = w.lemma == "_" ? a.form : lowered(w.lemma);
    a.tag = top(hash_of(w.xpos == "_" ? w.upos : w.xpos));
    a.relation = top(hash_of(w.deprel));
    a.head = static_cast<std::int16_t>(w.head > 0 ? w.head - 1 : -1);
    a.pos = pos_of(w.upos);
    a.shape = shape_of(w.form);
  }
  build_tree();
}

void Atoms::read(std::span<const WordAtom> words) {
  words_.assign(words.begin(), words.end());
  build_tree();
}

void Atoms::build_tree() {
  const int n = size();
  low_.resize(n);
  high_.resize(n);
  depth_.assign(n, -1);
  first_child_.assign(n + 2, 0);
  children_.resize(n);
  for (int i = 0; i < n; ++i) ++first_child_[words_[i].head + 2];
  // first_child_[h + 1] is now where the children of h begin; those of the root (h = -1) come first
  for (int i = 1; i < n + 2; ++i)
    first_child_[i] = static_cast<std::int16_t>(first_child_[i] + first_child_[i - 1]);
  for (int i = 0; i < n; ++i)
    children_[first_child_[words_[i].head + 1]++] = static_cast<std::int16_t>(i);
  // each entry moved on to where the next one began: shift back, dropping the root
  order_.clear();
  const int roots = first_child_[0];
  for (int i = 0; i < roots; ++i) order_.push_back(children_[i]);
  for (int i = 0; i < n; ++i) low_[i] = high_[i] = static_cast<std::int16_t>(i);
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const int i = order_[k];
    depth_[i] = static_cast<std::int16_t>(words_[i].head < 0 ? 0 : depth_[words_[i].head] + 1);
    for (std::int16_t c : children(i)) order_.push_back(c);
  }
  for (std::size_t k = order_.size(); k-- > 0;) {
    const int i = order_[k], h = words_[i].head;
    if (h < 0) continue;
    low_[h] = std::min(low_[h], low_[i]);
    high_[h] = std::max(high_[h], high_[i]);
  }
}

int Atoms::head_of(int first, int last) const {
  int best = first;
  for (int i = first + 1; i <= last; ++i) {
    if (depth_[i] < depth_[best]) best = i;
  }
  return best;
}

int Atoms::head_of(std::span<const int> target) const {
  int best = target[0];
  for (int i : target) {
    if (depth_[i] < depth_[best]) best = i;
  }
  return best;
}

}  // namespace entente::frames
