#include "tasks/roles/argument_trainer.h"

#include <algorithm>

#include "base/random.h"
#include "learn/hash.h"
#include "learn/online_trainer.h"

namespace entente::roles {

namespace {

// Examples as places of a table, one after the other.
struct Examples {
  std::vector<std::uint32_t> places;
  std::vector<std::size_t> begin = {0};
  std::vector<std::uint8_t> labels;

  void add(const FeatureList& features, const LabelRows& rows, int label) {
    for (std::uint64_t f : features) places.push_back(rows.place(f));
    begin.push_back(places.size());
    labels.push_back(static_cast<std::uint8_t>(label));
  }
  std::span<const std::uint32_t> of(std::size_t i) const {
    return std::span(places).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

// Weights averaged from the second epoch on; false: stopped.
bool learn(LabelRows& rows, const Examples& examples, int epochs, float rate, Random& random,
           const std::string& name, Monitor& monitor) {
  const auto learn_batch = [&](std::span<const int> batch, const OnlineStep&) {
    for (const int i : batch) rows.learn(examples.of(i), examples.labels[i], 1, rate);
  };
  const auto end_epoch = [&](int epoch) {
    if (epoch == 0) rows.restart_average();
  };
  return train_online({.name = name,
                       .epochs = epochs,
                       .examples = examples.labels.size(),
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
  Walker(std::span<const propbank::PropSentence> sentences, FeatureGroups groups)
      : sentences_(sentences), maker_(groups) {}

  // use(sentence number, proposition, maker)
  template <typename Use>
  void each(Use&& use) {
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
      const propbank::PropSentence& s = sentences_[i];
      if (s.propositions.empty()) continue;
      input_.assign(s);
      for (const propbank::Proposition& p : s.propositions) {
        const auto [begin, end] = predicate_words(p);
        maker_.set_predicate(input_, p.predicate, begin, end);
        use(i, p, maker_);
      }
    }
  }

 private:
  std::span<const propbank::PropSentence> sentences_;
  FeatureMaker maker_;
  Input input_;
};

constexpr int kPrunerEpochs = 3;

// Sentences may be there several times, with other trees: the same words are always in one half.
int half_of(const propbank::PropSentence& sentence) {
  std::uint64_t h = 1;
  for (const std::string& word : sentence.words) h = mix(h, hash_of(word));
  return static_cast<int>(spread(h) >> 63);
}

}  // namespace

TrainedArguments train_arguments(std::span<const propbank::PropSentence> sentences,
                                 const ArgumentTraining& options, Monitor& monitor) {
  TrainedArguments out;
  out.labels = RoleLabels::of(sentences, options.least_count);
  Random random(options.seed);
  Walker walker(sentences, options.features);
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
    }
  });
  out.pruner = std::move(pruners[2]);
  monitor.say("roles: " + std::to_string(out.arguments) + " arguments, " +
              std::to_string(out.without_candidate) + " without a candidate, " +
              std::to_string(lost) + " lost by the pruner; " +
              std::to_string(examples.labels.size()) + " candidates left");
  out.stopped =
      !learn(rows, examples, options.epochs, options.rate, random, "roles: choice", monitor);
  out.roles = PackedWeights::of(rows.averaged());
  return out;
}

}  // namespace entente::roles
