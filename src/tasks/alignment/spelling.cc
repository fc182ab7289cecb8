#include "tasks/alignment/spelling.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/parallel.h"

namespace entente::alignment {

namespace {

constexpr int kShortest = 4;  // letters in common that say something

bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

int letters_of(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), begins_letter));
}

}  // namespace

std::string_view stem_of(std::string_view word, int letters) {
  if (word.find_first_of("0123456789") != std::string_view::npos) return word;
  std::size_t at = 0;
  for (int seen = 0; at < word.size(); ++at) {
    if (begins_letter(word[at]) && ++seen > letters) break;
  }
  return word.substr(0, at);
}

double written_alike(std::string_view a, std::string_view b) {
  if (a == b) return 1;
  const auto apart = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const int common = letters_of(a.substr(0, apart.first - a.begin()));
  const int longer = std::max(letters_of(a), letters_of(b));
  if (common < kShortest || 2 * common < longer) return 0;
  const double share = static_cast<double>(common) / longer;
  return share * share;
}

Spelling::Spelling(const Bitext& text, const Cooccurrence& table, const SpellingSettings& settings,
                   int threads)
    : table_(table), settings_(settings) {
  if (!used()) return;
  for (int side = 0; side < 2; ++side) {
    const NameTable& names = text.vocabulary(side);
    std::unordered_map<std::string_view, int> numbers;
    for (int w = 0; w < names.size(); ++w) {
      const int next = static_cast<int>(numbers.size());
      stem_[side].push_back(
          numbers.emplace(stem_of(names.name(w), settings.letters), next).first->second);
    }
    stems_[side] = static_cast<int>(numbers.size());
    alike_sum_[side].resize(names.size());
  }
  by_stem_.resize(stem_[0].size());
  std::iota(by_stem_.begin(), by_stem_.end(), 0);
  std::stable_sort(by_stem_.begin(), by_stem_.end(),
                   [&](int a, int b) { return stem_[0][a] < stem_[0][b]; });
  stem_begins_.resize(static_cast<std::size_t>(stems_[0]) + 1);
  for (const std::int32_t stem : stem_[0]) ++stem_begins_[stem + 1];
  std::partial_sum(stem_begins_.begin(), stem_begins_.end(), stem_begins_.begin());
  find_alike(text, threads);
}

void Spelling::find_alike(const Bitext& text, int threads) {
  constexpr int kWords = 256;
  const NameTable &names = text.vocabulary(0), &others = text.vocabulary(1);
  // In shares, then one share after the other: sums of doubles depend on the order.
  struct Found {
    std::uint32_t entry;
    std::int32_t word;
    double share;
  };
  std::vector<std::vector<Found>> found((names.size() + kWords - 1) / kWords);
  parallel_for(
      static_cast<int>(found.size()), threads,
      [&](int share, int) {
        for (int w = share * kWords; w < std::min(names.size(), (share + 1) * kWords); ++w) {
          const auto [begin, end] = table_.row(w);
          const std::string_view name = names.name(w);
          for (std::uint32_t k = begin; k < end; ++k) {
            const std::string_view other = others.name(table_.column(k));
            if (name.front() != other.front()) continue;
            const double alike = written_alike(name, other);
            if (alike > 0) found[share].push_back({k, w, alike});
          }
        }
      },
      1);
  for (const std::vector<Found>& share : found) {
    for (const Found& f : share) {
      alike_.push_back({f.entry, static_cast<float>(f.share)});
      alike_sum_[0][f.word] += f.share;
      alike_sum_[1][table_.column(f.entry)] += f.share;
    }
  }
}

// What the counts of one round sum up to; [..][d] is of direction d.
struct Spelling::Sums {
  using Both = std::array<double, 2>;
  const LinkCounts& counts;
  double least;
  std::vector<Both> column, column_stem;  // of words and stems of side 1
};

// Of the stem in hand; one a thread.
struct Spelling::StemSums {
  std::vector<Sums::Both> joint;  // with each stem of side 1
  Sums::Both all{};
};

void Spelling::smooth(const LinkCounts& counts,
                      std::span<const std::array<std::uint64_t, 2>> columns, double least,
                      int threads, UnsetArray<std::array<float, 2>>& t) const {
  Sums sums{.counts = counts, .least = least, .column = {}, .column_stem = {}};
  sums.column.resize(stem_[1].size());
  sums.column_stem.resize(stems_[1]);
  for (std::size_t c = 0; c < sums.column.size(); ++c) {
    for (int d = 0; d < 2; ++d) {
      sums.column[c][d] = static_cast<double>(columns[c][d]) / kCountUnit;
      sums.column_stem[stem_[1][c]][d] += sums.column[c][d];
    }
  }
  std::vector<StemSums> own(threads);
  for (StemSums& one : own) one.joint.resize(stems_[1]);
  parallel_for(stems_[0], threads, [&](int stem, int thread) {
    const auto first = static_cast<std::size_t>(stem_begins_[stem]);
    smooth_stem(std::span(by_stem_).subspan(first, stem_begins_[stem + 1] - first), sums,
                own[thread], t);
  });
}

void Spelling::smooth_stem(std::span<const std::int32_t> words, const Sums& sums, StemSums& own,
                           UnsetArray<std::array<float, 2>>& t) const {
  own.all = {};
  for (const std::int32_t word : words) {
    const auto [begin, end] = table_.row(word);
    for (std::uint32_t k = begin; k < end; ++k) {
      for (int d = 0; d < 2; ++d) {
        own.joint[stem_[1][table_.column(k)]][d] += sums.counts(k, d);
        own.all[d] += sums.counts(k, d);
      }
    }
  }
  for (const std::int32_t word : words) smooth_row(word, sums, own, t);
  for (const std::int32_t word : words) {
    const auto [begin, end] = table_.row(word);
    for (std::uint32_t k = begin; k < end; ++k) own.joint[stem_[1][table_.column(k)]] = {};
  }
}

void Spelling::smooth_row(int word, const Sums& sums, const StemSums& own,
                          UnsetArray<std::array<float, 2>>& t) const {
  const auto [begin, end] = table_.row(word);
  Sums::Both row{};
  for (std::uint32_t k = begin; k < end; ++k) {
    for (int d = 0; d < 2; ++d) row[d] += sums.counts(k, d);
  }
  const double backoff = settings_.backoff, alike = settings_.alike;
  auto next = std::lower_bound(alike_.begin(), alike_.end(), begin,
                               [](const Alike& a, std::uint32_t k) { return a.entry < k; });
  for (std::uint32_t k = begin; k < end; ++k) {
    const int c = table_.column(k), s = stem_[1][c];
    // As the stems translate each other, and stand for these words of theirs.
    double by_stems[2] = {};
    if (own.joint[s][0] > 0) {
      by_stems[0] = own.joint[s][0] / own.all[0] * sums.column[c][0] / sums.column_stem[s][0];
    }
    if (own.joint[s][1] > 0) {
      by_stems[1] = own.joint[s][1] / sums.column_stem[s][1] * row[1] / own.all[1];
    }
    double written = 0;
    if (next != alike_.end() && next->entry == k) written = static_cast<double>((next++)->share);
    const double all[2] = {row[0] + backoff + alike * alike_sum_[0][word],
                           sums.column[c][1] + backoff + alike * alike_sum_[1][c]};
    for (int d = 0; d < 2; ++d) {
      const double count = sums.counts(k, d) + backoff * by_stems[d] + alike * written;
      t[k][d] = static_cast<float>(std::max(count / all[d], sums.least));
    }
  }
}

}  // namespace entente::alignment
