// How a language model is made of n-grams: in maps first, for bounds over longer n-grams need all of them.
//
//   LmBuilder builder(3);
//   builder.add(2, gram);                        // false: it was there
//   LanguageModel lm = builder.build(true);      // true: can be restricted to some words later
//
// Cost: linear in the n-grams. One thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "learn/hash.h"
#include "tasks/translation/language_model.h"

namespace entente::translation {

namespace ngram {

inline constexpr std::string_view kStart = "<s>", kEnd = "</s>", kUnknown = "<unk>";
inline constexpr float kNoUnknown = -7;  // where the file has no <unk>

inline std::uint64_t key_of(std::uint64_t rest, WordHash first) { return spread(mix(rest, first)); }

}  // namespace ngram

class LmBuilder {
 public:
  struct Gram {
    LanguageModel::Entry entry;
    std::array<WordHash, kMaxOrder> words{};  // the last first
  };

  explicit LmBuilder(int order) : tables_(order) {}
  int order() const { return static_cast<int>(tables_.size()); }
  bool add(int n, const Gram& gram) {
    return tables_[n - 1].emplace(key(gram.words, n), gram).second;
  }
  // With `grams`, so that it can be restricted later.
  LanguageModel build(bool grams) {
    close();
    bound();
    return pack(grams);
  }
  // What restricted_to() keeps.
  static void keep(const LanguageModel& lm, const std::vector<bool>& wanted, LmBuilder& to) {
    for (int n = 1; n <= lm.order_; ++n) {
      const auto grams = lm.grams_[n - 1];
      for (std::size_t at = 0; at < grams.size(); at += n) {
        bool all = true;
        for (int k = 0; k < n && all; ++k) all = wanted[grams[at + k]];
        if (!all) continue;
        Gram gram;
        for (int k = 0; k < n; ++k) gram.words[k] = lm.words_[grams[at + k]];
        const LanguageModel::Entry* e = lm.find(n, key(gram.words, n));
        if (!e) continue;
        gram.entry.probability = e->probability;
        gram.entry.back_off = e->back_off;
        gram.entry.flags = 2;
        to.add(n, gram);
      }
    }
  }

 private:
  using Table = std::unordered_map<std::uint64_t, Gram>;

  static std::uint64_t key(const std::array<WordHash, kMaxOrder>& words, int n) {
    std::uint64_t k = words[0];
    for (int i = 1; i < n; ++i) k = ngram::key_of(k, words[i]);
    return k;
  }
  // The n-gram without its last word.
  static std::array<WordHash, kMaxOrder> prefix(const Gram& gram, int n) {
    std::array<WordHash, kMaxOrder> words{};
    for (int i = 1; i < n; ++i) words[i - 1] = gram.words[i];
    return words;
  }

  // Every n-gram's beginning and end are n-grams, too: those that pruning took
  // are put back, with what backing off gives them.
  void close() {
    if (!tables_[0].count(hash_of(ngram::kUnknown))) {
      Gram unknown;
      unknown.words[0] = hash_of(ngram::kUnknown);
      unknown.entry.probability = ngram::kNoUnknown;
      tables_[0].emplace(unknown.words[0], unknown);
    }
    for (int n = order(); n >= 2; --n) {
      std::vector<Gram> missing;
      for (const auto& [k, gram] : tables_[n - 1]) {
        for (const auto& words : {gram.words, prefix(gram, n)}) {
          if (tables_[n - 2].count(key(words, n - 1))) continue;
          missing.push_back({{}, words});
        }
      }
      for (Gram& gram : missing) tables_[n - 2].emplace(key(gram.words, n - 1), gram);
    }
    // Shorter ones first: a longer one's back-off asks them.
    for (int n = 1; n < order(); ++n) {
      for (auto& [k, gram] : tables_[n - 1]) {
        if (gram.entry.flags & 2 || gram.words[0] == hash_of(ngram::kUnknown)) continue;
        if (n == 1) {
          gram.entry.probability = ngram::kNoUnknown;
        } else {
          const auto before = prefix(gram, n);
          gram.entry.probability = tables_[n - 2].at(key(gram.words, n - 1)).entry.probability +
                                   tables_[n - 2].at(key(before, n - 1)).entry.back_off;
        }
      }
    }
    for (int n = 2; n <= order(); ++n) {
      for (const auto& [k, gram] : tables_[n - 1]) {
        tables_[n - 2].at(key(prefix(gram, n), n - 1)).entry.flags |= 1;
      }
    }
    // A context that matters makes its own end matter: what is cut off never
    // matters.
    for (int n = order() - 1; n >= 1; --n) {
      for (auto& [k, gram] : tables_[n - 1]) {
        if (gram.entry.back_off != 0) gram.entry.flags |= 1;
        if (n >= 2 && gram.entry.flags & 1) {
          tables_[n - 2].at(key(gram.words, n - 1)).entry.flags |= 1;
        }
      }
    }
  }

  // The maxima over what may stand before: from the longest n-grams down.
  void bound() {
    for (int n = order(); n >= 1; --n) {
      for (auto& [k, gram] : tables_[n - 1]) {
        LanguageModel::Entry& e = gram.entry;
        // Longer contexts were done before this length: e.best holds the best
        // of them, or -infinity stands for none. A context that nothing
        // continues costs nothing.
        e.best_back_off = std::max(e.best_back_off, 0.0f);
      }
      if (n >= 2) {
        for (const auto& [k, gram] : tables_[n - 1]) {
          LanguageModel::Entry& shorter = tables_[n - 2].at(key(gram.words, n - 1)).entry;
          if (n < order()) {
            shorter.best_back_off =
                std::max(shorter.best_back_off, gram.entry.back_off + gram.entry.best_back_off);
          }
        }
      }
    }
    for (int n = order(); n >= 1; --n) {
      for (auto& [k, gram] : tables_[n - 1]) {
        LanguageModel::Entry& e = gram.entry;
        // Its own probability, after the best back-off of the contexts longer
        // than its own.
        float more = 0;
        if (n < order()) {
          more = n == 1 ? best_of_all()
                        : tables_[n - 2].at(key(prefix(gram, n), n - 1)).entry.best_back_off;
        }
        const float alone = e.probability + more;
        e.best = e.flags & 4 ? std::max(e.best, alone) : alone;
        if (n >= 2) {
          LanguageModel::Entry& shorter = tables_[n - 2].at(key(gram.words, n - 1)).entry;
          shorter.best = shorter.flags & 4 ? std::max(shorter.best, e.best) : e.best;
          shorter.flags |= 4;
        }
      }
    }
  }
  // Of the empty context: any single word, with what stands before it.
  float best_of_all() {
    if (!all_known_) {
      for (const auto& [k, gram] : tables_[0]) {
        if (order() > 1) {
          best_all_ = std::max(best_all_, gram.entry.back_off + gram.entry.best_back_off);
        }
      }
      all_known_ = true;
    }
    return best_all_;
  }

  LanguageModel pack(bool grams) {
    LanguageModel lm;
    lm.order_ = order();
    lm.start_ = hash_of(ngram::kStart);
    lm.end_ = hash_of(ngram::kEnd);
    lm.unknown_ = hash_of(ngram::kUnknown);
    std::unordered_map<WordHash, std::uint32_t> numbers;
    for (int n = 1; n <= order(); ++n) {
      // The order of the map is not part of the file.
      std::vector<std::pair<std::uint64_t, const Gram*>> sorted;
      for (const auto& [k, gram] : tables_[n - 1]) sorted.emplace_back(k, &gram);
      std::sort(sorted.begin(), sorted.end());
      std::vector<std::pair<std::uint64_t, LanguageModel::Entry>> entries;
      if (grams) lm.owned_grams_.emplace_back();
      for (const auto& [k, gram] : sorted) {
        entries.emplace_back(k, gram->entry);
        entries.back().second.flags &= 3;
        if (!grams) continue;
        if (n == 1) {
          numbers[gram->words[0]] = static_cast<std::uint32_t>(lm.owned_words_.size());
          lm.owned_words_.push_back(gram->words[0]);
        }
        for (int i = 0; i < n; ++i) lm.owned_grams_.back().push_back(numbers.at(gram->words[i]));
      }
      lm.owned_.push_back(make_flat_table<LanguageModel::Entry>(entries));
      lm.counts_[n - 1] = entries.size();
    }
    lm.use_owned();
    return lm;
  }

  std::vector<Table> tables_;
  float best_all_ = 0;
  bool all_known_ = false;
};

}  // namespace entente::translation
