#include "tasks/constituency/lexicon.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "learn/hash.h"

namespace entente::constituency {

namespace {

constexpr int kFrequent = 5;      // times seen from which a word's tags are all known
constexpr int kRare = 3;          // words seen up to so often teach signatures
constexpr int kMost = 12;         // candidates
constexpr double kPrior = 2;      // how many sightings the signature is worth
constexpr double kLeast = 0.002;  // share below which a signature's tag is no candidate

// From the sharpest to the bluntest; the last is the same for all words.
constexpr int kLevels = 4;
std::array<std::uint64_t, kLevels> signatures(std::string_view word, bool first) {
  bool digit = false, dash = false, lower = false, upper_inside = false, letter = false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    digit |= c >= '0' && c <= '9';
    dash |= c == '-';
    lower |= c >= 'a' && c <= 'z';
    upper_inside |= i > 0 && c >= 'A' && c <= 'Z';
    letter |= (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
  }
  const bool capital = !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
  const int shape = (digit ? 1 : 0) + (dash ? 2 : 0) + (lower ? 4 : 0) + (upper_inside ? 8 : 0) +
                    (letter ? 16 : 0) + (capital ? 32 : 0) + (capital && first ? 64 : 0);
  std::array<std::uint64_t, kLevels> out{};
  for (int level = 0; level < kLevels - 2; ++level) {
    std::string suffix(word.substr(word.size() - std::min<std::size_t>(word.size(), 3 - level)));
    for (char& c : suffix) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
      if (c >= '0' && c <= '9') c = '0';
    }
    out[level] = mix(mix(hash_of(suffix), shape), 11 + level);
  }
  out[kLevels - 2] = mix(spread(shape + 1), 21);
  out[kLevels - 1] = 1;
  return out;
}

}  // namespace

Lexicon Lexicon::count(std::span<const PhraseTree> trees, std::span<const WordClass> classes) {
  Lexicon out;
  out.classes_.assign(classes.begin(), classes.end());
  std::map<std::string, int> names;
  for (const PhraseTree& tree : trees) {
    for (const std::string& tag : tree.tags) names[tag] = 0;
  }
  for (auto& [name, id] : names) {
    id = static_cast<int>(out.tags_.size());
    out.tags_.push_back(name);
  }
  std::map<std::uint64_t, std::map<int, int>> words, looks;
  std::map<std::uint64_t, int> totals;
  std::vector<double> of_tag(out.tags_.size(), 0.0);
  double all = 0;
  for (const PhraseTree& tree : trees) {
    for (int i = 0; i < tree.size(); ++i) {
      const std::uint64_t key = hash_of(tree.words[i]);
      const int tag = names[tree.tags[i]];
      ++words[key][tag];
      ++totals[key];
      ++of_tag[tag];
      ++all;
    }
  }
  for (const PhraseTree& tree : trees) {
    for (int i = 0; i < tree.size(); ++i) {
      if (totals[hash_of(tree.words[i])] > kRare) continue;
      for (const std::uint64_t key : signatures(tree.words[i], i == 0)) {
        ++looks[key][names[tree.tags[i]]];
      }
    }
  }
  for (const double n : of_tag) out.log_p_.push_back(static_cast<float>(std::log(n / all)));
  if (looks.empty()) looks[1][0] = 1;  // a corpus without rare words still meets new ones
  for (const auto& [from, to] : {std::pair{&words, &out.words_}, {&looks, &out.signatures_}}) {
    for (const auto& [key, entries] : *from) {
      to->keys.push_back(key);
      to->first.push_back(static_cast<std::int32_t>(to->tags.size()));
      for (const auto& [tag, n] : entries) {
        to->tags.push_back(tag);
        to->counts.push_back(n);
      }
    }
    to->first.push_back(static_cast<std::int32_t>(to->tags.size()));
  }
  return out;
}

int Lexicon::Table::find(std::uint64_t key) const {
  const auto at = std::lower_bound(keys.begin(), keys.end(), key);
  return at == keys.end() || *at != key ? -1 : static_cast<int>(at - keys.begin());
}

int Lexicon::find_tag(std::string_view name) const {
  const auto at = std::lower_bound(tags_.begin(), tags_.end(), name);
  return at == tags_.end() || *at != name ? -1 : static_cast<int>(at - tags_.begin());
}

int Lexicon::seen(std::string_view word) const {
  const int w = words_.find(hash_of(word));
  if (w < 0) return 0;
  int total = 0;
  for (int i = words_.first[w]; i < words_.first[w + 1]; ++i) total += words_.counts[i];
  return total;
}

WordClass Lexicon::word_class(std::string_view word) const {
  if (classes_.empty()) return {};
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return WordClasses(classes_).find(word_class_key(lower));
}

void Lexicon::add_signature(std::uint64_t key, double share, std::vector<float>& p) const {
  const int s = signatures_.find(key);
  double total = 0;
  for (int i = signatures_.first[s]; i < signatures_.first[s + 1]; ++i) {
    total += signatures_.counts[i];
  }
  for (int i = signatures_.first[s]; i < signatures_.first[s + 1]; ++i) {
    p[signatures_.tags[i]] += static_cast<float>(share * signatures_.counts[i] / total);
  }
}

void Lexicon::candidates(std::string_view word, bool first, std::vector<TagCandidate>& out) const {
  static thread_local std::vector<float> p;
  p.assign(tags_.size(), 0.0F);
  const int w = words_.find(hash_of(word));
  int total = 0;
  if (w >= 0) {
    for (int i = words_.first[w]; i < words_.first[w + 1]; ++i) total += words_.counts[i];
  }
  if (total < kFrequent) {
    // Sharper signatures count more: each takes most of what is left.
    double left = 1;
    const auto keys = signatures(word, first);
    for (int level = 0; level < kLevels; ++level) {
      if (signatures_.find(keys[level]) < 0) continue;
      const double share = level == kLevels - 1 ? left : 0.8 * left;
      add_signature(keys[level], share, p);
      left -= share;
    }
    for (float& x : p) {
      if (x < kLeast) x = 0;
      x *= static_cast<float>(kPrior);
    }
  }
  if (w >= 0) {
    for (int i = words_.first[w]; i < words_.first[w + 1]; ++i) {
      p[words_.tags[i]] += static_cast<float>(words_.counts[i]);
    }
  }
  const double all = total + (total < kFrequent ? kPrior : 0);
  out.clear();
  for (int t = 0; t < tags(); ++t) {
    if (p[t] > 0) out.push_back({t, static_cast<float>(std::log(p[t] / all)) - log_p_[t]});
  }
  if (static_cast<int>(out.size()) > kMost) {
    std::stable_sort(out.begin(), out.end(), [&](const TagCandidate& a, const TagCandidate& b) {
      return p[a.tag] > p[b.tag];
    });
    out.resize(kMost);
  }
}

void Lexicon::write(ModelWriter& writer, const std::string& prefix) const {
  writer.add_strings(prefix + "/tags", tags_);
  writer.add<float>(prefix + "/tag_p", log_p_);
  if (has_classes()) writer.add<WordClass>(prefix + "/classes/table", classes_);
  for (const auto& [name, t] : {std::pair{"/words", &words_}, {"/looks", &signatures_}}) {
    writer.add<std::uint64_t>(prefix + name, t->keys);
    writer.add<std::int32_t>(prefix + name + "/first", t->first);
    writer.add<std::int32_t>(prefix + name + "/tags", t->tags);
    writer.add<std::int32_t>(prefix + name + "/counts", t->counts);
  }
}

Lexicon::Table Lexicon::read_table(const ModelFile& file, const std::string& name, int tags) {
  Table t;
  const auto keys = file.array<std::uint64_t>(name);
  const auto first = file.array<std::int32_t>(name + "/first");
  const auto of = file.array<std::int32_t>(name + "/tags");
  const auto counts = file.array<std::int32_t>(name + "/counts");
  bool good = first.size() == keys.size() + 1 && of.size() == counts.size() && first[0] == 0 &&
              first.back() == static_cast<std::int32_t>(of.size());
  for (std::size_t i = 0; good && i < keys.size(); ++i) {
    good = first[i] < first[i + 1] && (i == 0 || keys[i - 1] < keys[i]);
  }
  for (std::size_t i = 0; good && i < of.size(); ++i) {
    good = of[i] >= 0 && of[i] < tags && counts[i] > 0;
  }
  if (!good) file.fail("section \"" + name + "\" is damaged");
  t.keys.assign(keys.begin(), keys.end());
  t.first.assign(first.begin(), first.end());
  t.tags.assign(of.begin(), of.end());
  t.counts.assign(counts.begin(), counts.end());
  return t;
}

Lexicon Lexicon::read(const ModelFile& file, const std::string& prefix) {
  Lexicon out;
  out.tags_ = file.strings(prefix + "/tags");
  const auto p = file.array<float>(prefix + "/tag_p");
  if (p.size() != out.tags_.size() || p.empty() ||
      !std::is_sorted(out.tags_.begin(), out.tags_.end())) {
    file.fail("section \"" + prefix + "/tags\" is damaged");
  }
  out.log_p_.assign(p.begin(), p.end());
  out.words_ = read_table(file, prefix + "/words", out.tags());
  const WordClasses classes(file, prefix + "/classes");
  out.classes_.assign(classes.entries().begin(), classes.entries().end());
  out.signatures_ = read_table(file, prefix + "/looks", out.tags());
  if (out.signatures_.keys.empty()) file.fail("section \"" + prefix + "/looks\" is damaged");
  return out;
}

}  // namespace entente::constituency
