// entente agree corpus-tags: one tagger for every sentence, and one tag a word type.
#include <fmt/format.h>

#include "base/clock.h"
#include "corpus/layers/constituency/brackets.h"
#include "entente/error.h"
#include "tasks/constituency/agree_story.h"
#include "tasks/constituency/corpus_tags.h"
#include "tasks/constituency/evalb.h"
#include "tasks/constituency/task.h"

namespace entente::constituency {

namespace {

double accuracy(const std::vector<std::vector<std::int32_t>>& tags, const Lexicon& lexicon,
                std::span<const PhraseTree> gold) {
  std::int64_t right = 0, all = 0;
  for (std::size_t s = 0; s < gold.size(); ++s) {
    for (std::size_t i = 0; i < gold[s].tags.size(); ++i) {
      right += lexicon.tag(tags[s][i]) == gold[s].tags[i] ? 1 : 0;
      ++all;
    }
  }
  return BracketScores::percent(right, all);
}

}  // namespace

int corpus_tags(const TaskRequest& request) {
  if (request.inputs.size() != 2) throw Error("expected: corpus-tags and trees in brackets");
  const std::vector<PhraseTree> all = read_trees(request.inputs[1]);
  const auto learn = static_cast<std::size_t>(request.settings.integer("learn"));
  if (all.size() <= learn) {
    throw Error(fmt::format("has {} trees, all of which would be learned from", all.size()),
                {.file = request.inputs[1]});
  }
  const std::span<const PhraseTree> train(all.data(), learn),
      rest(all.data() + learn, all.size() - learn);
  const Lexicon lexicon = Lexicon::count(train);
  const std::vector<float> weights = train_tagger(lexicon, train, 10, 1).averaged();
  const Tagger tagger(lexicon, WeightReader(weights.data(), Tagger::kBits));
  std::vector<std::vector<std::string>> words;
  for (const PhraseTree& t : rest) words.push_back(t.words);
  const double penalty = request.settings.number("penalty");
  std::vector<std::vector<std::int32_t>> tags;
  Story story(request);
  Proofs proofs(request);
  AgreementOptions options = agree_options(request);
  if (!request.settings.given("step")) {  // few prices change, and the fewer the longer it goes on
    options.rule = StepRule::kHarmonic;
    if (!request.settings.given("step_rate")) options.rate = 0.5;
  }
  std::span<const WordClass> classes;
  if (request.settings.number("class_weight") > 0) {
    classes = dynamic_cast<const ConstituencyAnnotator&>(request.models->annotator())
                  .parser()
                  .tagger()
                  .lexicon()
                  .classes();
  }
  std::string out;
  double lazy_seconds = 0;
  for (const bool lazy : {true, false}) {
    CorpusTags corpus(tagger, words,
                      {.penalty = penalty,
                       .lazy = lazy,
                       .seen = request.settings.integer("seen"),
                       .classes = classes,
                       .class_weight = request.settings.number("class_weight")});
    if (lazy) {
      corpus.separate_tags(tags);
      out += fmt::format("{} sentences, {} word types; each sentence alone: {:.2f}\n", rest.size(),
                         corpus.types(), accuracy(tags, lexicon, rest));
      options.trace = story.of(0);
    }
    options.keep_parts = lazy && proofs.sink() != nullptr;
    const double start = processor_seconds();
    const AgreementResult r = corpus.run(options);
    const double seconds = processor_seconds() - start;
    options.trace = nullptr;
    if (lazy) {
      lazy_seconds = seconds;
      corpus.tags(r, tags);
      out += fmt::format(
          "together: {:.2f}; value {:.2f}, bound {:.2f}, {} rounds, {}\n"
          "lazy: {} sentences decoded, {} with the types' tags, {:.2f} s of processor time\n",
          accuracy(tags, lexicon, rest), r.value, r.bound, r.rounds,
          r.status == Status::optimal ? "proven" : "not proven", corpus.sentences().decoded(),
          corpus.sentences().rescored(), seconds);
      if (proofs.sink() != nullptr) {
        ForestProblem problem;
        const ForestCertificate c = corpus.certify(r, problem);
        proofs.sink()->add("corpus-tags", problem, c);
        proofs.flush();
      }
      if (!request.settings.flag("compare_lazy")) break;
    } else {
      out +=
          fmt::format("all in every round: {} sentences decoded, {:.2f} s, {:.1f} times as long\n",
                      corpus.sentences().decoded(), seconds, seconds / lazy_seconds);
    }
  }
  story.finish();
  request.write(out);
  return proofs.finish();
}

}  // namespace entente::constituency
