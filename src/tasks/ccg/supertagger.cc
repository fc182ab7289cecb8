#include "tasks/ccg/supertagger.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "learn/hash.h"

namespace entente::ccg {

namespace {

constexpr const char* kLabels = "ccg/supertags/labels";
constexpr const char* kWords = "ccg/supertags/words";
constexpr const char* kTags = "ccg/supertags/tags";
constexpr const char* kWeights = "ccg/supertags/weights";
constexpr const char* kScale = "ccg/supertags/scale";
constexpr const char* kBits = "ccg/supertags/bits";

std::string lower(const std::string& word) {
  std::string out = word;
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// "Xx9-" for "Paris2-": what kinds of characters follow each other.
std::string shape(const std::string& word) {
  std::string out;
  for (const char c : word) {
    const char kind = c >= 'A' && c <= 'Z'   ? 'X'
                      : c >= 'a' && c <= 'z' ? 'x'
                      : c >= '0' && c <= '9' ? '9'
                      : (c & 0x80) != 0      ? 'u'
                                             : c;
    if (out.empty() || out.back() != kind) out += kind;
  }
  return out;
}

std::uint64_t suffix(const std::string& word, std::size_t length) {
  return hash_of(std::string_view(word).substr(word.size() - std::min(length, word.size())));
}

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
  std::vector<std::uint64_t> word(n + 4, 1), tag(n + 4, 2);
  std::vector<std::string> lowered(n);
  for (int i = 0; i < n; ++i) {
    lowered[i] = lower(text.words[i]);
    word[i + 2] = hash_of(lowered[i]);
    tag[i + 2] = hash_of(text.tags[i]);
  }
  work.features.clear();
  for (int i = 0; i < n; ++i) {
    const std::uint64_t *w = word.data() + i + 2, *t = tag.data() + i + 2;
    std::uint64_t kind = 100;
    const auto add = [&](std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
      work.features.push_back(spread(mix(mix(mix(++kind, a), b), c)));
    };
    const std::string& form = lowered[i];
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
    add(suffix(form, 1), t[0]);
    add(suffix(form, 2), t[0]);
    add(suffix(form, 3), t[0]);
    add(suffix(form, 4));
    add(hash_of(std::string_view(form).substr(0, 3)));
    add(hash_of(shape(text.words[i])), t[0]);
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
  work.first.assign(1, 0);
  work.labels.clear();
  work.scores.clear();
  for (int i = 0; i < n; ++i) {
    work.ranked.clear();
    for (const std::int32_t label : candidates(text.words[i], text.tags[i])) {
      const bool wrong = gold != nullptr && label != gold[i];
      work.ranked.emplace_back(
          emission(work.features.data() + static_cast<std::size_t>(i) * kFeatures, label) +
              (wrong ? tau : 0),
          label);
    }
    const auto better = [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    };
    if (work.ranked.size() > kWidth) {
      std::partial_sort(work.ranked.begin(), work.ranked.begin() + kWidth, work.ranked.end(),
                        better);
    }
    const std::size_t kept = std::min<std::size_t>(kWidth, work.ranked.size());
    bool has_gold = gold == nullptr;
    for (std::size_t k = 0; k < kept; ++k) {
      work.labels.push_back(work.ranked[k].second);
      work.scores.push_back(work.ranked[k].first);
      if (gold != nullptr && work.ranked[k].second == gold[i]) has_gold = true;
    }
    if (!has_gold) {
      work.labels.push_back(gold[i]);
      work.scores.push_back(
          emission(work.features.data() + static_cast<std::size_t>(i) * kFeatures, gold[i]));
    }
    work.first.push_back(static_cast<std::int32_t>(work.labels.size()));
  }
}

// Forward and backward in logarithms less the largest: chains are short and steps few.
double Supertagger::sum(Work& work) const {
  const int n = static_cast<int>(work.first.size()) - 1;
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  work.forward.assign(work.labels.size(), kNone);
  work.backward.assign(work.labels.size(), 0);
  const auto log_sum = [](std::span<const double> x) {
    const double top = *std::max_element(x.begin(), x.end());
    double total = 0;
    for (const double v : x) total += std::exp(v - top);
    return top + std::log(total);
  };
  for (int i = 0; i < n; ++i) {
    for (std::int32_t b = work.first[i]; b < work.first[i + 1]; ++b) {
      if (i == 0) {
        work.forward[b] = work.scores[b];
        continue;
      }
      work.steps.clear();
      for (std::int32_t a = work.first[i - 1]; a < work.first[i]; ++a)
        work.steps.push_back(work.forward[a] + step(work.labels[a], work.labels[b]));
      work.forward[b] = work.scores[b] + log_sum(work.steps);
    }
  }
  for (int i = n - 2; i >= 0; --i) {
    for (std::int32_t a = work.first[i]; a < work.first[i + 1]; ++a) {
      work.steps.clear();
      for (std::int32_t b = work.first[i + 1]; b < work.first[i + 2]; ++b)
        work.steps.push_back(work.backward[b] + work.scores[b] +
                             step(work.labels[a], work.labels[b]));
      work.backward[a] = log_sum(work.steps);
    }
  }
  return n == 0 ? 0
                : log_sum(std::span(work.forward)
                              .subspan(work.first[n - 1], work.first[n] - work.first[n - 1]));
}

void Supertagger::tag(const TaggedWords& text, Work& work, Choices& out) const {
  out.resize(text.words.size());
  if (text.words.empty()) return;
  join(text, nullptr, 0, work);
  const double log_z = sum(work);
  for (std::size_t i = 0; i < text.words.size(); ++i) {
    out[i].clear();
    for (std::int32_t b = work.first[i]; b < work.first[i + 1]; ++b)
      out[i].push_back({labels_[work.labels[b]], work.forward[b] + work.backward[b] - log_z});
    std::stable_sort(out[i].begin(), out[i].end(), [](const Choice& a, const Choice& b) {
      return a.log_probability > b.log_probability;
    });
  }
}

}  // namespace entente::ccg
