#include "tasks/alignment/model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/check.h"
#include "learn/hash.h"
#include "tasks/alignment/spelling.h"

namespace entente::alignment {

namespace {

constexpr double kStep = 1.0 / 16;    // of logarithms
constexpr float kUnseen = 1e-7f;      // of a pair of words that is not in the table
constexpr float kAlike = 0.01f;       // of one that is written alike
constexpr double kLeastT = 1e-5;      // dropped if below in both directions
constexpr long kOnce = 128;           // the code of a word that stays as its class
constexpr double kLeastCount = 0.01;  // dropped if expected less often

std::uint8_t code_of(double t) {
  if (!(t > 0)) return 0;
  return static_cast<std::uint8_t>(std::clamp(255.0 + std::round(std::log(t) / kStep), 0.0, 255.0));
}

}  // namespace

// By the stem: its most frequent word.
std::vector<AlignmentModel::WordEntry> AlignmentModel::stand_ins(const Bitext& text, int side,
                                                                 int letters) {
  const NameTable& names = text.vocabulary(side);
  std::vector<std::int64_t> seen(names.size());
  for (const std::int32_t w : text.all_words(side)) ++seen[w];
  std::map<std::string_view, int> best;
  for (int w = 0; w < names.size(); ++w) {
    const std::string_view name = names.name(w), stem = stem_of(name, letters);
    if (stem.size() == name.size() && stem_of(name, letters - 1).size() == name.size()) continue;
    const auto [at, fresh] = best.emplace(stem, w);
    if (!fresh && seen[w] > seen[at->second]) at->second = w;
  }
  std::vector<std::pair<std::uint64_t, WordEntry>> entries;
  for (const auto& [stem, w] : best) {
    entries.push_back({hash_of(stem), {.index = static_cast<std::uint32_t>(w)}});
  }
  return make_flat_table<WordEntry>(entries);
}

void write_model(const Bitext& text, const Trained& trained, const TrainingSettings& settings,
                 bool raw_text, ModelWriter& writer) {
  for (int side = 0; side < 2; ++side) {
    const NameTable& names = text.vocabulary(side);
    std::vector<std::pair<std::uint64_t, AlignmentModel::WordEntry>> words;
    for (int w = 0; w < names.size(); ++w) {
      words.push_back({hash_of(names.name(w)), {.index = static_cast<std::uint32_t>(w)}});
    }
    const auto table = make_flat_table<AlignmentModel::WordEntry>(words);
    const std::string mine = "alignment/" + std::to_string(side);
    writer.add<AlignmentModel::WordEntry>(mine + "/words", table);
    writer.add<AlignmentModel::WordEntry>(mine + "/stems",
                                          AlignmentModel::stand_ins(text, side, settings.letters));
    std::vector<std::uint8_t> null;
    for (const float t : trained.null[side]) null.push_back(std::max<std::uint8_t>(1, code_of(t)));
    writer.add<std::uint8_t>(mine + "/null", null);
    writer.add<float>(mine + "/jumps", trained.jumps[side].weights);
    writer.add<float>(mine + "/start", trained.jumps[side].start);
    std::vector<std::uint8_t> classes;
    for (const std::int32_t c : trained.classes[side]) {
      classes.push_back(static_cast<std::uint8_t>(c));
    }
    writer.add<std::uint8_t>(mine + "/classes", classes);
    std::vector<std::uint8_t> stays;
    for (const float s : trained.stays[side]) {
      stays.push_back(static_cast<std::uint8_t>(
          std::clamp(std::lround(std::log(static_cast<double>(s)) / kStep) + kOnce, 0L, 255L)));
    }
    writer.add<std::uint8_t>(mine + "/stays", stays);
  }
  std::vector<std::uint32_t> rows{0}, columns;
  std::vector<std::array<std::uint8_t, 2>> codes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> row;  // column, entry
  for (int w = 0; w < text.vocabulary(0).size(); ++w) {
    row.clear();
    const auto [begin, end] = trained.table.row(w);
    for (std::uint32_t k = begin; k < end; ++k) {
      const auto& t = trained.t[k];
      const double count = std::max(trained.counts(k, 0), trained.counts(k, 1));
      if ((t[0] < kLeastT && t[1] < kLeastT) || count < kLeastCount) continue;
      row.emplace_back(static_cast<std::uint32_t>(trained.table.column(k)), k);
    }
    std::sort(row.begin(), row.end());
    for (const auto& [column, entry] : row) {
      columns.push_back(column);
      codes.push_back({code_of(trained.t[entry][0]), code_of(trained.t[entry][1])});
    }
    rows.push_back(static_cast<std::uint32_t>(columns.size()));
  }
  writer.add<std::uint32_t>("alignment/rows", rows);
  writer.add<std::uint32_t>("alignment/columns", columns);
  writer.add<std::array<std::uint8_t, 2>>("alignment/t", codes);
  writer.add<float>("alignment/no_source", trained.no_source);
  writer.add_number("alignment/letters", settings.letters);
  writer.add_number("alignment/raw_text", raw_text ? 1 : 0);
}

AlignmentModel::AlignmentModel(const ModelFile& file) {
  const auto damaged = [&] { file.fail("the sections of alignment do not fit together"); };
  for (int k = 0; k < 256; ++k) decoded_[k] = static_cast<float>(std::exp((k - 255) * kStep));
  for (int side = 0; side < 2; ++side) {
    const std::string mine = "alignment/" + std::to_string(side);
    words_[side] = FlatTable<WordEntry>(file, mine + "/words");
    null_codes_[side] = file.array<std::uint8_t>(mine + "/null");
    classes_[side] = file.array<std::uint8_t>(mine + "/classes");
    stays_[side] = file.array<std::uint8_t>(mine + "/stays");
    stems_[side] = FlatTable<WordEntry>(file, mine + "/stems");
    const auto weights = file.array<float>(mine + "/jumps");
    const auto start = file.array<float>(mine + "/start");
    if (weights.empty() || weights.size() % kWidths != 0 || start.size() != kReach + 1) damaged();
    jumps_[side].weights.assign(weights.begin(), weights.end());
    jumps_[side].start.assign(start.begin(), start.end());
    for (const float w : weights) {
      if (!(w > 0 && w <= 1)) damaged();
    }
    for (const float w : start) {
      if (!(w > 0 && w <= 1)) damaged();
    }
    for (const std::uint8_t c : classes_[side]) {
      if (c >= jumps_[side].classes()) damaged();
    }
  }
  rows_ = file.array<std::uint32_t>("alignment/rows");
  columns_ = file.array<std::uint32_t>("alignment/columns");
  codes_ = file.array<std::array<std::uint8_t, 2>>("alignment/t");
  const auto null = file.array<float>("alignment/no_source");
  if (null.size() != 2) damaged();
  std::copy(null.begin(), null.end(), null_.begin());
  letters_ = static_cast<int>(file.number("alignment/letters"));
  raw_text_ = file.number("alignment/raw_text") != 0;
  const std::size_t sizes[2] = {null_codes_[1].size(), null_codes_[0].size()};
  if (!(null_[0] > 0 && null_[0] < 1 && null_[1] > 0 && null_[1] < 1) ||
      rows_.size() != sizes[0] + 1 || rows_.back() != columns_.size() ||
      codes_.size() != columns_.size() || !std::is_sorted(rows_.begin(), rows_.end())) {
    damaged();
  }
  for (int side = 0; side < 2; ++side) {
    if (!classes_[side].empty() && classes_[side].size() != sizes[side]) damaged();
    if (!stays_[side].empty() && stays_[side].size() != sizes[side]) damaged();
    for (const auto& table : {words_[side], stems_[side]}) {
      for (const WordEntry& e : table.entries()) {
        if (e.check != 0 && e.index >= sizes[side]) damaged();
      }
    }
  }
}

KnownWord AlignmentModel::word(int side, std::string_view text) const {
  KnownWord known{.hash = hash_of(text)};
  const WordEntry* e = words_[side].find(known.hash);
  if (!e) {
    const std::string_view stem = stem_of(text, letters_);
    if (stem_of(stem, letters_ - 1).size() < stem.size()) e = stems_[side].find(hash_of(stem));
  }
  if (e) known.index = static_cast<int>(e->index);
  return known;
}

void AlignmentModel::gather(std::span<const KnownWord> side0, std::span<const KnownWord> side1,
                            std::array<std::vector<float>, 2>& t) const {
  const std::size_t n = side0.size(), m = side1.size();
  t[0].resize(n * m);
  t[1].resize(n * m);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t *begin = nullptr, *end = nullptr;
    if (side0[i].index >= 0) {
      begin = columns_.data() + rows_[side0[i].index];
      end = columns_.data() + rows_[side0[i].index + 1];
    }
    for (std::size_t j = 0; j < m; ++j) {
      const float unseen = side0[i].hash == side1[j].hash ? kAlike : kUnseen;
      float t0 = unseen, t1 = unseen;
      if (begin && side1[j].index >= 0) {
        const auto wanted = static_cast<std::uint32_t>(side1[j].index);
        const std::uint32_t* at = std::lower_bound(begin, end, wanted);
        if (at != end && *at == wanted) {
          const auto& code = codes_[at - columns_.data()];
          t0 = std::max(decoded_[code[0]], kUnseen);
          t1 = std::max(decoded_[code[1]], kUnseen);
        }
      }
      t[0][j * n + i] = t0;
      t[1][i * m + j] = t1;
    }
  }
}

float AlignmentModel::null_emission(int direction, const KnownWord& target) const {
  // A word never seen is as likely to have no source as any.
  if (target.index < 0) return 1.0f / static_cast<float>(null_codes_[direction].size() + 1);
  return decoded_[null_codes_[direction][target.index]];
}

float AlignmentModel::stay(int side, const KnownWord& word) const {
  return word.index < 0 ? 1.0f
                        : static_cast<float>(std::exp((stays_[side][word.index] - kOnce) * kStep));
}

int AlignmentModel::jump_class(int side, const KnownWord& word) const {
  return word.index >= 0 ? classes_[side][word.index] : jumps_[side].classes() - 1;
}

}  // namespace entente::alignment
