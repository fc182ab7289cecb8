#include "tasks/frames/argument_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "learn/hash.h"
#include "learn/online_trainer.h"

namespace entente::frames {

namespace {

constexpr const char* kCheckpoint = "frames checkpoint";
constexpr int kBatch = 16;
constexpr double kPrunerRate = 0.05;
constexpr int kPrunerExemplars = 6;   // every so many of them teach the pruner
constexpr float kNegligible = 4e-3f;  // gradients below this are not worth a visit to memory

void gather(std::span<const std::uint64_t> features, std::uint64_t key, float gradient,
            std::vector<std::pair<std::uint64_t, float>>& out) {
  for (std::uint64_t f : features) out.emplace_back(combine(f, key), gradient);
}

}  // namespace

ArgumentTrainer::ArgumentTrainer(const ExampleStore& store, const framenet::Lexicon& lexicon,
                                 const ArgumentSettings& settings)
    : store_(store),
      lexicon_(lexicon),
      settings_(settings),
      keys_(lexicon),
      weights_(settings.bits),
      pruner_(settings.pruner_bits) {
  if (settings.clusters.empty()) return;
  const ModelFile file(settings.clusters);
  const WordMeanings found(file, "clusters/meanings");
  if (found.empty()) file.fail("has no meanings of words: `entente train clusters` makes them");
  meaning_table_.assign(found.entries().begin(), found.entries().end());
  meanings_ = WordMeanings(meaning_table_);
}

void ArgumentTrainer::prepare(int example, Work& work) const {
  work.atoms.read(store_.words(example));
  const auto target = store_.target(example);
  work.target.assign(target.begin(), target.end());
  work.gold.clear();
  for (const StoredArgument& a : store_.arguments(example)) work.gold.push_back(a.span);
  work.gradient.clear();
  work.loss = 0;
  work.model.maker.use(&meanings_);
  work.model.table.fill(work.atoms, work.target, store_.unit(example), work.model.maker, work.gold);
}

// Is the span an argument, whatever its role?
void ArgumentTrainer::pruner_gradient(int example, Work& work) const {
  const SpanTable& table = work.model.table;
  for (std::size_t s = 0; s < table.spans.size(); ++s) {
    const float score = key_score(pruner_, table.of(s), kPruner);
    const bool gold =
        std::find(work.gold.begin(), work.gold.end(), table.spans[s]) != work.gold.end();
    const float p = 1 / (1 + std::exp(-score));
    work.loss -= std::log(std::max(gold ? p : 1 - p, 1e-9f));
    const float gradient = (p - (gold ? 1.0f : 0.0f)) * store_.weight(example);
    if (std::fabs(gradient) > kNegligible) gather(table.of(s), kPruner, gradient, work.gradient);
  }
}

void ArgumentTrainer::role_gradient(int example, Work& work) const {
  prune(pruner_, {static_cast<float>(settings_.prune_least), settings_.prune_most}, work.gold,
        work.model.table, work.model.pruning, work.model.keep);
  if (settings_.hide > 0) {
    const auto salt =
        static_cast<std::uint64_t>(epoch_) << 32 | static_cast<std::uint64_t>(example);
    work.model.table.hide(settings_.hide, spread(salt + settings_.seed));
  }
  const SpanTable& table = work.model.table;
  const int frame = store_.frame(example);
  const std::size_t n = table.spans.size();
  const float weight = store_.weight(example);
  score_table(weights_, table, keys_, frame, work.scores);
  work.any.assign(n, 0);
  float any_null = settings_.structured > 0 ? structured_gradient(example, work) : 0;
  const auto margin = static_cast<float>(settings_.margin);
  std::vector<std::size_t>& places = work.places;
  for (int r = 0; r < keys_.roles(frame); ++r) {
    const std::span<float> p(work.scores.data() + static_cast<std::size_t>(r) * n, n);
    places.clear();  // of the right spans
    for (const StoredArgument& a : store_.arguments(example)) {
      if (a.role != r) continue;
      const auto at = std::lower_bound(table.spans.begin(), table.spans.end(), a.span);
      places.push_back(static_cast<std::size_t>(at - table.spans.begin()));
    }
    const bool filled = !places.empty();
    if (margin > 0) {
      for (float& x : p) x += margin;
      for (std::size_t s : places) p[s] -= margin;
    }
    const float null_score = filled ? margin : 0.0f;
    const float top = std::max(null_score, n == 0 ? 0.0f : *std::max_element(p.begin(), p.end()));
    float null = std::exp(null_score - top), total = null, right = 0;
    for (float& x : p) total += x = std::exp(x - top);
    for (std::size_t s : places) right += p[s];
    work.loss -= std::log(std::max((filled ? right : null) / total, 1e-30f)) * weight;
    any_null += (null / total - (filled ? 0.0f : 1.0f)) * weight;
    const float null_gradient = (null / total - (filled ? 0.0f : 1.0f)) * weight;
    const auto keys = keys_.of(frame, r);
    if (std::fabs(null_gradient) > kNegligible) {
      for (std::uint64_t key : keys) gather(table.null_features, key, null_gradient, work.gradient);
    }
    for (std::size_t s = 0; s < n; ++s) {
      float gradient = p[s] / total;
      if (right > 0 && std::find(places.begin(), places.end(), s) != places.end()) {
        gradient -= p[s] / right;
      }
      gradient *= weight;
      if (std::fabs(gradient) < kNegligible) continue;
      work.any[s] += gradient;
      for (std::uint64_t key : keys) gather(table.of(s), key, gradient, work.gradient);
    }
  }
  if (std::fabs(any_null) > kNegligible) {
    gather(table.null_features, kAnyRole, any_null, work.gradient);
  }
  for (std::size_t s = 0; s < n; ++s) {
    if (std::fabs(work.any[s]) > kNegligible) {
      gather(table.of(s), kAnyRole, work.any[s], work.gradient);
    }
  }
}

float ArgumentTrainer::structured_gradient(int example, Work& work) const {
  const SpanTable& table = work.model.table;
  const int frame = store_.frame(example), roles = keys_.roles(frame);
  const std::size_t n = table.spans.size();
  const auto cost = static_cast<float>(settings_.cost);
  const auto weight = static_cast<float>(settings_.structured) * store_.weight(example);
  ArgumentProblem& problem = work.problem;
  problem.frame = frame;
  problem.roles.clear();
  problem.spans = table.spans;
  problem.scores = work.scores;
  std::vector<int>& truth = work.truth;  // the best right span of each role, or -1
  truth.assign(roles, -1);
  double right = 0;
  for (float& x : problem.scores) x += cost;
  for (int r = 0; r < roles; ++r) problem.roles.push_back(r);
  // A missed argument costs as much as a wrong one; a right one costs neither.
  for (const StoredArgument& a : store_.arguments(example)) {
    const auto s = static_cast<int>(
        std::lower_bound(table.spans.begin(), table.spans.end(), a.span) - table.spans.begin());
    const std::size_t row = static_cast<std::size_t>(a.role) * n;
    if (truth[a.role] < 0 || work.scores[row + s] > work.scores[row + truth[a.role]]) {
      truth[a.role] = s;
    }
    problem.scores[row + s] = work.scores[row + s] - cost;
  }
  for (int r = 0; r < roles; ++r) {
    if (truth[r] >= 0) right += problem.score(r, truth[r]);
  }
  work.decoder.decode(lexicon_.frames[frame], problem, {}, work.decision);
  const double loss = work.decision.value - right;
  if (loss <= 0) return 0;  // also where the truth breaks rules
  work.loss += loss * weight;
  float any_null = 0;
  for (int r = 0; r < roles; ++r) {
    const int found = work.decision.span_of[r];
    if (found == truth[r]) continue;
    for (const auto& [s, sign] : {std::pair(found, weight), std::pair(truth[r], -weight)}) {
      if (s < 0) continue;
      work.any[s] += sign;
      any_null -= sign;
      for (std::uint64_t key : keys_.of(frame, r)) {
        gather(table.of(s), key, sign, work.gradient);
        gather(table.null_features, key, -sign, work.gradient);
      }
    }
  }
  return any_null;
}

bool ArgumentTrainer::run(const std::string& checkpoint, Monitor& monitor) {
  const OnlinePlan plan{.epochs = settings_.epochs + 1,  // the pruner is the first
                        .checkpoint = checkpoint,
                        .checkpoint_task = kCheckpoint,
                        .fingerprint = static_cast<std::uint64_t>(store_.size())};
  const auto save = [&](ModelWriter& writer) {
    weights_.save(writer, "weights");
    pruner_.save(writer, "pruner");
  };
  const auto load = [&](const ModelFile& file) {
    weights_.load(file, "weights");
    pruner_.load(file, "pruner");
  };
  return train_online(plan,
                      {.learn = {},
                       .epoch = [&](int epoch) { return run_epoch(epoch, monitor); },
                       .save = save,
                       .load = load},
                      monitor);
}

bool ArgumentTrainer::run_epoch(int epoch, Monitor& monitor) {
  epoch_ = epoch;
  const bool pruning = epoch == 0;
  std::vector<int> used;
  for (int i = 0; i < store_.size(); ++i) {
    // What no argument can be is soon learned: of the exemplars some are enough.
    if (!pruning || store_.weight(i) == 1 || i % kPrunerExemplars == 0) used.push_back(i);
  }
  const std::string name = pruning ? "pruner" : fmt::format("epoch {}/{}", epoch, settings_.epochs);
  const OnlinePlan plan{
      .epochs = settings_.epochs + 1,
      .examples = used.size(),
      .batch = kBatch,
      // Early weights are mostly noise: they stay out of the average.
      .average_from = 2,
      .seed_of = [&](int e) { return settings_.seed + static_cast<std::uint64_t>(e) * 7919; },
      .stage_name = [&](int) { return "arguments, " + name; }};
  double loss = 0;
  std::vector<Work> work(kBatch);
  const auto learn = [&](std::span<const int> batch, const OnlineStep&) {
    loss += learn_batch(batch, used, pruning, work);
  };
  if (!run_online_epoch(plan, epoch,
                        {.learn = learn, .start_average = [&] { weights_.restart_average(); }},
                        monitor)) {
    return false;
  }
  monitor.say(fmt::format("arguments: {}, loss {:.4f} a predicate", name,
                          loss / std::max(static_cast<double>(used.size()), 1.0)));
  return true;
}

double ArgumentTrainer::learn_batch(std::span<const int> batch, std::span<const int> examples,
                                    bool pruning, std::vector<Work>& work) {
  const int size = static_cast<int>(batch.size());
  parallel_for(
      size, settings_.threads,
      [&](int j, int) {
        const int example = examples[static_cast<std::size_t>(batch[static_cast<std::size_t>(j)])];
        prepare(example, work[j]);
        pruning ? pruner_gradient(example, work[j]) : role_gradient(example, work[j]);
      },
      1);
  OnlineWeights& weights = pruning ? pruner_ : weights_;
  double loss = 0;
  for (int j = 0; j < size; ++j) {
    loss += work[j].loss;
    for (const auto& [feature, gradient] : work[j].gradient) weights.gather(feature, gradient);
  }
  weights.adagrad_step(static_cast<float>(pruning ? kPrunerRate : settings_.rate),
                       static_cast<float>(pruning ? 0 : settings_.damping));
  return loss;
}

std::vector<std::pair<std::uint64_t, float>> ArgumentTrainer::gradient_of(int example) const {
  Work work;
  prepare(example, work);
  role_gradient(example, work);
  return work.gradient;
}

double ArgumentTrainer::loss_with(int example, std::size_t weight, double step) {
  Work work;
  weights_.nudge(weight, static_cast<float>(step));
  prepare(example, work);
  role_gradient(example, work);
  weights_.nudge(weight, static_cast<float>(-step));
  return work.loss;
}

void ArgumentTrainer::write(ModelWriter& writer) const {
  writer.add_number("frames/arguments/version", ArgumentModel::kVersion);
  writer.add_number("frames/arguments/share", settings_.share);
  writer.add_number("frames/arguments/prune_least", settings_.prune_least);
  writer.add_number("frames/arguments/prune_most", settings_.prune_most);
  if (!meaning_table_.empty()) writer.add<WordMeaning>("frames/meanings", meaning_table_);
  // In use nothing is hidden: sums have more terms than those that were learned.
  std::vector<float> weights = weights_.averaged();
  for (float& w : weights) w *= static_cast<float>(1 - settings_.hide);
  PackedWeights::of(weights).write(writer, "frames/arguments/weights");
  // The pruner as the roles were trained with it: the last weights, not the average.
  PackedWeights::of(pruner_.latest()).write(writer, "frames/arguments/pruner");
}

}  // namespace entente::frames
