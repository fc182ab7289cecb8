#include "tasks/alignment/cooccurrence.h"

#include <algorithm>
#include <limits>

#include "base/parallel.h"
#include "entente/error.h"

namespace entente::alignment {

namespace {

constexpr std::size_t kMostEntries = std::numeric_limits<std::uint32_t>::max();
constexpr int kPairs = 1024;  // that a thread takes at a time

}  // namespace

// Where each word of side 0 stands: (pair, place), word after word.
struct Cooccurrence::Places {
  struct Where {
    std::int32_t pair, place;
  };
  std::vector<std::size_t> first;  // of a word; one more
  std::vector<Where> where;

  explicit Places(const Bitext& text)
      : first(static_cast<std::size_t>(text.vocabulary(0).size()) + 1),
        where(text.all_words(0).size()) {
    for (const std::int32_t w : text.all_words(0)) ++first[w + 1];
    for (std::size_t w = 1; w < first.size(); ++w) first[w] += first[w - 1];
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (int p = 0; p < text.size(); ++p) {
      const auto words = text.words(0, p);
      for (int i = 0; i < static_cast<int>(words.size()); ++i) where[next[words[i]]++] = {p, i};
    }
  }
};

// One a thread: which word of side 0 each word of side 1 was last met with, and as which entry.
struct Cooccurrence::Seen {
  std::vector<std::int32_t> with;
  std::vector<std::uint32_t> entry;
};

Cooccurrence::Cooccurrence(const Bitext& text, int threads) {
  const int pairs = text.size(), rows = text.vocabulary(0).size();
  begins_.resize(static_cast<std::size_t>(pairs) + 1);
  for (int p = 0; p < pairs; ++p) {
    begins_[p + 1] = begins_[p] + static_cast<std::size_t>(text.length(0, p)) * text.length(1, p);
  }
  cells_.resize(begins_[pairs]);
  rows_.assign(static_cast<std::size_t>(rows) + 1, 0);

  const Places places(text);
  // The most frequent words come early, so that the shares that take longest are taken first.
  const std::size_t wanted =
      threads > 1 ? places.where.size() / (8 * threads) : places.where.size();
  std::vector<Share> shares;
  for (int w = 0; w < rows; ++w) {
    if (shares.empty() || places.first[w] - places.first[shares.back().begin] > wanted)
      shares.emplace_back().begin = w;
    shares.back().end = w + 1;
  }
  std::vector<Seen> seen(threads);
  parallel_for(
      static_cast<int>(shares.size()), threads,
      [&](int share, int thread) { number(text, places, seen[thread], shares[share]); }, 1);
  join(text, shares, threads);
}

void Cooccurrence::number(const Bitext& text, const Places& places, Seen& seen, Share& share) {
  seen.with.resize(text.vocabulary(1).size(), -1);
  seen.entry.resize(text.vocabulary(1).size());
  for (int w = share.begin; w < share.end; ++w) {
    for (std::size_t k = places.first[w]; k < places.first[w + 1]; ++k) {
      const auto [pair, place] = places.where[k];
      const auto others = text.words(1, pair);
      std::uint32_t* cell = &cells_[begins_[pair] + place * others.size()];
      for (const std::int32_t other : others) {
        if (seen.with[other] != w) {
          seen.with[other] = w;
          seen.entry[other] = static_cast<std::uint32_t>(share.columns.size());
          share.columns.push_back(static_cast<std::uint32_t>(other));
        }
        *cell++ = seen.entry[other];
      }
    }
    if (share.columns.size() > kMostEntries)
      throw Error("the texts have more than 4,294,967,295 different pairs of words");
    rows_[w + 1] = static_cast<std::uint32_t>(share.columns.size());
  }
}

// Entries of a share come after those of the shares before.
void Cooccurrence::join(const Bitext& text, std::vector<Share>& shares, int threads) {
  if (shares.empty()) return;
  if (shares.size() == 1) {
    columns_.swap(shares[0].columns);
    return;
  }
  std::size_t entries = 0;
  for (Share& share : shares) {
    share.before = static_cast<std::uint32_t>(entries);
    entries += share.columns.size();
    if (entries > kMostEntries)
      throw Error("the texts have more than 4,294,967,295 different pairs of words");
  }
  columns_.resize(entries);
  std::vector<std::uint32_t> before(text.vocabulary(0).size());  // of each word's share
  parallel_for(
      static_cast<int>(shares.size()), threads,
      [&](int s, int) {
        const Share& share = shares[s];
        std::copy(share.columns.begin(), share.columns.end(), columns_.begin() + share.before);
        for (int w = share.begin; w < share.end; ++w) {
          before[w] = share.before;
          rows_[w + 1] += share.before;
        }
      },
      1);
  parallel_for(
      text.size(), threads,
      [&](int p, int) {
        std::uint32_t* cell = cells_.data() + begins_[p];
        const int others = text.length(1, p);
        for (const std::int32_t w : text.words(0, p)) {
          for (int j = 0; j < others; ++j) cell[j] += before[w];
          cell += others;
        }
      },
      kPairs);
}

}  // namespace entente::alignment
