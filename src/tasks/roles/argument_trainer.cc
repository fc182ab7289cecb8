#include "tasks/roles/argument_trainer.h"

#include <algorithm>

#include "base/random.h"
#include "learn/hash.h"
#include "learn/online_trainer.h"
#include "tasks/roles/second_look.h"
#include "tasks/roles/tree_mixture.h"

namespace entente::roles {

namespace {

// Examples as places of a table, one after the other.
struct Examples {
  std::vector<std::uint32_t> places;
  std::vector<std::size_t> begin = {0};
  std::vector<std::uint8_t> labels;
  std::vector<std::uint8_t> folds;  // where they are wanted
  std::vector<float> bases;         // the same: a score a label

  void add(const FeatureList& features, const LabelRows& rows, int label) {
    for (std::uint64_t f : features) places.push_back(rows.place(f));
    begin.push_back(places.size());
    labels.push_back(static_cast<std::uint8_t>(label));
  }
  std::span<const std::uint32_t> of(std::size_t i) const {
    return std::span(places).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

// Weights averaged from the second epoch on; false: stopped. Examples of the fold `but` are left out.
bool learn(LabelRows& rows, const Examples& examples, int epochs, float rate, Random& random,
           const std::string& name, Monitor& monitor, int but = -1) {
  std::vector<int> which;
  for (std::size_t i = 0; i < examples.labels.size(); ++i) {
    if (but < 0 || examples.folds[i] != but) which.push_back(static_cast<int>(i));
  }
  const std::size_t n = static_cast<std::size_t>(rows.labels());
  const auto learn_batch = [&](std::span<const int> batch, const OnlineStep&) {
    for (const int b : batch) {
      const std::size_t i = static_cast<std::size_t>(which[b]);
      const std::span<const float> base = examples.bases.empty()
                                              ? std::span<const float>()
                                              : std::span(examples.bases).subspan(i * n, n);
      rows.learn(examples.of(i), examples.labels[i], 1, rate, base);
    }
  };
  const auto end_epoch = [&](int epoch) {
    if (epoch == 0) rows.restart_average();
  };
  return train_online({.name = name,
                       .epochs = epochs,
                       .examples = which.size(),
                       .batch = 4096,  // one by one, but seldom asked whether to stop
                       .stream = &random},
                      {.learn = learn_batch, .end_epoch = end_epoch}, monitor);
}

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
  Walker(std::span<const propbank::PropSentence> sentences, FeatureGroups groups,
         std::size_t others)
      : sentences_(sentences), others_(others), maker_(groups) {}

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
                 const ArgumentModel& model, const LabelRows& rows, Examples& out) {
  ArgumentModel::Work work{FeatureMaker(model.features()), {}, {}, {}};
  ContextMaker maker(model.labels());
  TreeMixture trees;
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

}  // namespace

TrainedArguments train_arguments(std::span<const propbank::PropSentence> sentences,
                                 const ArgumentTraining& options, Monitor& monitor) {
  TrainedArguments out;
  out.labels = RoleLabels::of(sentences, options.least_count);
  Random random(options.seed);
  Walker walker(sentences, options.features, static_cast<std::size_t>(options.others));
  FeatureList features;
  // Three pruners: one for use, and one for each half that has not seen it, so that the choice of
  // roles learns from what a pruner lets through where it does not know the answer.
  PackedWeights pruners[3];
  for (int half = 0; half < 3 && !out.stopped; ++half) {
    LabelRows rows(options.pruner_bits, 2);
    Examples examples;
    walker.each([&](std::size_t i, const propbank::Proposition& p, FeatureMaker& maker) {
      if (half != 2 && half_of(sentences[i]) != half) return;
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
    out.stopped =
        !learn(rows, examples, kPrunerEpochs, options.rate, random, "roles: pruner", monitor);
    pruners[half] = PackedWeights::of(rows.averaged());
  }
  if (out.stopped) return out;

  LabelRows rows(options.bits, out.labels.size());
  Examples examples;
  std::int32_t sums[2];
  float scores[2];
  std::int64_t lost = 0;
  walker.each([&](std::size_t i, const propbank::Proposition& p, FeatureMaker& maker) {
    const LabelRowView pruner(pruners[1 - half_of(sentences[i])], 2);
    for (const Candidate& c : maker.candidates()) {
      const int label = gold_label(p, c, out.labels);
      maker.cheap(c, features);
      pruner.scores(features, sums, scores);
      const bool kept = scores[1] - scores[0] >= kKeep;
      lost += !kept && label > 0;
      if (!kept && label == 0) continue;
      maker.full(c, features);
      examples.add(features, rows, label);
      if (options.folds > 1) {
        examples.folds.push_back(static_cast<std::uint8_t>(fold_of(sentences[i], options.folds)));
      }
    }
  });
  monitor.say("roles: " + std::to_string(out.arguments) + " arguments, " +
              std::to_string(out.without_candidate) + " without a candidate, " +
              std::to_string(lost) + " lost by the pruner; " +
              std::to_string(examples.labels.size()) + " candidates left");
  out.stopped =
      !learn(rows, examples, options.epochs, options.rate, random, "roles: choice", monitor);
  out.roles = PackedWeights::of(rows.averaged());
  if (options.folds > 1 && !out.stopped) {
    LabelRows second(options.second_bits, 2);
    Examples guesses;
    for (int fold = 0; fold < options.folds && !out.stopped; ++fold) {
      LabelRows others(options.bits, out.labels.size());
      out.stopped = !learn(others, examples, kGuessEpochs, options.rate, random,
                           "roles: guesses, part " + std::to_string(fold), monitor, fold);
      const int half = fold * 2 / options.folds;
      ModelWriter writer("roles", 1);
      ArgumentModel::write(writer, out.labels, options.features, pruners[1 - half],
                           PackedWeights::of(others.averaged()));
      const ModelFile file = ModelFile::from_bytes(writer.bytes(), "<guesses>");
      add_guesses(sentences, fold, options.folds, ArgumentModel(file), second, guesses);
    }
    out.stopped = out.stopped || !learn(second, guesses, kSecondEpochs, options.rate / 2, random,
                                        "roles: second look", monitor);
    out.second = PackedWeights::of(second.averaged());
  }
  out.pruner = std::move(pruners[2]);
  return out;
}

}  // namespace entente::roles
