#include "tasks/translation/language_model.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/files.h"
#include "base/text.h"
#include "entente/error.h"
#include "learn/hash.h"

namespace entente::translation {

namespace {

constexpr std::string_view kStart = "<s>", kEnd = "</s>", kUnknown = "<unk>";
constexpr float kNoUnknown = -7;  // where the file has no <unk>

std::uint64_t key_of(std::uint64_t rest, WordHash first) { return spread(mix(rest, first)); }

}  // namespace

WordHash LanguageModel::word(std::string_view text) const {
  const WordHash hash = hash_of(text);
  return find(1, hash) ? hash : unknown_;
}

bool LanguageModel::knows(std::string_view text) const { return find(1, hash_of(text)) != nullptr; }

Context LanguageModel::start() const {
  Context c{.complete = true};
  if (order_ > 1) c.words[c.size++] = start_;
  return c;
}

float LanguageModel::score(WordHash word, const Context& context, Context& next) const {
  // The longest n-gram that ends with the word and fits the context.
  const Entry* longest = find(1, word);
  std::uint64_t key = word;
  int matched = 0;  // words of context in it
  // What the context after the word is made of: its n-grams that something
  // longer begins with.
  std::array<bool, kMaxOrder> extends{};
  if (longest && longest->flags & 1) extends[0] = true;
  const Entry* found = longest;
  while (found && matched < context.size && matched + 2 <= order_) {
    key = key_of(key, context.words[matched]);
    found = find(matched + 2, key);
    if (!found) break;
    longest = found;
    ++matched;
    extends[matched] = found->flags & 1;
  }
  float score = longest ? longest->probability : kNoUnknown;
  const bool all_known = context.complete || context.size >= order_ - 1;
  if (matched == context.size && !all_known) {
    score = longest ? longest->best : kNoUnknown;
  } else if (matched < context.size) {
    // Back off from every longer context that there is.
    std::uint64_t back = context.words[0];
    float more = 0;
    for (int k = 1; k <= context.size; ++k) {
      if (k > 1) back = key_of(back, context.words[k - 1]);
      const Entry* e = find(k, back);
      if (!e) break;
      if (k > matched) score += e->back_off;
      if (k == context.size) more = e->best_back_off;
    }
    if (!all_known) score += more;
  }
  // The context after the word: as long as some n-gram begins with it.
  Context after;
  int keep = 0;
  const int most = std::min(matched + 1, order_ - 1);
  for (int k = 0; k < most; ++k) {
    if (extends[k]) keep = k + 1;
  }
  after.size = static_cast<std::int8_t>(keep);
  if (keep > 0) after.words[0] = word;
  for (int k = 1; k < keep; ++k) after.words[k] = context.words[k - 1];
  // Words that are not kept cannot matter, known or not, unless everything
  // known was kept and more may stand before it.
  after.complete = keep == order_ - 1 || keep < context.size + 1 || all_known;
  next = after;
  return score;
}

void LanguageModel::use_owned() {
  for (std::size_t k = 0; k < owned_.size(); ++k) tables_[k] = FlatTable<Entry>(owned_[k]);
  words_ = owned_words_;
  for (std::size_t k = 0; k < owned_grams_.size(); ++k) grams_[k] = owned_grams_[k];
}

void LanguageModel::write(ModelWriter& writer) const {
  writer.add_number("lm/order", order_);
  std::vector<double> counts(counts_.begin(), counts_.begin() + order_);
  writer.add<double>("lm/counts", counts);
  for (int k = 0; k < order_; ++k) {
    writer.add<Entry>("lm/" + std::to_string(k + 1), tables_[k].entries());
    writer.add<std::uint32_t>("lm/grams/" + std::to_string(k + 1), grams_[k]);
  }
  writer.add<std::uint64_t>("lm/words", words_);
}

LanguageModel::LanguageModel(const ModelFile& file)
    : start_(hash_of(kStart)), end_(hash_of(kEnd)), unknown_(hash_of(kUnknown)) {
  const double order = file.number("lm/order");
  const auto counts = file.array<double>("lm/counts");
  if (!(order >= 1 && order <= kMaxOrder) || counts.size() != static_cast<std::size_t>(order)) {
    file.fail("the sections of the language model do not fit together");
  }
  order_ = static_cast<int>(order);
  words_ = file.array<std::uint64_t>("lm/words");
  for (int k = 0; k < order_; ++k) {
    counts_[k] = static_cast<std::size_t>(counts[k]);
    tables_[k] = FlatTable<Entry>(file, "lm/" + std::to_string(k + 1));
    grams_[k] = file.array<std::uint32_t>("lm/grams/" + std::to_string(k + 1));
    if (grams_[k].size() % (k + 1) != 0 ||
        std::any_of(grams_[k].begin(), grams_[k].end(),
                    [&](std::uint32_t w) { return w >= words_.size(); })) {
      file.fail("the n-grams of the language model are damaged");
    }
    for (const Entry& e : tables_[k].entries()) {
      if (e.check != 0 && !(std::isfinite(e.probability) && std::isfinite(e.back_off) &&
                            std::isfinite(e.best) && std::isfinite(e.best_back_off))) {
        file.fail("the language model has numbers that are none");
      }
    }
  }
}

// N-grams in maps first: maxima over longer n-grams need all of them.
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
    for (int i = 1; i < n; ++i) k = key_of(k, words[i]);
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
    if (!tables_[0].count(hash_of(kUnknown))) {
      Gram unknown;
      unknown.words[0] = hash_of(kUnknown);
      unknown.entry.probability = kNoUnknown;
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
        if (gram.entry.flags & 2 || gram.words[0] == hash_of(kUnknown)) continue;
        if (n == 1) {
          gram.entry.probability = kNoUnknown;
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
    lm.start_ = hash_of(kStart);
    lm.end_ = hash_of(kEnd);
    lm.unknown_ = hash_of(kUnknown);
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

LanguageModel LanguageModel::restricted_to(std::span<const WordHash> words) const {
  std::vector<WordHash> wanted(words.begin(), words.end());
  wanted.insert(wanted.end(), {start_, end_, unknown_});
  std::sort(wanted.begin(), wanted.end());
  std::vector<bool> in(words_.size());
  for (std::size_t k = 0; k < words_.size(); ++k) {
    in[k] = std::binary_search(wanted.begin(), wanted.end(), words_[k]);
  }
  LmBuilder builder(order_);
  LmBuilder::keep(*this, in, builder);
  return builder.build(false);
}

class ArpaReader {
 public:
  explicit ArpaReader(LineSource& file) : file_(file) {}

  LanguageModel read() {
    read_counts();
    for (int n = 1; n <= order(); ++n) read_section(n);
    expect_line("\\end\\", "\\end\\");
    return builder_.build(true);
  }

 private:
  int order() const { return static_cast<int>(expected_.size()); }
  [[noreturn]] void fail(const std::string& message, int column = 1) const {
    throw Error(message, file_.place(column));
  }
  bool next() {  // the next line that is not empty
    while (file_.read_line(line_)) {
      while (!line_.empty() && (line_.back() == '\r' || line_.back() == ' ')) line_.pop_back();
      if (!line_.empty()) return true;
    }
    line_.clear();
    return false;
  }
  void expect_line(std::string_view wanted, const char* said) {
    if (line_ != wanted) fail(std::string("expected ") + said + ", found " + quoted(line_));
  }

  void read_counts() {
    do {
      if (!next()) fail("expected an ARPA language model: there is no \\data\\ line");
    } while (line_ != "\\data\\");
    while (next() && line_.starts_with("ngram ")) {
      const std::size_t equals = std::min(line_.find('='), line_.size() - 1);
      const std::string_view line = line_;
      const std::int64_t n = parse_integer(line.substr(6, equals - 6)).value_or(-1);
      const std::int64_t count = parse_integer(line.substr(equals + 1)).value_or(-1);
      if (n != order() + 1 || count < 0) {
        fail("expected `ngram " + std::to_string(order() + 1) + "=count`, found " + quoted(line_));
      }
      if (n > kMaxOrder) {
        fail("n-grams of more than " + std::to_string(kMaxOrder) + " words are not supported");
      }
      expected_.push_back(static_cast<std::size_t>(count));
    }
    if (expected_.empty()) fail("expected `ngram 1=count`, found " + quoted(line_));
    builder_ = LmBuilder(order());
  }

  void read_section(int n) {
    const std::string header = "\\" + std::to_string(n) + "-grams:";
    expect_line(header, header.c_str());
    std::size_t read = 0;
    while (next() && line_[0] != '\\') {
      read_gram(n);
      ++read;
    }
    if (read != expected_[n - 1]) {
      fail("expected " + std::to_string(expected_[n - 1]) + " " + std::to_string(n) +
           "-grams, found " + std::to_string(read));
    }
  }

  void read_gram(int n) {
    const std::string_view line = line_;
    std::size_t at = 0;
    const auto field = [&]() -> std::string_view {
      at = std::min(line.find_first_not_of(" \t", at), line.size());
      const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
      const std::string_view out = line.substr(at, end - at);
      at = end;
      return out;
    };
    const auto number = [&](std::string_view text, const char* what) {
      const auto value = parse_number(text);
      if (!value) {
        fail(std::string("expected ") + what + ", found " + quoted(text),
             static_cast<int>(at - text.size()) + 1);
      }
      return static_cast<float>(*value);
    };
    LmBuilder::Gram gram;
    gram.entry.probability = number(field(), "a log probability");
    for (int k = n - 1; k >= 0; --k) {
      const std::string_view text = field();
      if (text.empty()) {
        fail("expected " + std::to_string(n) + " words", static_cast<int>(at) + 1);
      }
      gram.words[k] = hash_of(text);
    }
    if (const std::string_view text = field(); !text.empty()) {
      gram.entry.back_off = number(text, "a back-off weight");
    }
    if (const std::string_view text = field(); !text.empty()) {
      fail("expected the end of the line, found " + quoted(text),
           static_cast<int>(at - text.size()) + 1);
    }
    gram.entry.flags = 2;
    if (!builder_.add(n, gram)) fail("this n-gram came before");
  }

  LineSource& file_;
  std::string line_;
  std::vector<std::size_t> expected_;
  LmBuilder builder_{1};
};

LanguageModel read_arpa(LineSource& file) { return ArpaReader(file).read(); }

}  // namespace entente::translation
