#include "tasks/dependency/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "base/check.h"
#include "base/parallel.h"
#include "entente/error.h"
#include "learn/online_trainer.h"
#include "tasks/dependency/gold_trees.h"

namespace entente::dependency {
namespace {

constexpr const char* kCheckpoint = "dependency checkpoint";
constexpr std::uint64_t kCheckpointVersion = 1;
constexpr float kPrunerRate = 0.05f, kLabelRate = 0.05f;
constexpr double kLeastGradient = 0.01;  // of an arc, for the pruner to learn from it
constexpr int kLabelEpochs = 4;
constexpr float kLabelCost = 0.5f;  // of a wrong label on the right arc; a wrong arc costs 1
// With crossing arcs a proof of the best tree is not worth its time: a good tree that is wrong
// teaches as much.
constexpr int kTrainingRounds = 30;

}  // namespace

Attachment attachment(const Parser& parser, std::span<const Sentence> gold, int threads,
                      ParserStatistics* statistics) {
  threads = std::max(threads, 1);
  std::vector<ParserScratch> scratch(threads);
  std::vector<std::int64_t> heads(gold.size()), labels(gold.size());
  parallel_for(static_cast<int>(gold.size()), threads, [&](int i, int thread) {
    ParserScratch& s = scratch[thread];
    const std::vector<Word>& words = gold[i].words;
    parser.parse(words, s);
    for (std::size_t m = 0; m < words.size(); ++m) {
      if (s.heads[m] != words[m].head) continue;
      ++heads[i];
      labels[i] += parser.label_set().names()[s.labels[m]] == words[m].deprel;
    }
  });
  ParserStatistics sum;
  for (const ParserScratch& s : scratch) sum.add(s.statistics);
  if (statistics != nullptr) statistics->add(sum);
  const double words = static_cast<double>(std::max<std::int64_t>(sum.words, 1));
  auto share = [&](const std::vector<std::int64_t>& counts) {
    return 100 *
           static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})) /
           words;
  };
  return {.uas = share(heads), .las = share(labels)};
}

Trainer::Trainer(const TrainingData& data, const TrainingOptions& options, const Settings& settings,
                 Monitor& monitor)
    : data_(data),
      options_(options),
      settings_(settings),
      monitor_(monitor),
      trees_(settings.bits),
      labels_(settings.label_bits),
      label_set_(LabelSet::of(data.train)),
      label_rules_(LabelRules::of(data.train, label_set_)) {
  if (!settings.clusters.empty()) {
    class_table_ = read_word_classes(settings.clusters);
    classes_ = WordClasses(class_table_);
  }
  label_atoms_.use(&classes_);
  parser_.order = settings.order == 2 ? Order::second : Order::first;
  parser_.prune.most = settings.heads;
  read_examples();
  find_decoder();
}

void Trainer::read_examples() {
  for (std::size_t i = 0; i < data_.train.size(); ++i) {
    const Sentence& s = data_.train[i];
    if (s.words.empty() || s.words.size() > kLongest) continue;
    Example e{.sentence = static_cast<int>(i), .heads = gold_heads(s.words), .kept = {}};
    if (is_tree(e.heads)) examples_.push_back(std::move(e));
  }
  if (examples_.empty()) throw Error("no sentence with a tree to learn from", Place{});
}

void Trainer::find_decoder() {
  std::int64_t words = 0, crossed = 0;
  bool one_root = true;
  for (const Example& e : examples_) {
    words += static_cast<std::int64_t>(e.heads.size());
    crossed += crossed_arcs(e.heads);
    one_root &= std::count(e.heads.begin(), e.heads.end(), 0) == 1;
  }
  parser_.prune.single_root = one_root;
  // English has some 0.3% of crossed arcs and is better off without them, Dutch 6%, Danish 4%.
  parser_.prune.projective =
      settings_.projective >= 0 ? settings_.projective != 0 : crossed * 100 < words;
  parser_.decode.single_root = one_root;
  parser_.decode.projective = parser_.prune.projective;
  parser_.margin = usual_margin(parser_.prune.projective);
  // Where arcs may cross each one kept is dearer.
  const double usual = parser_.prune.projective ? 0.007 : 0.012;
  parser_.prune.threshold = settings_.threshold > 0 ? settings_.threshold : usual;
}

OnlinePlan Trainer::plan_of(Learned what, int epochs) const {
  return {
      .epochs = epochs,
      .examples = examples_.size(),
      .seed_of =
          [seed = options_.seed, what](int epoch) {
            return (seed * 1000003 + static_cast<std::uint64_t>(what)) * 1009 +
                   static_cast<std::uint64_t>(epoch);
          },
      .stage_name = [epochs](int e) { return fmt::format("parser: epoch {}/{}", e + 1, epochs); }};
}

PackedWeights Trainer::packed(const OnlineWeights& weights) const {
  return PackedWeights::of(weights.averaged());
}

PackedWeights Trainer::train_pruner(int fold) const {
  OnlineWeights weights(settings_.pruner_bits);
  PrunerWorkspace work;
  Atoms atoms;
  atoms.use(&classes_);
  const auto learn = [&](std::span<const int> examples, const OnlineStep&) {
    for (const int i : examples) {
      if (settings_.folds > 1 && i % settings_.folds == fold) continue;
      const Example& e = examples_[i];
      atoms.read(words(e));
      arc_scores(atoms, weights, work);
      gather_likelihood(atoms, e.heads, parser_.prune.single_root, kLeastGradient, work, weights);
      weights.adagrad_step(kPrunerRate);
    }
  };
  Monitor none;  // pruners are learned in parallel
  train_online(plan_of(Learned::pruner, settings_.pruner_epochs), {.learn = learn}, none);
  return packed(weights);
}

bool Trainer::train_pruners() {
  const int count = settings_.folds > 1 ? settings_.folds + 1 : 1;  // the last one sees everything
  const int threads = std::max(options_.threads, 1);
  while (static_cast<int>(pruners_.size()) < count) {
    if (monitor_.stopped()) return false;
    const int done = static_cast<int>(pruners_.size());
    const int now = std::min(threads, count - done);
    monitor_.stage(fmt::format("parser: pruner {}/{}", done + 1, count), now);
    std::vector<PackedWeights> made(now);
    parallel_for(
        now, now, [&](int i, int) { made[i] = train_pruner(done + i); }, 1);
    std::move(made.begin(), made.end(), std::back_inserter(pruners_));
    if (options_.checkpoint.empty()) continue;
    ModelWriter writer(kCheckpoint, kCheckpointVersion);
    writer.add_number("epochs", 0);
    save_pruners(writer);
    writer.write(options_.checkpoint);
  }
  return true;
}

void Trainer::prune() {
  const int threads = std::max(options_.threads, 1), folds = settings_.folds;
  std::vector<PrunerWorkspace> work(threads);
  std::vector<Atoms> atoms(threads);
  for (Atoms& a : atoms) a.use(&classes_);
  parallel_for(static_cast<int>(examples_.size()), threads, [&](int i, int t) {
    Example& e = examples_[i];
    if (parser_.prune.projective) {
      make_projective(parser_.prune.single_root, work[t].trees, e.heads);
    }
    atoms[t].read(words(e));
    arc_scores(atoms[t], LaidOut(pruners_[folds > 1 ? i % folds : 0]), work[t]);
    keep_arcs(atoms[t].words(), parser_.prune, e.heads, work[t], e.kept);
  });
}

void Trainer::learn_tree(const Example& e, Atoms& atoms, Decoder& decoder) {
  const std::span<const Word> sentence = words(e);
  gold_labels_.clear();
  for (const Word& w : sentence) gold_labels_.push_back(label_set_.find(w.deprel));
  atoms.read(sentence);
  make_parts(atoms.words(), e.kept, parser_.order, parts_);
  score_parts(atoms, parts_, trees_, scores_);
  mark_parts(parts_, e.heads, gold_);
  double gold = score_of(parts_, scores_, e.heads);
  for (std::size_t i = 0; i < parts_.arcs.size(); ++i) {
    if (!gold_.arcs[i]) continue;
    const Arc& arc = parts_.arcs[i];
    const int label = gold_labels_[arc.modifier - 1];
    gold += static_cast<double>(label_value(atoms, arc, label, trees_, tree_features_));
  }
  const LabelCosts costs{.heads = e.heads, .labels = gold_labels_, .cost = kLabelCost};
  score_labels(atoms, parts_, label_set_, trees_, costs, tree_features_, scores_, arc_labels_);
  for (std::size_t i = 0; i < parts_.arcs.size(); ++i) {
    if (!gold_.arcs[i]) scores_.arcs[i] += 1;
  }
  DecodeOptions decode = parser_.decode;
  decode.max_iterations = kTrainingRounds;
  decode.max_nodes = 1;
  const Decoded d = decoder.decode(parts_, scores_, decode);
  const double loss = d.value - gold;
  if (loss <= 0 || d.heads.empty()) {
    trees_.passive_aggressive_step(0, 0);  // time passes: averages count examples
    return;
  }
  mark_parts(parts_, d.heads, predicted_);
  gather_difference(atoms, parts_, gold_, predicted_, tree_features_, trees_);
  gather_labels(atoms, parts_, gold_, predicted_, gold_labels_, arc_labels_, tree_features_,
                trees_);
  trees_.passive_aggressive_step(static_cast<float>(loss), static_cast<float>(settings_.step));
}

bool Trainer::tree_epoch(int epoch) {
  Atoms atoms;
  atoms.use(&classes_);
  Decoder decoder;
  OnlinePlan plan = plan_of(Learned::trees, settings_.epochs * settings_.runs);
  const int first = epoch - epoch % settings_.epochs;  // of this run
  plan.average_from = first + settings_.epochs / 4;
  if (epoch == first && epoch > 0) trees_.start_run();
  const auto learn = [&](std::span<const int> examples, const OnlineStep&) {
    for (const int i : examples) learn_tree(examples_[i], atoms, decoder);
  };
  return run_online_epoch(
      plan, epoch, {.learn = learn, .start_average = [&] { trees_.restart_average(); }}, monitor_);
}

void Trainer::learn_label(int modifier, std::span<const std::int32_t> heads, int gold) {
  const auto candidates = label_set_.candidates(label_atoms_, heads[modifier - 1], modifier);
  if (candidates.size() == 1) return;
  label_features_.start_labelled();
  label_features(label_atoms_, heads, children_, modifier, label_features_);
  label_scores(labels_, candidates, label_features_, label_scores_);
  int best = -1;
  float best_score = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const float score = label_scores_[i] + (candidates[i] == gold ? 0.0f : 1.0f);
    if (best < 0 || score > best_score) {
      best = candidates[i];
      best_score = score;
    }
  }
  if (best != gold) {
    for (std::uint64_t f : label_features_.view()) {
      labels_.gather(labelled(f, best, shift_of(labels_)), 1);
      labels_.gather(labelled(f, gold, shift_of(labels_)), -1);
    }
  }
  labels_.adagrad_step(kLabelRate);
}

void Trainer::label_epoch(int epoch) {
  OnlinePlan plan = plan_of(Learned::labels, kLabelEpochs);
  const int first = epoch - epoch % settings_.epochs;
  plan.average_from = first + 1;
  if (epoch == first && epoch > 0) labels_.start_run();
  const auto learn = [&](std::span<const int> examples, const OnlineStep&) {
    for (const int i : examples) {
      const std::span<const Word> s = words(examples_[i]);
      const std::vector<std::int32_t> heads = gold_heads(s);
      label_atoms_.read(s);
      children_.read(heads);
      for (int m = 1; m <= label_atoms_.words(); ++m) {
        learn_label(m, heads, label_set_.find(s[m - 1].deprel));
      }
    }
  };
  Monitor none;  // the trees say how far they are
  run_online_epoch(plan, epoch,
                   {.learn = learn, .start_average = [&] { labels_.restart_average(); }}, none);
}

bool Trainer::run() {
  load_pruners();
  if (!train_pruners()) return false;
  prune();
  const OnlinePlan plan{.epochs = settings_.epochs * settings_.runs,
                        .checkpoint = options_.checkpoint,
                        .checkpoint_task = kCheckpoint,
                        .fingerprint = kCheckpointVersion};
  const auto run_epoch = [&](int epoch) {
    bool whole = true;
    auto step = [&](int i, int) {
      if (i == 0) whole = tree_epoch(epoch);
      if (i == 1 && epoch % settings_.epochs < kLabelEpochs) label_epoch(epoch);
    };
    parallel_for(2, std::min(options_.threads, 2), step, 1);
    return whole;
  };
  const auto save = [&](ModelWriter& writer) {
    save_pruners(writer);
    trees_.save(writer, "trees");
    labels_.save(writer, "labels");
  };
  const auto load = [&](const ModelFile& file) {
    if (file.number("epochs") == 0) return;  // pruners only
    trees_.load(file, "trees");
    labels_.load(file, "labels");
  };
  done_ = train_online(plan,
                       {.learn = {},
                        .end_epoch = [&](int epoch) { report(epoch + 1); },
                        .epoch = run_epoch,
                        .save = save,
                        .load = load},
                       monitor_);
  return done_;
}

void Trainer::report(int epoch) {
  if (data_.dev.empty()) return;
  const PackedWeights trees = packed(trees_), labels = packed(labels_);
  const Parser parser(parser_, LaidOut(pruners_.back()), LaidOut(trees), label_set_, label_rules_,
                      LaidOut(labels), classes_);
  const Attachment a = attachment(parser, data_.dev, options_.threads);
  monitor_.say(fmt::format("parser: epoch {}/{}, dev UAS {:.2f}, LAS {:.2f}", epoch,
                           settings_.epochs * settings_.runs, a.uas, a.las));
}

void Trainer::write(ModelWriter& writer) const {
  ENTENTE_CHECK(done_);
  writer.add_number("dependency/features", static_cast<double>(kFeatureVersion));
  write_options(writer, parser_);
  pruners_.back().write(writer, "dependency/pruner");
  packed(trees_).write(writer, "dependency/arcs");
  packed(labels_).write(writer, "dependency/label_weights");
  label_set_.write(writer, "dependency/labels");
  label_rules_.write(writer, "dependency/rules");
  if (!class_table_.empty()) writer.add<WordClass>("clusters/table", class_table_);
}

void Trainer::save_pruners(ModelWriter& writer) const {
  writer.add_number("examples", static_cast<double>(examples_.size()));
  writer.add_number("pruners", static_cast<double>(pruners_.size()));
  for (std::size_t i = 0; i < pruners_.size(); ++i) {
    pruners_[i].write(writer, "pruner" + std::to_string(i));
  }
}

void Trainer::load_pruners() {
  if (options_.checkpoint.empty() || !std::filesystem::exists(options_.checkpoint)) return;
  const ModelFile file(options_.checkpoint);
  file.expect(kCheckpoint, kCheckpointVersion);
  if (file.number("examples") != static_cast<double>(examples_.size())) {
    file.fail("was made from another treebank");
  }
  pruners_.clear();
  for (int i = 0; i < static_cast<int>(file.number("pruners")); ++i) {
    pruners_.push_back(PackedWeights::read(file, "pruner" + std::to_string(i)));
  }
}

}  // namespace entente::dependency
