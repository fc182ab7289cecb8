#include "tasks/ccg/supertagger.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "learn/hash.h"

namespace entente::ccg {

namespace {

constexpr const char* kLabels = "ccg/supertags/labels";
constexpr const char* kWords = "ccg/supertags/words";
constexpr const char* kTags = "ccg/supertags/tags";
constexpr const char* kWeights = "ccg/supertags/weights";
constexpr const char* kScale = "ccg/supertags/scale";
constexpr const char* kBits = "ccg/supertags/bits";

// "word<TAB>3 17 4" and back.
std::vector<std::string> packed(
    const std::unordered_map<std::string, std::vector<std::int32_t>>& map) {
  std::vector<std::string> out;
  for (const auto& [key, labels] : map) {
    std::string line = key + "\t";
    for (const std::int32_t l : labels) line += std::to_string(l) + " ";
    out.push_back(std::move(line));
  }
  std::sort(out.begin(), out.end());
  return out;
}

void unpack(const ModelFile& file, const char* name, std::size_t labels,
            std::unordered_map<std::string, std::vector<std::int32_t>>& map) {
  for (const std::string& line : file.strings(name)) {
    const std::size_t tab = line.rfind('\t');
    if (tab == std::string::npos) file.fail("has a broken dictionary of CCG");
    std::vector<std::int32_t>& out = map[line.substr(0, tab)];
    for (std::size_t at = tab + 1; at < line.size();) {
      std::size_t end = line.find(' ', at);
      if (end == std::string::npos) end = line.size();
      const long label = std::strtol(line.c_str() + at, nullptr, 10);
      if (label < 0 || label >= static_cast<long>(labels))
        file.fail("has a broken dictionary of CCG");
      out.push_back(static_cast<std::int32_t>(label));
      at = end + 1;
    }
  }
}

}  // namespace

void keep_within(const Choices& all, const Beam& beam, Choices& kept) {
  kept.resize(all.size());
  const double margin = std::log(beam.beta);
  for (std::size_t i = 0; i < all.size(); ++i) {
    kept[i].clear();
    for (const Choice& c : all[i]) {
      if (static_cast<int>(kept[i].size()) >= beam.most ||
          c.log_probability < all[i].front().log_probability + margin)
        break;
      kept[i].push_back(c);
    }
  }
}

Supertagger::Supertagger(const ModelFile& file) {
  const std::span<const CategoryId> labels = file.array<CategoryId>(kLabels);
  labels_.assign(labels.begin(), labels.end());
  if (labels_.empty()) file.fail("has no categories of CCG");
  unpack(file, kWords, labels_.size(), by_word_);
  unpack(file, kTags, labels_.size(), by_tag_);
  bits_ = static_cast<int>(file.number(kBits));
  const std::span<const std::int8_t> weights = file.array<std::int8_t>(kWeights);
  if (bits_ < 4 || bits_ > 28 || weights.size() != std::size_t{1} << bits_)
    file.fail("has a broken table of CCG");
  const auto scale = static_cast<float>(file.number(kScale));
  weights_.resize(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights_[i] = scale * static_cast<float>(weights[i]);
  for (std::size_t l = 0; l < labels_.size(); ++l)
    everywhere_.push_back(static_cast<std::int32_t>(l));
}

void Supertagger::save(ModelWriter& writer) const {
  writer.add<CategoryId>(kLabels, labels_);
  writer.add_strings(kWords, packed(by_word_));
  writer.add_strings(kTags, packed(by_tag_));
  writer.add_number(kBits, bits_);
  float largest = 1e-6f;
  for (const float w : weights_) largest = std::max(largest, std::abs(w));
  const float scale = largest / 127;
  std::vector<std::int8_t> bytes(weights_.size());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::int8_t>(std::lround(weights_[i] / scale));
  writer.add<std::int8_t>(kWeights, bytes);
  writer.add_number(kScale, scale);
}

std::span<const std::int32_t> Supertagger::candidates(const std::string& word,
                                                      const std::string& tag) const {
  if (const auto at = by_word_.find(word); at != by_word_.end()) return at->second;
  if (const auto at = by_tag_.find(tag); at != by_tag_.end()) return at->second;
  return everywhere_;
}

void Supertagger::find_features(const TaggedWords& text, Work& work) const {
  const int n = static_cast<int>(text.words.size());
  work.words.assign(n + 4, 1);
  work.tags.assign(n + 4, 2);
  for (int i = 0; i < n; ++i) {
    work.shape.read(text.words[i]);
    work.words[i + 2] = hash_of(work.shape.lower());
    work.tags[i + 2] = hash_of(text.tags[i]);
  }
  work.features.clear();
  for (int i = 0; i < n; ++i) {
    const std::uint64_t *w = work.words.data() + i + 2, *t = work.tags.data() + i + 2;
    std::uint64_t kind = 100;
    const auto add = [&](std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
      work.features.push_back(spread(mix(mix(mix(++kind, a), b), c)));
    };
    work.shape.read(text.words[i]);
    add(w[0]);
    add(hash_of(text.words[i]));
    add(w[-1]);
    add(w[1]);
    add(w[-2]);
    add(w[2]);
    add(w[-1], w[0]);
    add(w[0], w[1]);
    add(t[0]);
    add(t[-1], t[0]);
    add(t[0], t[1]);
    add(t[-1], t[0], t[1]);
    add(t[-2], t[-1], t[0]);
    add(t[0], t[1], t[2]);
    add(t[-2]);
    add(t[2]);
    add(w[0], t[0]);
    add(w[0], t[1]);
    add(w[0], t[-1]);
    add(t[0], w[1]);
    add(t[0], w[-1]);
    for (const int length : {1, 2, 3}) add(hash_of(work.shape.suffix(length)), t[0]);
    add(hash_of(work.shape.suffix(4)));
    add(hash_of(work.shape.prefix(3)));
    add(hash_of(work.shape.shape()), t[0]);
  }
}

std::size_t Supertagger::index(std::uint64_t feature, std::int32_t label) const {
  return spread(feature ^ (static_cast<std::uint64_t>(label) + 1) * 0x9E3779B97F4A7C15ull) >>
         (64 - bits_);
}

double Supertagger::emission(const std::uint64_t* features, std::int32_t label) const {
  float out = 0;
  for (int f = 0; f < kFeatures; ++f) out += weights_[index(features[f], label)];
  return out;
}

double Supertagger::step(std::int32_t before, std::int32_t after) const {
  return weights_[index(77 + static_cast<std::uint64_t>(before), after)];
}

void Supertagger::join(const TaggedWords& text, const std::int32_t* gold, double tau,
                       Work& work) const {
  const int n = static_cast<int>(text.words.size());
  find_features(text, work);
  work.labels.clear();
  work.chain.begin();
  for (int i = 0; i < n; ++i) {
    const std::uint64_t* features = work.features.data() + static_cast<std::size_t>(i) * kFeatures;
    work.ranked.clear();
    for (const std::int32_t label : candidates(text.words[i], text.tags[i])) {
      const bool wrong = gold != nullptr && label != gold[i];
      work.ranked.emplace_back(emission(features, label) + (wrong ? tau : 0), label);
    }
    const auto better = [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    };
    if (work.ranked.size() > kWidth) {
      std::partial_sort(work.ranked.begin(), work.ranked.begin() + kWidth, work.ranked.end(),
                        better);
      work.ranked.resize(kWidth);
    }
    bool has_gold = gold == nullptr;
    work.scores.clear();
    for (const auto& [score, label] : work.ranked) {
      work.labels.push_back(label);
      work.scores.push_back(score);
      if (gold != nullptr && label == gold[i]) has_gold = true;
    }
    if (!has_gold) {
      work.labels.push_back(gold[i]);
      work.scores.push_back(emission(features, gold[i]));
    }
    work.chain.add(work.scores);
    if (i == 0) continue;
    const std::span<double> steps = work.chain.steps(i);
    const int before = work.chain.width(i - 1), own = work.chain.width(i);
    for (int a = 0; a < before; ++a) {
      for (int b = 0; b < own; ++b)
        steps[a * own + b] =
            step(work.labels[work.chain.first(i - 1) + a], work.labels[work.chain.first(i) + b]);
    }
  }
}

void Supertagger::tag(const TaggedWords& text, Work& work, Choices& out) const {
  out.resize(text.words.size());
  if (text.words.empty()) return;
  join(text, nullptr, 0, work);
  work.chain.sums();
  for (int i = 0; i < work.chain.size(); ++i) {
    out[i].clear();
    for (int b = 0; b < work.chain.width(i); ++b)
      out[i].push_back({labels_[work.labels[work.chain.first(i) + b]],
                        std::log(std::max(work.chain.marginal(i, b), 1e-300)), b});
    std::stable_sort(out[i].begin(), out[i].end(), [](const Choice& a, const Choice& b) {
      return a.log_probability > b.log_probability;
    });
  }
}

}  // namespace entente::ccg
