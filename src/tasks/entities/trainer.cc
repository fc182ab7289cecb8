#include "tasks/entities/trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "learn/adagrad.h"
#include "learn/hash.h"
#include "learn/online_trainer.h"

namespace entente::entities {

namespace {

constexpr const char* kCheckpoint = "entities checkpoint";
constexpr double kSmallGradient = 1e-3;  // not worth a step

int find_type(const std::vector<std::string>& types, const std::string& type) {
  const auto at = std::find(types.begin(), types.end(), type);
  return at == types.end() ? -1 : static_cast<int>(at - types.begin());
}

}  // namespace

std::vector<std::string> collect_types(std::span<const Sentence> sentences) {
  std::set<std::string> types;
  for (const Sentence& s : sentences) {
    for (const Entity& e : s.entities) types.insert(e.type);
  }
  return {types.begin(), types.end()};
}

Trainer::Trainer(std::span<const Sentence> sentences, std::vector<std::string> types,
                 const names::Gazetteer& gazetteer, const TrainerSettings& settings,
                 Monitor& monitor)
    : sentences_(sentences),
      types_(std::move(types)),
      states_(static_cast<int>(types_.size())),
      gazetteer_(gazetteer),
      settings_(settings),
      monitor_(monitor),
      maker_(gazetteer),
      rows_(1) {
  const auto k = static_cast<std::size_t>(states_.count());
  steps_.assign(k * k, 0);
  squares_.assign(k * k, 0);
  step_sums_.assign(k * k, 0);
  labels_.resize(k);
  std::iota(labels_.begin(), labels_.end(), 0);
}

std::uint64_t Trainer::fingerprint() const {
  std::uint64_t h = mix(settings_.seed, static_cast<std::uint64_t>(settings_.epochs));
  for (double x : {settings_.rate, settings_.hide, static_cast<double>(settings_.line_bits)}) {
    h = mix(h, static_cast<std::uint64_t>(std::llround(x * 1e6)));
  }
  for (const Sentence& s : sentences_) {
    h = mix(h, mix(s.words.size(), s.entities.size()));
    for (const Word& w : s.words) h = mix(mix(h, hash_of(w.form)), hash_of(w.xpos));
  }
  return h;
}

// Marks the features that occur at least twice. False: stopped.
bool Trainer::choose_features() {
  SeenTwice seen;
  const auto each = [&](auto visit) {
    for (const Sentence& s : sentences_) {
      if (monitor_.stopped()) return false;
      maker_.read(s);
      for (int i = 0; i < maker_.size(); ++i) {
        maker_.word(i, features_);
        for (std::uint64_t f : features_) visit(f);
      }
      monitor_.advance(1);
    }
    return true;
  };
  monitor_.stage("entities: features", 2 * static_cast<std::int64_t>(sentences_.size()));
  if (!each([&](std::uint64_t f) { seen.see(f); })) return false;
  rows_ = TrainingRows(seen.line_bits(settings_.line_bits));
  return each([&](std::uint64_t f) {
    if (seen(f)) rows_.mark(f);
  });
}

bool Trainer::run(const std::string& checkpoint) {
  if (!choose_features()) return false;
  const OnlinePlan plan{.name = "entities",
                        .epochs = settings_.epochs,
                        .examples = sentences_.size(),
                        .seed = settings_.seed,
                        .rate = settings_.rate,
                        .checkpoint = checkpoint,
                        .checkpoint_task = kCheckpoint,
                        .fingerprint = fingerprint()};
  const auto learn_sentences = [&](std::span<const int> sentences, const OnlineStep& step) {
    for (const int s : sentences) {
      if (sentences_[static_cast<std::size_t>(s)].size() == 0) continue;
      read(s);
      score(settings_.hide, step.random);
      sum();
      learn(static_cast<float>(step.rate));
    }
  };
  const auto end_epoch = [&](int epoch) {
    if (epoch < settings_.epochs * 2 / 5) return;
    rows_.add_to_average();
    for (std::size_t i = 0; i < steps_.size(); ++i) step_sums_[i] += steps_[i];
    ++averaged_;
  };
  return train_online(plan,
                      {.learn = learn_sentences,
                       .end_epoch = end_epoch,
                       .save = [&](ModelWriter& writer) { save(writer); },
                       .load = [&](const ModelFile& file) { load(file); }},
                      monitor_);
}

void Trainer::read(int index) {
  const Sentence& sentence = sentences_[static_cast<std::size_t>(index)];
  maker_.read(sentence);
  gold_.clear();
  for (const Entity& e : sentence.entities) {
    const int type = find_type(types_, e.type);
    if (type >= 0) gold_.push_back({e.words, type});
  }
  path_.resize(sentence.words.size());
  states_.write_path(gold_, path_);
}

void Trainer::score(double hide, Random& random) {
  const int n = maker_.size(), k = states_.count();
  scores_.length = n;
  scores_.states = k;
  scores_.unary.resize(static_cast<std::size_t>(n) * k);
  scores_.steps = steps_;
  forbid_steps(states_, scores_.steps);
  kept_.clear();
  first_kept_.assign(1, 0);
  for (int i = 0; i < n; ++i) {
    maker_.word(i, features_);
    for (std::uint64_t f : features_) {
      if (hide == 0 || !random.chance(hide)) kept_.push_back(f);
    }
    sums_.assign(static_cast<std::size_t>(k), 0);
    for (std::size_t f = first_kept_.back(); f < kept_.size(); ++f) {
      add_scores(rows_, kept_[f], std::span<const std::int32_t>(labels_), sums_.data());
    }
    first_kept_.push_back(kept_.size());
    std::copy(sums_.begin(), sums_.end(),
              scores_.unary.begin() + static_cast<std::ptrdiff_t>(i) * k);
  }
  forbid_ends(states_, scores_);
}

double Trainer::sum() {
  marginals_.resize(scores_.unary.size());
  expected_.assign(scores_.steps.size(), 0);
  return chain_marginals(scores_.chain(), marginals_, expected_, work_);
}

// One step along the gradient: what was right minus what was expected.
void Trainer::learn(float rate) {
  const int n = maker_.size(), k = states_.count();
  for (int i = 0; i < n; ++i) {
    for (int s = 0; s < k; ++s) {
      const double gradient = (path_[static_cast<std::size_t>(i)] == s ? 1 : 0) - marginal(i, s);
      if (std::abs(gradient) < kSmallGradient) continue;
      for (std::size_t f = first_kept_[static_cast<std::size_t>(i)];
           f < first_kept_[static_cast<std::size_t>(i) + 1]; ++f) {
        rows_.update(kept_[f], static_cast<std::uint32_t>(s), static_cast<float>(gradient), rate);
      }
    }
  }
  std::vector<double> gradient(steps_.size());
  for (int i = 1; i < n; ++i) {
    const auto from = static_cast<std::size_t>(path_[static_cast<std::size_t>(i) - 1]);
    gradient[from * k + static_cast<std::size_t>(path_[static_cast<std::size_t>(i)])] += 1;
  }
  for (int from = 0; from < k; ++from) {
    for (int to = 0; to < k; ++to) {
      if (!States::allows(from, to)) continue;
      const auto at = static_cast<std::size_t>(from) * k + to;
      const double g = gradient[at] - expected_[at];
      steps_[at] += adagrad_step(squares_[at], g, static_cast<double>(rate), 1e-4);
    }
  }
}

double Trainer::log_likelihood(int index) {
  Random unused(1);
  read(index);
  score(0, unused);
  const double log_z = sum();
  double value = 0;
  const auto k = static_cast<std::size_t>(states_.count());
  for (std::size_t i = 0; i < path_.size(); ++i) {
    value += scores_.unary[i * k + path_[i]];
    if (i > 0) value += scores_.steps[path_[i - 1] * k + path_[i]];
  }
  return value - log_z;
}

double Trainer::derivative(int index, std::uint64_t feature, int label) {
  log_likelihood(index);
  double out = 0;
  for (int i = 0; i < maker_.size(); ++i) {
    maker_.word(i, features_);
    const auto times = std::count(features_.begin(), features_.end(), feature);
    const double gradient =
        (path_[static_cast<std::size_t>(i)] == label ? 1 : 0) - marginal(i, label);
    out += static_cast<double>(times) * gradient;
  }
  return out;
}

void Trainer::load(const ModelFile& file) {
  rows_.load(file, "rows");
  const auto read_into = [&](const char* name, std::vector<double>& out) {
    const auto saved = file.array<double>(name);
    if (saved.size() != out.size()) file.fail("the checkpoint is damaged");
    out.assign(saved.begin(), saved.end());
  };
  read_into("steps", steps_);
  read_into("squares", squares_);
  read_into("sums", step_sums_);
  averaged_ = static_cast<int>(file.number("averaged"));
}

void Trainer::save(ModelWriter& writer) const {
  writer.add_number("averaged", averaged_);
  rows_.save(writer, "rows");
  writer.add<double>("steps", steps_);
  writer.add<double>("squares", squares_);
  writer.add<double>("sums", step_sums_);
}

void Trainer::write(ModelWriter& writer) const {
  writer.add_number("entities/version", kEntitiesVersion);
  writer.add_strings("entities/types", types_);
  gazetteer_.save(writer, "entities/names");
  rows_.packed().write(writer, "entities/weights");
  std::vector<double> steps = steps_;
  if (averaged_ > 0) {
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = step_sums_[i] / averaged_;
  }
  writer.add<double>("entities/steps", steps);
}

}  // namespace entente::entities
