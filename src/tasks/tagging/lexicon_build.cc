// Counting the words of a corpus into a Lexicon.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "tasks/tagging/lexicon.h"

namespace entente::tagging {
namespace {

constexpr int kRare = 10;         // forms up to this often say what endings mean
constexpr int kSureWord = 50;     // a form this often has shown all its tags
constexpr int kEndingClass = 10;  // an ending this often describes a word,
constexpr int kEndingSure = 30;   // and this often names its candidates
constexpr double kEndingShare = 0.002, kClassShare = 0.05;
constexpr std::size_t kMostInClass = 4;

struct Count {
  Label label;
  int times;
};

struct Counts {
  std::vector<Count> labels;
  int total = 0;

  void add(Label label, int times) {
    total += times;
    for (Count& c : labels) {
      if (c.label == label) {
        c.times += times;
        return;
      }
    }
    labels.push_back({label, times});
  }
  void sort() {
    std::sort(labels.begin(), labels.end(), [](const Count& a, const Count& b) {
      return a.times != b.times ? a.times > b.times : a.label < b.label;
    });
  }
  // Labels with at least `share` of the total, most frequent first; at least one.
  std::vector<Label> top(double share, std::size_t most) const {
    std::vector<Label> out;
    for (const Count& c : labels) {
      if (out.size() < most && (out.empty() || c.times >= share * total)) out.push_back(c.label);
    }
    return out;
  }
};

// Keys in the order they were first met, so that the result does not depend on a library's hashes.
template <typename Key>
class Tally {
 public:
  Counts& operator[](const Key& key) {
    const auto [it, fresh] = index_.try_emplace(key, items_.size());
    if (fresh) items_.emplace_back(key, Counts());
    return items_[it->second].second;
  }
  std::vector<std::pair<Key, Counts>>& items() { return items_; }

 private:
  std::unordered_map<Key, std::size_t> index_;
  std::vector<std::pair<Key, Counts>> items_;
};

class Builder {
 public:
  explicit Builder(std::size_t labels) { data_.most = most_candidates(labels); }
  LexiconData build(std::span<const TaggedWord> words) {
    for (const TaggedWord& w : words) forms_[w.form].add(w.label, 1);
    WordShape shape;
    for (auto& [form, counts] : forms_.items()) {
      shape.read(form);
      const WordKeys keys = word_keys(shape, form);
      counts.sort();
      add_entry(keys.form, counts, 0, counts.total >= kSureWord);
      for (const Count& c : counts.labels) {
        lowers_[keys.lower].add(c.label, c.times);
        for (int n = 0; counts.total <= kRare && n <= keys.last_ending; ++n) {
          endings_[keys.endings[n]].add(c.label, c.times);
        }
      }
    }
    for (auto& [key, counts] : lowers_.items()) {
      counts.sort();
      add_entry(key, counts, 0, false);
    }
    for (auto& [key, counts] : endings_.items()) {
      if (counts.total < kEndingClass) continue;
      counts.sort();
      add_entry(key, counts, kEndingShare, counts.total >= kEndingSure);
    }
    make_table();
    return std::move(data_);
  }

 private:
  void add_entry(std::uint64_t key, const Counts& counts, double share, bool sure) {
    LexiconEntry entry;
    entry.candidates = number(counts.top(share, data_.most)) | (sure ? 0x80000000u : 0);
    entry.ambiguity = number(counts.top(kClassShare, kMostInClass));
    entries_.emplace_back(key, entry);
  }
  std::uint32_t number(const std::vector<Label>& set) {
    if (data_.set_first.empty()) data_.set_first.push_back(0);
    const auto [it, fresh] =
        sets_.try_emplace(set, static_cast<std::uint32_t>(data_.set_first.size() - 1));
    if (fresh) {
      data_.set_labels.insert(data_.set_labels.end(), set.begin(), set.end());
      data_.set_first.push_back(static_cast<std::uint32_t>(data_.set_labels.size()));
    }
    return it->second;
  }
  void make_table() {
    if (entries_.empty()) number({});  // empty entries point to set 0
    data_.table = make_flat_table<LexiconEntry>(entries_);
  }

  Tally<std::string_view> forms_;
  Tally<std::uint64_t> lowers_, endings_;
  std::vector<std::pair<std::uint64_t, LexiconEntry>> entries_;
  std::map<std::vector<Label>, std::uint32_t> sets_;
  LexiconData data_;
};

}  // namespace

LexiconData build_lexicon(std::span<const TaggedWord> words, std::size_t labels) {
  return Builder(labels).build(words);
}

}  // namespace entente::tagging
