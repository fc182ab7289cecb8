#include "tasks/constituency/features.h"

#include <algorithm>

#include "learn/hash.h"
#include "tasks/constituency/word_hashes.h"

namespace entente::constituency {

namespace {

int length_class(int length) {
  if (length <= 5) return length;
  if (length <= 8) return 6;
  if (length <= 12) return 7;
  if (length <= 20) return 8;
  return length <= 30 ? 9 : 10;
}

}  // namespace

void SpanContext::set(std::span<const std::string> words, std::span<const std::int32_t> tags,
                      const Lexicon& lexicon) {
  n_ = static_cast<int>(words.size());
  words_.assign(n_ + 2 * kPad, 3);
  tags_.assign(n_ + 2 * kPad, 5);
  classes_.assign(n_ + 2 * kPad, 7);
  has_classes_ = lexicon.has_classes();
  words_[0] = words_[1] = 1;
  for (auto* counts : {&verbs_, &commas_, &conjunctions_, &quotes_, &opens_, &closes_}) {
    counts->assign(1, 0);
  }
  for (int i = 0; i < n_; ++i) {
    const WordHashes h = WordHashes::of(words[i]);
    words_[i + kPad] = lexicon.known(words[i]) ? h.lower : mix(h.shape, h.suffix[2]);
    if (has_classes_) {
      const WordClass c = lexicon.word_class(words[i]);
      classes_[i + kPad] = c.fine != 0 ? spread(c.fine + 1000) : mix(h.shape, h.suffix[1]);
    }
    tags_[i + kPad] = spread(static_cast<std::uint64_t>(tags[i]) + 100);
    const std::string& t = lexicon.tag(tags[i]);
    const auto count = [&](std::vector<std::int32_t>& counts, bool yes) {
      counts.push_back(counts.back() + (yes ? 1 : 0));
    };
    count(verbs_, t.starts_with("VB") || t == "MD");
    count(commas_, t == ",");
    count(conjunctions_, t == "CC");
    count(quotes_, t == "``" || t == "''");
    count(opens_, t == "-LRB-");
    count(closes_, t == "-RRB-");
  }
}

void SpanContext::span_features(int i, int j, std::vector<std::uint64_t>& out) const {
  const int last = j - 1, length = length_class(j - i);
  std::uint64_t name = 1;
  const auto add = [&](std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0,
                       std::uint64_t d = 0) {
    out.push_back(mix(mix(mix(mix(spread(name++), a), b), c), d));
  };
  add(0);
  add(word(i)), add(word(last)), add(word(i - 1)), add(word(j));
  add(tag(i)), add(tag(last)), add(tag(i - 1)), add(tag(j));
  add(tag(i), tag(last)), add(tag(i - 1), tag(j)), add(tag(i - 1), tag(i)), add(tag(last), tag(j));
  add(tag(i - 1), tag(i), tag(last), tag(j));
  add(tag(i - 1), tag(i), tag(j)), add(tag(i - 1), tag(last), tag(j));
  add(word(i), tag(last)), add(tag(i), word(last)), add(word(i), word(last));
  add(word(i - 1), tag(i)), add(tag(last), word(j)), add(word(i - 1), tag(j));
  add(tag(i - 1), word(i)), add(word(last), tag(j)), add(tag(i - 1), word(j));
  add(word(i - 1), word(i)), add(word(last), word(j));
  add(tag(i - 2), tag(i - 1), tag(i)), add(tag(last), tag(j), tag(j + 1));
  add(tag(i), tag(i + 1), length), add(tag(last - 1), tag(last), length);
  add(length), add(length, tag(i)), add(length, word(i)), add(length, tag(j), tag(i - 1));
  std::uint64_t shape = 0;
  for (int k = i; k < std::min(j, i + 6); ++k) shape = mix(shape + 1, tag(k));
  add(shape, length), add(shape, length, tag(j));
  std::uint64_t text = 0;
  for (int k = i; k < std::min(j, i + 4); ++k) text = mix(text + 1, word(k));
  add(j - i <= 4 ? text : 0);
  const auto within = [&](const std::vector<std::int32_t>& counts) {
    return counts[j] - counts[i];
  };
  const int balance = within(opens_) - within(closes_);
  const int verbs = std::min(within(verbs_), 3), commas = std::min(within(commas_), 2);
  add(verbs, commas, std::min(within(conjunctions_), 2));
  add(balance + 10, within(quotes_) % 2);
  add(verbs, tag(i), tag(i - 1)), add(verbs, tag(j), tag(last));
  add((i == 0 ? 1 : 0) + (j == n_ ? 2 : 0) + (j == n_ - 1 ? 4 : 0), verbs);
  if (!has_classes_) return;
  const auto cls = [&](int k) { return word_class(k); };
  add(cls(i)), add(cls(last)), add(cls(i - 1)), add(cls(j));
  add(cls(i), cls(last)), add(cls(i - 1), cls(j)), add(cls(i - 1), cls(i)), add(cls(last), cls(j));
  add(cls(i), tag(j)), add(tag(i - 1), cls(last)), add(cls(i - 1), tag(i), tag(last));
  add(length, cls(i)), add(length, cls(last)), add(tag(i - 1), word(i), tag(j));
}

void SpanContext::split_features(int i, int k, int j, std::vector<std::uint64_t>& out) const {
  std::uint64_t name = 101;
  const auto add = [&](std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
    out.push_back(mix(mix(mix(spread(name++), a), b), c));
  };
  add(0);
  add(word(k - 1)), add(word(k)), add(tag(k - 1), tag(k)), add(tag(i), tag(k)),
      add(tag(k), tag(j - 1));
  add(word(i), tag(k)), add(tag(i), word(k)), add(tag(k), tag(k + 1));
  add(length_class(k - i), length_class(j - k)), add(tag(j), tag(k)),
      add(tag(i - 1), tag(i), tag(k));
  // With the parent only:
  add(word(i), word(k)), add(word(k - 1), word(k)), add(word(k), word(j - 1));
  add(tag(i), tag(k - 1), tag(k)), add(tag(k - 1), tag(k), tag(j - 1)), add(word(k), tag(k - 1));
  if (!has_classes_) return;
  const auto cls = [&](int x) { return word_class(x); };
  add(cls(i), cls(k)), add(cls(k - 1), cls(k)), add(cls(k), cls(j - 1)), add(cls(k));
  add(cls(k - 1), tag(k)), add(tag(k - 1), cls(k), tag(j)), add(cls(i), tag(k - 1), tag(k));
}

}  // namespace entente::constituency
