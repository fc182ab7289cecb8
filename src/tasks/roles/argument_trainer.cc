#include "tasks/roles/argument_trainer.h"

#include <algorithm>

#include "base/random.h"
#include "learn/hash.h"
#include "tasks/roles/argument_examples.h"
#include "tasks/roles/second_look.h"
#include "tasks/roles/tree_mixture.h"

namespace entente::roles {

namespace {

int gold_label(const propbank::Proposition& p, const Candidate& c, const RoleLabels& labels) {
  for (const propbank::RoleSpan& r : p.roles) {
    if (r.begin == c.begin && r.end == c.end) return std::max(labels.find(r.label), 0);
  }
  return 0;
}

}  // namespace

std::pair<int, int> predicate_words(const propbank::Proposition& p) {
  for (const propbank::RoleSpan& r : p.roles) {
    if (propbank::bare_role(r.label) == "V" && r.begin <= p.predicate && p.predicate < r.end)
      return {r.begin, r.end};
  }
  return {p.predicate, p.predicate + 1};
}

namespace {

// Walks over the predicates of sentences with their candidates.
class Walker {
 public:
  Walker(std::span<const propbank::PropSentence> sentences, const ArgumentTraining& options)
      : sentences_(sentences),
        others_(static_cast<std::size_t>(options.others)),
        maker_(options.features) {
    input_.use(options.meanings);
  }

  // use(sentence number, proposition, maker)
  template <typename Use>
  void each(Use&& use) {
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
      const propbank::PropSentence& s = sentences_[i];
      if (s.propositions.empty()) continue;
      input_.assign(s);
      for (std::size_t t = 0; t <= std::min(s.others.size(), others_); ++t) {
        if (t > 0) input_.assign_other(s, t - 1);
        for (const propbank::Proposition& p : s.propositions) {
          const auto [begin, end] = predicate_words(p);
          maker_.set_predicate(input_, p.predicate, begin, end);
          use(i, p, maker_);
        }
      }
    }
  }

 private:
  std::span<const propbank::PropSentence> sentences_;
  std::size_t others_;  // trees beside the first, at most
  FeatureMaker maker_;
  Input input_;
};

constexpr int kPrunerEpochs = 3, kGuessEpochs = 2, kSecondEpochs = 3;

// Sentences may be there several times, with other trees: the same words are always in one half.
int fold_of(const propbank::PropSentence& sentence, int folds) {
  std::uint64_t h = 1;
  for (const std::string& word : sentence.words) h = mix(h, hash_of(word));
  return static_cast<int>((spread(h) >> 32) * static_cast<std::uint64_t>(folds) >> 32);
}
int half_of(const propbank::PropSentence& sentence) { return fold_of(sentence, 2); }

// What a model guesses of sentences that it did not learn from, as examples for the second look.
void add_guesses(std::span<const propbank::PropSentence> sentences, int fold, int folds,
                 const ArgumentModel& model, const WordMeanings* meanings, const LabelRows& rows,
                 Examples& out) {
  ArgumentModel::Work work{FeatureMaker(model.features()), {}, {}, {}, {}};
  ContextMaker maker(model.labels());
  TreeMixture trees;
  trees.use(meanings);
  std::vector<Guess> guesses;
  FeatureList features;
  for (const propbank::PropSentence& s : sentences) {
    if (s.propositions.empty() || fold_of(s, folds) != fold) continue;
    trees.assign(s, kTreeShare);
    guesses.resize(s.propositions.size());
    for (std::size_t p = 0; p < guesses.size(); ++p) {
      const auto [begin, end] = predicate_words(s.propositions[p]);
      guesses[p].word = s.propositions[p].predicate;
      trees.make_problem(model, guesses[p].word, begin, end, work, guesses[p].problem);
      guess(model.labels(), guesses[p]);
    }
    for (std::size_t p = 0; p < guesses.size(); ++p) {
      const Guess& g = guesses[p];
      for (std::size_t c = 0; c < g.best.size(); ++c) {
        if (g.hopeless(c)) continue;
        maker.features(trees.input(), guesses, p, c, features);
        out.add(features, rows,
                gold_label(s.propositions[p], g.problem.candidates[c], model.labels()) > 0);
        out.bases.push_back(0);
        out.bases.push_back(g.best[c].odds);
      }
    }
  }
}

// Learns one model after the other; each leaves what it learned in `out`.
class ArgumentLearner {
 public:
  ArgumentLearner(std::span<const propbank::PropSentence> sentences,
                  const ArgumentTraining& options, Monitor& monitor)
      : sentences_(sentences),
        options_(options),
        monitor_(monitor),
        random_(options.seed),
        walker_(sentences, options) {
    out.labels = RoleLabels::of(sentences, options.least_count);
  }

  // False: stopped.
  bool learn_pruners();
  bool learn_choice();
  bool learn_second_look();
  TrainedArguments out;

 private:
  LearnSteps steps(int epochs) const { return {epochs, options_.rate, options_.left_out}; }
  PackedWeights weights(const LabelRows& rows) const {
    return learned_weights(rows, options_.left_out);
  }
  std::unique_ptr<RoleNetwork> new_network() const {
    if (options_.network_epochs == 0) return nullptr;
    return std::make_unique<RoleNetwork>(options_.network_bits, options_.hidden, out.labels.size(),
                                         options_.seed);
  }
  void gather(const LabelRows& rows);
  bool guess_fold(int fold, const LabelRows& second, Examples& guesses);

  std::span<const propbank::PropSentence> sentences_;
  const ArgumentTraining& options_;
  Monitor& monitor_;
  Random random_;
  Walker walker_;
  PackedWeights pruners_[2];  // of each half of the sentences
  Examples examples_;         // what the pruner of the other half lets through
};

// Three pruners: one for use, and one for each half that has not seen it, so that the choice of
// roles learns from what a pruner lets through where it does not know the answer.
bool ArgumentLearner::learn_pruners() {
  FeatureList features;
  for (int half = 0; half < 3; ++half) {
    LabelRows rows(options_.pruner_bits, 2);
    Examples examples;
    walker_.each([&](std::size_t i, const propbank::Proposition& p, FeatureMaker& maker) {
      if (half != 2 && half_of(sentences_[i]) != half) return;
      std::int64_t found = 0, wanted = 0;
      for (const Candidate& c : maker.candidates()) {
        const int label = gold_label(p, c, out.labels);
        found += label > 0;
        maker.cheap(c, features);
        examples.add(features, rows, label > 0);
      }
      if (half != 2) return;
      for (const propbank::RoleSpan& r : p.roles) wanted += out.labels.find(r.label) > 0;
      out.arguments += wanted;
      out.without_candidate += wanted - found;
    });
    if (!learn_rows(rows, examples, steps(kPrunerEpochs), random_, "roles: pruner", monitor_)) {
      return false;
    }
    (half == 2 ? out.pruner : pruners_[half]) = weights(rows);
  }
  return true;
}

void ArgumentLearner::gather(const LabelRows& rows) {
  FeatureList features;
  std::int32_t sums[2];
  float scores[2];
  std::int64_t lost = 0;
  walker_.each([&](std::size_t i, const propbank::Proposition& p, FeatureMaker& maker) {
    const LabelRowView pruner(pruners_[1 - half_of(sentences_[i])], 2);
    for (const Candidate& c : maker.candidates()) {
      const int label = gold_label(p, c, out.labels);
      maker.cheap(c, features);
      pruner.scores(features, sums, scores);
      const bool kept = scores[1] - scores[0] >= kKeep;
      lost += !kept && label > 0;
      if (!kept && label == 0) continue;
      maker.full(c, features);
      examples_.add(features, rows, label);
      if (options_.network_epochs > 0) {
        maker.properties(c, features);
        examples_.add_properties(features, options_.network_bits);
      }
      if (options_.folds > 1) {
        const int fold = fold_of(sentences_[i], options_.folds);
        examples_.folds.push_back(static_cast<std::uint8_t>(fold));
      }
    }
  });
  monitor_.say("roles: " + std::to_string(out.arguments) + " arguments, " +
               std::to_string(out.without_candidate) + " without a candidate, " +
               std::to_string(lost) + " lost by the pruner; " +
               std::to_string(examples_.labels.size()) + " candidates left");
}

bool ArgumentLearner::learn_choice() {
  LabelRows rows(options_.bits, out.labels.size());
  gather(rows);
  if (!learn_rows(rows, examples_, steps(options_.epochs), random_, "roles: choice", monitor_)) {
    return false;
  }
  out.roles = weights(rows);
  out.network = new_network();
  return !out.network || learn_network(*out.network, examples_, options_.network_epochs, random_,
                                       "roles: network", monitor_);
}

// What a model of the other folds guesses of this one.
bool ArgumentLearner::guess_fold(int fold, const LabelRows& second, Examples& guesses) {
  const std::string name = "roles: guesses, part " + std::to_string(fold);
  LabelRows rows(options_.bits, out.labels.size());
  if (!learn_rows(rows, examples_, steps(kGuessEpochs), random_, name, monitor_, fold)) {
    return false;
  }
  const std::unique_ptr<RoleNetwork> network = new_network();
  if (network && !learn_network(*network, examples_, (options_.network_epochs + 1) / 2, random_,
                                name + ", network", monitor_, fold)) {
    return false;
  }
  const int half = fold * 2 / options_.folds;
  ModelWriter writer("roles", 1);
  ArgumentModel::write(writer, out.labels, options_.features, pruners_[1 - half], weights(rows),
                       network.get());
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "<guesses>");
  add_guesses(sentences_, fold, options_.folds, ArgumentModel(file), options_.meanings, second,
              guesses);
  return true;
}

bool ArgumentLearner::learn_second_look() {
  LabelRows rows(options_.second_bits, 2);
  Examples guesses;
  for (int fold = 0; fold < options_.folds; ++fold) {
    if (!guess_fold(fold, rows, guesses)) return false;
  }
  LearnSteps look = steps(kSecondEpochs);
  look.rate /= 2;
  if (!learn_rows(rows, guesses, look, random_, "roles: second look", monitor_)) return false;
  out.second = weights(rows);
  return true;
}

}  // namespace

TrainedArguments train_arguments(std::span<const propbank::PropSentence> sentences,
                                 const ArgumentTraining& options, Monitor& monitor) {
  ArgumentLearner learner(sentences, options, monitor);
  learner.out.stopped = !learner.learn_pruners() || !learner.learn_choice() ||
                        (options.folds > 1 && !learner.learn_second_look());
  return std::move(learner.out);
}

}  // namespace entente::roles
