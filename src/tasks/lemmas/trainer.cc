#include "tasks/lemmas/trainer.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "learn/hash.h"
#include "learn/online_trainer.h"
#include "learn/row_training.h"

namespace entente::lemmas {
namespace {

constexpr const char* kCheckpoint = "lemmas checkpoint";
constexpr int kWorthOffering = 2;  // different words a script must have had to be tried on others

// The most frequent script of each key; keys in the order they were met.
class Votes {
 public:
  void add(std::uint64_t key, std::uint32_t script) {
    const auto [it, fresh] = index_.try_emplace(key, keys_.size());
    if (fresh) {
      keys_.push_back(key);
      counts_.emplace_back();
    }
    counts_[it->second][script] += 1;
  }
  std::size_t size() const { return keys_.size(); }
  std::uint64_t key(std::size_t i) const { return keys_[i]; }
  std::uint32_t winner(std::size_t i) const {  // of equals the one with the lowest number
    const auto more = [](const auto& a, const auto& b) { return a.second < b.second; };
    return std::max_element(counts_[i].begin(), counts_[i].end(), more)->first;
  }
  std::uint32_t winner_of(std::uint64_t key) const { return winner(index_.at(key)); }

 private:
  std::unordered_map<std::uint64_t, std::size_t> index_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::map<std::uint32_t, int>> counts_;
};

}  // namespace

LemmaTrainer::LemmaTrainer(std::span<const Sentence> train, const TrainerSettings& settings,
                           Monitor& monitor)
    : train_(train), settings_(settings), monitor_(monitor) {}

void LemmaTrainer::collect() {
  std::map<EditScript, std::uint32_t> numbers;
  std::unordered_map<std::uint64_t, std::uint32_t> script_of;  // form and lemma
  std::unordered_set<std::uint64_t> met;
  Votes by_upos, by_xpos;
  std::unordered_map<std::uint64_t, std::uint64_t> shorter;  // keys with XPOS to keys without
  monitor_.stage("lemmas: words", static_cast<std::int64_t>(train_.size()));
  for (std::size_t s = 0; s < train_.size(); ++s) {
    const bool shouting = word_.is_shouting(train_[s]);
    for (int i = 0; i < train_[s].size(); ++i) {
      const Word& w = train_[s].words[i];
      const std::uint64_t pair = mix(hash_of(w.form), hash_of(w.lemma));
      const auto [at, fresh] = script_of.try_emplace(pair, 0);
      if (fresh) {
        const EditScript script = find_script(w.form, w.lemma);
        at->second =
            numbers.try_emplace(script, static_cast<std::uint32_t>(numbers.size())).first->second;
        if (at->second == model_.scripts.size()) model_.scripts.push_back(script);
      }
      const std::uint64_t key = known_key(w), longer = known_key_with_xpos(w);
      by_upos.add(key, at->second);
      by_xpos.add(longer, at->second);
      shorter.emplace(longer, key);
      const std::uint64_t looks = (i == 0 ? 2u : 0u) + (shouting ? 1u : 0u);
      if (met.insert(mix(mix(longer, pair), looks)).second) {
        examples_.push_back({static_cast<int>(s), i, at->second, shouting});
      }
    }
    monitor_.advance(1);
  }
  std::vector<std::pair<std::uint64_t, KnownLemma>> entries;
  for (std::size_t k = 0; k < by_upos.size(); ++k) {
    entries.push_back({by_upos.key(k), {.script = by_upos.winner(k)}});
  }
  for (std::size_t k = 0; k < by_xpos.size(); ++k) {  // only those that say something else
    const std::uint32_t winner = by_xpos.winner(k);
    if (winner != by_upos.winner_of(shorter.at(by_xpos.key(k)))) {
      entries.push_back({by_xpos.key(k), {.script = winner}});
    }
  }
  known_ = make_flat_table<KnownLemma>(entries);
  model_.known = FlatTable<KnownLemma>(known_);
}

void LemmaTrainer::list_by_upos() {
  std::map<std::string, std::map<std::uint32_t, int>> counts;  // "" for all
  for (const Example& e : examples_) {
    counts[train_[e.sentence].words[e.word].upos][e.script] += 1;
    counts[""][e.script] += 1;
  }
  counts[""];  // there even without examples
  model_.first_of.assign(1, 0);
  const auto add = [&](const std::string& upos) {
    std::vector<std::pair<std::uint32_t, int>> list(counts[upos].begin(), counts[upos].end());
    std::erase_if(list, [](const auto& item) { return item.second < kWorthOffering; });
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& item : list) model_.scripts_by_upos.push_back(item.first);
    model_.upos.push_back(upos);
    model_.first_of.push_back(static_cast<std::uint32_t>(model_.scripts_by_upos.size()));
  };
  for (const auto& item : counts) {
    if (!item.first.empty()) add(item.first);
  }
  add("");
}

// All features are kept: the list of words is short, and rare words are what it is about.
void LemmaTrainer::choose_features() {
  SeenTwice seen;
  for (bool twice : {false, true}) {  // twice: every one counts
    for (const Example& e : examples_) {
      word_.read(train_[e.sentence], e.word, e.shouting, features_);
      for (std::uint64_t f : features_) {
        if (twice) {
          rows_.mark(f);
        } else {
          seen.see(f);
        }
      }
    }
    if (!twice) rows_ = TrainingRows(seen.line_bits(settings_.line_bits));
  }
}

bool LemmaTrainer::run(const std::string& checkpoint, std::span<const Sentence> dev) {
  collect();
  list_by_upos();
  choose_features();
  const OnlinePlan plan{.name = "lemmas",
                        .epochs = settings_.epochs,
                        .examples = examples_.size(),
                        .seed = settings_.seed,
                        .rate = settings_.rate,
                        .checkpoint = checkpoint,
                        .checkpoint_task = kCheckpoint,
                        .fingerprint = fingerprint()};
  const OnlineLearner learner{.learn =
                                  [&](std::span<const int> examples, const OnlineStep& step) {
                                    for (const int e : examples)
                                      learn(examples_[e], static_cast<float>(step.rate),
                                            step.random);
                                  },
                              .end_epoch =
                                  [&](int epoch) {
                                    if (epoch >= settings_.epochs * 2 / 5) rows_.add_to_average();
                                    report(epoch, dev);
                                  },
                              .save = [&](ModelWriter& writer) { rows_.save(writer, "rows"); },
                              .load = [&](const ModelFile& file) { rows_.load(file, "rows"); }};
  return train_online(plan, learner, monitor_);
}

void LemmaTrainer::learn(const Example& e, float rate, Random& random) {
  const Word& word = train_[e.sentence].words[e.word];
  form_.read(word.form);
  find_candidates(model_, word.upos, form_, candidates_);
  const auto right = std::find(candidates_.begin(), candidates_.end(), e.script);
  if (right == candidates_.end() || candidates_.size() < 2) return;
  word_.read(train_[e.sentence], e.word, e.shouting, features_);
  std::erase_if(features_, [&](std::uint64_t) { return random.chance(settings_.hide); });
  learn_choice<std::uint32_t>(rows_, features_, candidates_,
                              static_cast<int>(right - candidates_.begin()), rate, scores_);
}

void LemmaTrainer::report(int epoch, std::span<const Sentence> dev) const {
  const PackedRows packed = rows_.packed();
  LemmaModel model = model_;
  model.rows = RowView(packed);
  const Lemmatizer lemmatizer(std::move(model));
  LemmaScratch scratch;
  std::int64_t words = 0, right = 0;
  Sentence copy;
  for (const Sentence& gold : dev) {
    copy.words = gold.words;
    lemmatizer.annotate(copy, scratch);
    words += gold.size();
    for (int i = 0; i < gold.size(); ++i) right += copy.words[i].lemma == gold.words[i].lemma;
  }
  if (words == 0) return;
  monitor_.say("lemmas: epoch " + std::to_string(epoch + 1) + "/" +
               std::to_string(settings_.epochs) + ", dev Lemmas " + percent(right, words) +
               " with the tags given");
}

std::uint64_t LemmaTrainer::fingerprint() const {
  std::uint64_t h = mix(kFeatureVersion, settings_.seed);
  for (double x : {static_cast<double>(settings_.epochs), settings_.rate, settings_.hide,
                   static_cast<double>(settings_.line_bits)}) {
    h = mix(h, hash_of(std::to_string(x)));
  }
  for (const Sentence& s : train_) {
    for (const Word& w : s.words) h = mix(mix(h, known_key_with_xpos(w)), hash_of(w.lemma));
    h = mix(h, 1);
  }
  return h;
}

void LemmaTrainer::write(ModelWriter& writer) const {
  writer.add_number("lemmas/version", static_cast<double>(kFeatureVersion));
  std::vector<std::string> scripts;
  for (const EditScript& s : model_.scripts) scripts.push_back(to_text(s));
  writer.add_strings("lemmas/scripts", scripts);
  writer.add_strings("lemmas/upos", model_.upos);
  writer.add<std::uint32_t>("lemmas/first_of", model_.first_of);
  writer.add<std::uint32_t>("lemmas/scripts_by_upos", model_.scripts_by_upos);
  writer.add<KnownLemma>("lemmas/known", known_);
  rows_.packed().write(writer, "lemmas/weights");
}

}  // namespace entente::lemmas
