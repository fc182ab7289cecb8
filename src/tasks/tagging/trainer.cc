#include "tasks/tagging/trainer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_set>

#include "base/random.h"
#include "learn/hash.h"
#include "learn/online_trainer.h"
#include "learn/row_training.h"

namespace entente::tagging {
namespace {

constexpr float kNegligible = 1e-3f;      // gradients below this are left out
constexpr std::size_t kMostPairs = 1000;  // of UPOS and XPOS
constexpr const char* kCheckpoint = "tags checkpoint";

}  // namespace

Trainer::Trainer(const TrainingData& data, const TrainerSettings& settings, Monitor& monitor)
    : data_(data), settings_(settings), monitor_(monitor) {
  if (!settings.clusters.empty()) {
    class_table_ = read_word_classes(settings.clusters);
    classes_ = WordClasses(class_table_);
  }
  collect_tags();
}

int Trainer::part_of(int sentence) const {
  return static_cast<int>(static_cast<std::size_t>(sentence) * kParts / data_.train.size());
}

// Labels are numbered by frequency. Where pairs of tags are counted in thousands, XPOS is no tag
// set (in some treebanks it tells the syntax too) and would only blur UPOS: it is left alone then.
void Trainer::collect_tags() {
  using Name = std::pair<std::string_view, std::string_view>;
  std::map<Name, std::int64_t> counts;
  bool with_xpos = true;
  const auto name_of = [&](const Word& w) {
    return Name(w.upos, with_xpos ? std::string_view(w.xpos) : "_");
  };
  const auto count = [&] {
    counts.clear();
    for (const Sentence& s : data_.train) {
      for (const Word& w : s.words) counts[name_of(w)] += 1;
    }
  };
  count();
  if (counts.size() > kMostPairs) {
    with_xpos = false;
    monitor_.say("tagger: " + std::to_string(counts.size()) +
                 " different pairs of UPOS and XPOS are too many: XPOS is not learned");
    count();
  }
  using Item = std::pair<Name, std::int64_t>;
  std::vector<Item> items(counts.begin(), counts.end());
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.second > b.second; });
  if (items.empty()) items.push_back({{"_", "_"}, 0});
  if (items.size() > kBorder - 1u) items.resize(kBorder - 1u);
  std::map<std::string_view, std::uint16_t> upos, xpos;
  std::map<Name, Label> number;
  const auto name = [](auto& index, std::vector<std::string>& names, std::string_view text) {
    const auto [it, fresh] = index.try_emplace(text, static_cast<std::uint16_t>(names.size()));
    if (fresh) names.emplace_back(text);
    return it->second;
  };
  for (const Item& item : items) {
    number.emplace(item.first, static_cast<Label>(tags_.labels.size()));
    tags_.labels.push_back(
        {name(upos, tags_.upos, item.first.first), name(xpos, tags_.xpos, item.first.second)});
  }
  for (const Sentence& s : data_.train) {
    first_word_.push_back(labels_.size());
    for (const Word& w : s.words) {
      const auto it = number.find(name_of(w));
      labels_.push_back(it == number.end() ? Label{0} : it->second);
    }
  }
}

void Trainer::build_lexicons() {
  const auto build = [&](int without) {
    std::vector<TaggedWord> words;
    for (std::size_t s = 0; s < data_.train.size(); ++s) {
      if (part_of(static_cast<int>(s)) == without) continue;
      for (std::size_t i = 0; i < data_.train[s].words.size(); ++i) {
        words.push_back({data_.train[s].words[i].form, labels_[first_word_[s] + i]});
      }
    }
    return build_lexicon(words, tags_.labels.size());
  };
  monitor_.stage("tagger: word lists", kParts + 1);
  for (int part = 0; part < kParts; ++part) {
    lexicons_[part] = build(part);
    monitor_.advance(1);
  }
  lexicon_ = build(-1);
  monitor_.advance(1);
}

// As people write who shout, or who do not care: all capitals, none, or every word with one.
const Sentence& Trainer::in_other_case(const Sentence& sentence, Random& random) {
  changed_.words.resize(sentence.words.size());
  const int way = random.below(4);
  for (std::size_t i = 0; i < sentence.words.size(); ++i) {
    std::string& form = changed_.words[i].form;
    form = sentence.words[i].form;
    if (way == 3 && i > 0) continue;  // the first word only
    for (std::size_t k = 0; k < form.size(); ++k) {
      const bool up = way == 0 || (way == 1 && k == 0);
      if (up && form[k] >= 'a' && form[k] <= 'z') form[k] = static_cast<char>(form[k] - 'a' + 'A');
      if (way >= 2 && form[k] >= 'A' && form[k] <= 'Z') {
        form[k] = static_cast<char>(form[k] - 'A' + 'a');
      }
    }
  }
  return changed_;
}

void Trainer::read(int index, const Sentence& sentence) {
  facts_.read(sentence, lexicons_[part_of(index)].view(), classes_);
  const std::span<const Label> labels(labels_.data() + first_word_[index], sentence.words.size());
  facts_.require(labels);
  gold_.resize(labels.size());
  for (int i = 0; i < sentence.size(); ++i) {
    const std::span<const Label> candidates = facts_.lattice().at(i);
    gold_[i] = static_cast<int>(std::find(candidates.begin(), candidates.end(), labels[i]) -
                                candidates.begin());
  }
}

// Marks the features that occur at least twice. False: stopped.
bool Trainer::choose_features() {
  SeenTwice seen;
  const auto each = [&](auto visit) {
    for (std::size_t s = 0; s < data_.train.size(); ++s) {
      if (monitor_.stopped()) return false;
      read(static_cast<int>(s), data_.train[s]);
      for (int i = 0; i < facts_.size(); ++i) {
        const Lattice& lattice = facts_.lattice();
        facts_.word_features(i, features_);
        for (std::uint64_t f : features_) visit(f);
        for (Label b : lattice.at(i - 1)) {
          for (int k = 0; k < kPairFeatures; ++k) visit(facts_.pair_feature(k, i, b));
          for (Label a : lattice.at(i - 2)) {
            for (int k = 0; k < kTripleFeatures; ++k) visit(triple_feature(k, tags_, a, b));
          }
        }
      }
      monitor_.advance(1);
    }
    return true;
  };
  monitor_.stage("tagger: features", 2 * static_cast<std::int64_t>(data_.train.size()));
  if (!each([&](std::uint64_t f) { seen.see(f); })) return false;
  rows_ = TrainingRows(seen.line_bits(settings_.line_bits));
  return each([&](std::uint64_t f) {
    if (seen(f)) rows_.mark(f);
  });
}

bool Trainer::run(const std::string& checkpoint) {
  build_lexicons();
  if (!choose_features()) return false;
  if (!learn_tags(checkpoint)) return false;
  feats_.emplace(data_.train, tags_, labels_, first_word_,
                 FeatsSettings{.epochs = settings_.epochs, .seed = settings_.seed}, monitor_);
  if (!feats_->run()) return false;
  report(settings_.epochs - 1);
  return true;
}

bool Trainer::learn_tags(const std::string& checkpoint) {
  const OnlinePlan plan{.name = "tagger",
                        .epochs = settings_.epochs,
                        .examples = data_.train.size(),
                        .seed = settings_.seed,
                        .rate = settings_.rate,
                        .checkpoint = checkpoint,
                        .checkpoint_task = kCheckpoint,
                        .fingerprint = fingerprint()};
  const auto learn = [&](std::span<const int> sentences, const OnlineStep& step) {
    for (const int s : sentences) {
      if (data_.train[s].size() > 0) learn_sentence(s, step.rate, step.random);
    }
  };
  const auto end_epoch = [&](int epoch) {
    if (epoch >= settings_.epochs * 2 / 5) rows_.add_to_average();
    report(epoch);
  };
  return train_online(plan,
                      {.learn = learn,
                       .end_epoch = end_epoch,
                       .save = [&](ModelWriter& writer) { rows_.save(writer, "rows"); },
                       .load = [&](const ModelFile& file) { rows_.load(file, "rows"); }},
                      monitor_);
}

void Trainer::learn_sentence(int index, double rate, Random& random) {
  const Sentence& sentence = data_.train[index];
  read(index, random.chance(settings_.noise) ? in_other_case(sentence, random) : sentence);
  const Lattice& lattice = facts_.lattice();
  all_features_.clear();
  feature_first_.assign(1, 0);
  steps_.clear();
  for (int i = 0; i < facts_.size(); ++i) {
    const bool nameless = !facts_.known(i) && random.chance(settings_.nameless);
    facts_.word_features(i, features_, nameless);
    std::erase_if(features_, [&](std::uint64_t) { return random.chance(settings_.hide); });
    all_features_.insert(all_features_.end(), features_.begin(), features_.end());
    feature_first_.push_back(all_features_.size());
    const std::size_t begin = steps_.size();
    steps_.resize(begin + lattice.triples(i));
    scorer_.score(rows_, tags_, facts_, i, features_,
                  std::span<float>(steps_).subspan(begin, lattice.triples(i)));
  }
  marginals_.compute(lattice, steps_);
  for (int i = 0; i < facts_.size(); ++i) {
    update_word(i, marginals_.at(lattice, i), static_cast<float>(rate));
  }
}

// One step along the gradient: what was right minus what was expected.
void Trainer::update_word(int i, std::span<const float> triples, float rate) {
  const Lattice& lattice = facts_.lattice();
  const std::span<const Label> as = lattice.at(i - 2), bs = lattice.at(i - 1), cs = lattice.at(i);
  const auto gold = [&](int at) { return at < 0 ? std::size_t{0} : std::size_t(gold_[at]); };
  const std::size_t right_b = gold(i - 1), right_c = gold(i);
  unary_.assign(cs.size(), 0);
  pairs_.assign(bs.size() * cs.size(), 0);
  const auto update = [&](std::uint64_t feature, std::size_t c, float gradient) {
    if (std::abs(gradient) > kNegligible) rows_.update(feature, cs[c], gradient, rate);
  };
  for (std::size_t a = 0; a < as.size(); ++a) {
    for (std::size_t b = 0; b < bs.size(); ++b) {
      const float* expected = &triples[(a * bs.size() + b) * cs.size()];
      const bool right = a == gold(i - 2) && b == right_b;
      for (int k = 0; k < kTripleFeatures; ++k) {
        const std::uint64_t f = triple_feature(k, tags_, as[a], bs[b]);
        for (std::size_t c = 0; c < cs.size(); ++c) {
          update(f, c, (right && c == right_c ? 1.0f : 0.0f) - expected[c]);
        }
      }
      for (std::size_t c = 0; c < cs.size(); ++c) pairs_[b * cs.size() + c] -= expected[c];
    }
  }
  for (std::size_t b = 0; b < bs.size(); ++b) {
    for (std::size_t c = 0; c < cs.size(); ++c) unary_[c] += pairs_[b * cs.size() + c];
  }
  pairs_[right_b * cs.size() + right_c] += 1;
  unary_[right_c] += 1;
  for (std::size_t b = 0; b < bs.size(); ++b) {
    for (int k = 0; k < kPairFeatures; ++k) {
      const std::uint64_t f = facts_.pair_feature(k, i, bs[b]);
      for (std::size_t c = 0; c < cs.size(); ++c) update(f, c, pairs_[b * cs.size() + c]);
    }
  }
  for (std::size_t at = feature_first_[i]; at < feature_first_[i + 1]; ++at) {
    for (std::size_t c = 0; c < cs.size(); ++c) update(all_features_[at], c, unary_[c]);
  }
}

void Trainer::report(int epoch) {
  if (data_.dev.empty()) return;
  const PackedRows packed = rows_.packed();
  TaggerModel model;
  model.tags = tags_;
  model.lexicon = lexicon_.view();
  model.classes = classes_;
  model.rows = RowView(packed);
  // Before feats are learned every word has none.
  FeatsList none;
  none.names = {"_"};
  none.choices.assign(tags_.labels.size(), 0);
  none.first_of.resize(tags_.labels.size() + 1);
  std::iota(none.first_of.begin(), none.first_of.end(), 0u);
  model.feats = feats_ ? feats_->list() : none;
  const PackedRows feats_packed = feats_ ? feats_->rows().packed() : PackedRows();
  model.feats_rows = RowView(feats_packed);
  const Tagger tagger(std::move(model));
  TaggerScratch scratch;
  std::int64_t words = 0, upos = 0, xpos = 0, feats = 0, unknown = 0, unknown_upos = 0;
  std::unordered_set<std::string_view> known;
  for (const Sentence& s : data_.train) {
    for (const Word& w : s.words) known.insert(w.form);
  }
  Sentence copy;
  for (const Sentence& gold : data_.dev) {
    copy.words = gold.words;
    tagger.annotate(copy, scratch);
    for (int i = 0; i < gold.size(); ++i) {
      ++words;
      upos += copy.words[i].upos == gold.words[i].upos;
      xpos += copy.words[i].xpos == gold.words[i].xpos;
      feats += copy.words[i].feats == gold.words[i].feats;
      if (known.contains(gold.words[i].form)) continue;
      ++unknown;
      unknown_upos += copy.words[i].upos == gold.words[i].upos;
    }
  }
  if (words == 0) return;
  monitor_.say("tagger: epoch " + std::to_string(epoch + 1) + "/" +
               std::to_string(settings_.epochs) + ", dev UPOS " + percent(upos, words) + ", XPOS " +
               percent(xpos, words) + (feats_ ? ", UFeats " + percent(feats, words) : "") +
               (unknown > 0 ? ", UPOS of unknown words " + percent(unknown_upos, unknown) : ""));
}

std::uint64_t Trainer::fingerprint() const {
  std::uint64_t h = kFeatureVersion;
  for (double x : {static_cast<double>(settings_.epochs), settings_.rate, settings_.hide,
                   settings_.noise, settings_.nameless, static_cast<double>(class_table_.size()),
                   static_cast<double>(settings_.line_bits)}) {
    h = mix(h, hash_of(std::to_string(x)));
  }
  h = mix(h, settings_.seed);
  for (const Sentence& s : data_.train) {
    for (const Word& w : s.words)
      h = mix(mix(mix(h, hash_of(w.form)), hash_of(w.upos)), hash_of(w.xpos));
    h = mix(h, 1);
  }
  return h;
}

void Trainer::write(ModelWriter& writer) const {
  writer.add_number("tags/version", static_cast<double>(kFeatureVersion));
  write_tags(tags_, writer);
  lexicon_.write(writer, "tags/lexicon");
  if (!class_table_.empty()) writer.add<WordClass>("clusters/table", class_table_);
  rows_.packed().write(writer, "tags/weights");
  feats_->list().write(writer);
  feats_->rows().packed().write(writer, "tags/feats/weights");
}

}  // namespace entente::tagging
