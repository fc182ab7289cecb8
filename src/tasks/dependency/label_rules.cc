#include "tasks/dependency/label_rules.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace entente::dependency {

namespace {

constexpr double kBroken = 0.001;       // the largest share of cases against a rule
constexpr double kLeastExpected = 15;   // pairs expected by chance before their absence counts
constexpr int kLeastHeads = 50;         // heads with a label before its doubling is judged
constexpr std::size_t kMostWords = 20;  // of a closed class, not counting
constexpr int kRareWord = 3;            // those seen less often than this, which are slips
constexpr double kSlips = 0.01;         // and at most this share of the uses
constexpr int kLeastUses = 100;         // of a label before its words are a closed class
constexpr double kMarked = 0.002;       // the largest share of words against `bare`
constexpr const char* kPreposition = "case";
constexpr double kNeedShare = 0.8, kTagShare = 0.02, kAloneShare = 0.5;

// What a treebank has under its heads.
struct Tally {
  explicit Tally(std::size_t labels) : n(labels), heads(n), doubled(n), uses(n), words(n), tags(n) {
    pairs.assign(n * n, 0);
  }
  void add(const Sentence& s, const LabelSet& set, Atoms& atoms) {
    atoms.read(s.words);
    std::map<int, std::vector<int>> by_head;
    for (int m = 1; m <= s.size(); ++m) {
      const int label = set.find(s.words[m - 1].deprel);
      by_head[s.words[m - 1].head].push_back(label);
      ++uses[label];
      ++words[label][atoms[m].lemma];
    }
    for (auto& [h, labels] : by_head) {
      ++total;
      std::sort(labels.begin(), labels.end());
      std::vector<int> different;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        if (i > 0 && labels[i] == labels[i - 1]) {
          if (i < 2 || labels[i] != labels[i - 2]) ++doubled[labels[i]];
        } else {
          different.push_back(labels[i]);
        }
      }
      for (int a : different) {
        ++heads[a];
        ++tags[a][atoms[h].tag];
        for (int b : different) ++pairs[a * n + b];
      }
    }
  }

  std::size_t n;
  double total = 0;
  std::vector<int> heads, doubled, uses;
  std::vector<std::map<std::uint64_t, int>> words, tags;
  std::vector<int> pairs;
};

// The words of a label, in order; none if they are too many to be a closed class.
std::vector<std::uint64_t> closed_class(const std::map<std::uint64_t, int>& words, int uses) {
  std::vector<std::uint64_t> often;
  int slips = 0;
  for (const auto& [word, count] : words) {
    if (count >= kRareWord) {
      often.push_back(word);
    } else {
      slips += count;
    }
  }
  if (often.size() > kMostWords || slips > kSlips * uses) often.clear();
  return often;
}

}  // namespace

bool* LabelSwitches::find(std::string_view name) {
  if (name == "once") return &once;
  if (name == "apart") return &apart;
  if (name == "needs") return &needs;
  if (name == "bare") return &bare;
  return name == "words" ? &words : nullptr;
}

// Judged by how many words with the label would have a preposition if its words had as many as all do.
void LabelRules::find_bare(std::span<const Sentence> sentences, const LabelSet& set) {
  bare_.assign(labels_, kFree);
  const int preposition = set.find(kPreposition);
  if (preposition < 0) return;
  std::vector<double> uses(labels_), marked(labels_);
  double all_uses = 0, all_marked = 0;
  for (const Sentence& s : sentences) {
    std::vector<std::uint8_t> has(s.words.size() + 1);
    for (const Word& w : s.words) has[w.head] |= set.find(w.deprel) == preposition;
    for (std::size_t m = 1; m <= s.words.size(); ++m) {
      const int label = set.find(s.words[m - 1].deprel);
      uses[label] += 1;
      marked[label] += has[m];
      all_uses += 1;
      all_marked += has[m];
    }
  }
  for (std::size_t a = 0; a < labels_; ++a) {
    const double expected = uses[a] * all_marked / all_uses;
    if (expected >= kLeastExpected && marked[a] <= kMarked * expected) bare_[a] = kBare;
  }
  bare_[preposition] = kMarks;
}

LabelRules LabelRules::of(std::span<const Sentence> sentences, const LabelSet& set) {
  LabelRules out;
  const std::size_t n = out.labels_ = set.names().size();
  Tally t(n);
  Atoms atoms;
  for (const Sentence& s : sentences) t.add(s, set, atoms);
  out.apart_.assign(n * n, 0);
  out.first_word_.push_back(0);
  for (std::size_t a = 0; a < n; ++a) {
    if (t.heads[a] >= kLeastHeads && t.doubled[a] <= kBroken * t.heads[a])
      out.apart_[a * n + a] = 1;
    for (std::size_t b = 0; b < n; ++b) {
      const double expected = t.heads[a] * static_cast<double>(t.heads[b]) / t.total;
      if (a != b && expected >= kLeastExpected && t.pairs[a * n + b] <= kBroken * expected) {
        out.apart_[a * n + b] = 1;
      }
    }
    if (t.uses[a] >= kLeastUses) {
      const std::vector<std::uint64_t> words = closed_class(t.words[a], t.uses[a]);
      out.words_.insert(out.words_.end(), words.begin(), words.end());
    }
    out.first_word_.push_back(static_cast<std::uint32_t>(out.words_.size()));
  }
  out.find_bare(sentences, set);
  // A label that hardly ever stands without another one, but under a few kinds of heads.
  std::map<std::pair<std::size_t, std::size_t>, std::map<std::uint64_t, int>> alone;
  std::vector<std::pair<std::size_t, std::size_t>> likely;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      if (a != b && t.heads[a] >= kLeastUses && t.pairs[a * n + b] >= kNeedShare * t.heads[a]) {
        likely.emplace_back(a, b);
      }
    }
  }
  for (const Sentence& s : sentences) {
    if (likely.empty()) break;
    atoms.read(s.words);
    std::map<int, std::set<int>> by_head;
    for (const Word& w : s.words) by_head[w.head].insert(set.find(w.deprel));
    for (const auto& [h, labels] : by_head) {
      for (const auto& [a, b] : likely) {
        if (labels.contains(static_cast<int>(a)) && !labels.contains(static_cast<int>(b))) {
          ++alone[{a, b}][atoms[h].tag];
        }
      }
    }
  }
  for (const auto& [a, b] : likely) {
    Need need{static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b),
              static_cast<std::uint32_t>(out.tags_.size()), 0};
    int left = 0, excused = 0;
    for (const auto& [tag, count] : alone[{a, b}]) {
      if (count >= kTagShare * t.heads[a]) {
        out.tags_.push_back(tag);
        excused += t.tags[a][tag];
        ++need.tags;
      } else {
        left += count;
      }
    }
    // Where most heads are excused, or too many are not, it is no rule.
    if (left <= kBroken * 10 * t.heads[a] && excused <= kAloneShare * t.heads[a]) {
      out.needs_.push_back(need);
    } else {
      out.tags_.resize(need.first_tag);
    }
  }
  return out;
}

LabelRules::LabelRules(const ModelFile& file, const std::string& name, std::size_t labels)
    : labels_(labels) {
  const auto copy = [&](auto& to, const std::string& section) {
    using T = typename std::remove_reference_t<decltype(to)>::value_type;
    const auto from = file.array<T>(name + section);
    to.assign(from.begin(), from.end());
  };
  copy(apart_, "/apart");
  copy(needs_, "/needs");
  copy(tags_, "/tags");
  copy(first_word_, "/first_word");
  copy(words_, "/words");
  bare_.assign(labels, kFree);
  if (file.has(name + "/bare")) copy(bare_, "/bare");  // models from before the rule have none
  bool good = bare_.size() == labels && apart_.size() == labels * labels &&
              first_word_.size() == labels + 1 &&
              std::is_sorted(first_word_.begin(), first_word_.end()) && first_word_.front() == 0 &&
              first_word_.back() == words_.size();
  for (const Need& n : needs_) {
    good = good && n.label < labels && n.other < labels && n.first_tag <= tags_.size() &&
           n.tags <= tags_.size() - n.first_tag;
  }
  if (!good) file.fail("the rules of section \"" + name + "\" do not fit together");
}

void LabelRules::write(ModelWriter& writer, const std::string& name) const {
  writer.add<std::uint8_t>(name + "/apart", apart_);
  writer.add<Need>(name + "/needs", needs_);
  writer.add<std::uint64_t>(name + "/tags", tags_);
  writer.add<std::uint32_t>(name + "/first_word", first_word_);
  writer.add<std::uint64_t>(name + "/words", words_);
  writer.add<std::uint8_t>(name + "/bare", bare_);
}

bool LabelRules::fits(std::uint16_t label, std::uint64_t lemma) const {
  const auto begin = words_.begin() + first_word_[label],
             end = words_.begin() + first_word_[label + 1];
  return begin == end || std::binary_search(begin, end, lemma);
}

bool LabelRules::excused(const Need& need, std::uint64_t tag) const {
  const auto begin = tags_.begin() + need.first_tag;
  return std::find(begin, begin + need.tags, tag) != begin + need.tags;
}

std::vector<std::string> LabelRules::describe(const LabelSet& set) const {
  std::vector<std::string> out;
  const auto& names = set.names();
  for (std::size_t a = 0; a < labels_; ++a) {
    if (apart_[a * labels_ + a]) out.push_back("once " + names[a]);
  }
  for (std::size_t a = 0; a < labels_; ++a) {
    for (std::size_t b = a + 1; b < labels_; ++b) {
      if (apart_[a * labels_ + b]) out.push_back("apart " + names[a] + " " + names[b]);
    }
  }
  for (std::size_t a = 0; a < labels_; ++a) {
    if (bare_[a] == kBare) out.push_back("bare " + names[a]);
  }
  for (const Need& n : needs_) out.push_back("needs " + names[n.label] + " " + names[n.other]);
  for (std::size_t a = 0; a < labels_; ++a) {
    if (first_word_[a] != first_word_[a + 1]) {
      out.push_back("words " + names[a] + ": " +
                    std::to_string(first_word_[a + 1] - first_word_[a]));
    }
  }
  return out;
}

// ---- the choice

void LabelChoice::begin() {
  options_.clear();
  first_.clear();
  end_.clear();
  lemmas_.clear();
  marked_.clear();
}

void LabelChoice::add(std::span<const std::uint16_t> labels, std::span<const float> scores,
                      std::uint64_t lemma, bool marked) {
  first_.push_back(static_cast<std::uint32_t>(options_.size()));
  for (std::size_t i = 0; i < labels.size(); ++i) options_.push_back({scores[i], labels[i]});
  end_.push_back(static_cast<std::uint32_t>(options_.size()));
  lemmas_.push_back(lemma);
  marked_.push_back(marked);
}

// Options that the words rule out; a word that would have none keeps all.
void LabelChoice::drop_unfit(const LabelRules& rules, const LabelSwitches& on) {
  for (int i = 0; i < size(); ++i) {
    const auto keep = [&](auto good) {
      const auto begin = options_.begin() + first_[i], end = options_.begin() + end_[i];
      const auto kept =
          std::stable_partition(begin, end, [&](const Option& o) { return good(o.label); });
      if (kept != begin) end_[i] = static_cast<std::uint32_t>(kept - options_.begin());
    };
    if (rules.empty()) continue;
    if (on.words) keep([&](std::uint16_t label) { return rules.fits(label, lemmas_[i]); });
    if (on.bare && marked_[i]) keep([&](std::uint16_t label) { return !rules.bare(label); });
  }
}

bool LabelChoice::clashes(int depth, std::uint16_t label) const {
  for (int i = 0; i < depth; ++i) {
    if (!rules_->together(trial_[i], label, on_)) return true;
  }
  return false;
}

bool LabelChoice::obeys(std::span<const std::uint16_t> labels) const {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!rules_->together(labels[j], labels[i], on_)) return false;
    }
  }
  if (!on_.needs) return true;
  auto has = [&](std::uint16_t l) {
    return std::find(labels.begin(), labels.end(), l) != labels.end();
  };
  for (const LabelRules::Need& need : rules_->needs()) {
    if (has(need.label) && !has(need.other) && !rules_->excused(need, head_tag_)) return false;
  }
  return true;
}

void LabelChoice::search(int depth, double value) {
  if (value + rest_[depth] <= value_ || ++nodes_ > kMostNodes) return;
  if (depth == size()) {
    if (!obeys(trial_)) return;
    value_ = value;
    chosen_ = trial_;
    lawful_ = true;
    return;
  }
  for (const Option& o : options(depth)) {
    if (value + o.score + rest_[depth + 1] <= value_) return;  // the others are worth less
    if (clashes(depth, o.label)) continue;
    trial_[depth] = o.label;
    search(depth + 1, value + o.score);
  }
}

void LabelChoice::solve(const LabelRules& rules, const LabelSwitches& on, std::uint64_t head_tag) {
  rules_ = &rules;
  on_ = on;
  head_tag_ = head_tag;
  proven_ = lawful_ = true;
  drop_unfit(rules, on);
  chosen_.resize(lemmas_.size());
  value_ = 0;
  auto better = [](const Option& a, const Option& b) { return a.score > b.score; };
  for (int i = 0; i < size(); ++i) {
    // max_element takes the first of equals, as stable_sort below keeps them in order.
    const auto best =
        std::max_element(options(i).begin(), options(i).end(),
                         [](const Option& a, const Option& b) { return a.score < b.score; });
    chosen_[i] = best->label;
    value_ += best->score;
  }
  if (rules.empty() || !on.any() || obeys(chosen_)) return;
  for (int i = 0; i < size(); ++i) {
    std::stable_sort(options_.begin() + first_[i], options_.begin() + end_[i], better);
  }
  rest_.assign(lemmas_.size() + 1, 0);
  for (int i = size(); i-- > 0;) rest_[i] = rest_[i + 1] + options(i)[0].score;
  const double free = value_;
  trial_.assign(lemmas_.size(), 0);
  value_ = -std::numeric_limits<double>::infinity();
  nodes_ = 0;
  lawful_ = false;
  search(0, 0);
  proven_ = nodes_ <= kMostNodes;
  if (!lawful_) value_ = free;
}

}  // namespace entente::dependency
