#include "tasks/alignment/task.h"

#include <fmt/format.h>

#include "base/json.h"
#include "corpus/gzip.h"
#include "entente/error.h"
#include "tasks/alignment/commands.h"
#include "tasks/alignment/evaluation.h"
#include "tasks/alignment/model.h"

namespace entente {

namespace alignment {

namespace {

struct AlignmentScratch : Scratch {
  Aligner::Work work;
};

class AlignmentAnnotator : public Annotator {
 public:
  explicit AlignmentAnnotator(const ModelFile& file) : model_(file), aligner_(model_) {}
  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<AlignmentScratch>();
  }
  void annotate(Sentence& /*sentence*/, Scratch& /*scratch*/) const override {
    throw Error("alignment is of pairs of sentences, not of single ones");
  }
  void annotate_pair(SentencePair& pair, Scratch& scratch) const override {
    const auto words = [](const Sentence& sentence) {
      std::vector<std::string> out;
      for (const Word& word : sentence.words) out.push_back(word.form);
      return out;
    };
    const Aligned a =
        aligner_.align(words(pair.source), words(pair.target), {.combine = Combine::kAgree},
                       dynamic_cast<AlignmentScratch&>(scratch).work);
    pair.links.clear();
    for (const Link& link : a.best[0].links) {
      pair.links.push_back({.source = link.i, .target = link.j, .confidence = link.score});
    }
  }

 private:
  AlignmentModel model_;
  Aligner aligner_;
};

}  // namespace

TrainingSettings training_settings(const Settings& settings, int threads) {
  return {.model1 = settings.integer("model1"),
          .diagonal = settings.integer("diagonal"),
          .hmm = settings.integer("hmm"),
          .agreement = !settings.flag("independent"),
          .null = settings.number("null"),
          .learn_null = !settings.flag("fixed_null"),
          .prior = settings.number("prior"),
          .classes = settings.integer("classes"),
          .strength = settings.number("strength"),
          .letters = settings.integer("letters"),
          .backoff = settings.number("backoff"),
          .alike = settings.number("alike"),
          .stay = settings.number("stay"),
          .threads = threads};
}

}  // namespace alignment

std::vector<Setting> AlignmentTask::settings() const {
  const alignment::TrainingSettings t;
  const alignment::AlignOptions a;
  const unsigned learning = kTrain | kOwn | kBench;
  return {
      setting::integer("model1", t.model1, 0, 1000, "rounds of model 1").in(learning).only_set(),
      setting::integer("diagonal", t.diagonal, 0, 1000, "rounds of model 2 with a diagonal")
          .in(learning)
          .only_set(),
      setting::integer("hmm", t.hmm, 1, 1000, "rounds of the HMM").in(learning).only_set(),
      setting::flag("independent", "each direction learns by itself").in(learning).only_set(),
      setting::number("null", t.null, 0.001, 0.9,
                      "probability of a word of no source, to start with")
          .in(learning)
          .only_set(),
      setting::flag("fixed_null", "that probability is not learned").in(learning).only_set(),
      setting::number("prior", t.prior, 0, 10, "variational Bayes with this Dirichlet; 0: plain EM")
          .in(learning)
          .only_set(),
      setting::integer("classes", t.classes, 0, 250,
                       "so many frequent words have jumps of their own")
          .in(learning)
          .only_set(),
      setting::number("strength", t.strength, 0, 1e9, "jumps of all words that a class starts from")
          .in(learning)
          .only_set(),
      setting::integer("letters", t.letters, 1, 100,
                       "words that begin with the same so many share a stem")
          .in(learning)
          .only_set(),
      setting::number("backoff", t.backoff, 0, 1e6,
                      "translations of its stem that a word starts from")
          .in(learning)
          .only_set(),
      setting::number("alike", t.alike, 0, 1e6,
                      "translations by a word written alike it starts from")
          .in(learning)
          .only_set(),
      setting::number("stay", t.stay, 0, 1e9,
                      "jumps of its class that a word's own odds of staying start from; 0: none")
          .in(learning)
          .only_set(),
      setting::flag("tokenize", "the texts are raw: cut into words, lower-cased")
          .in(kTrain | kOwn)
          .option(),
      setting::list("train", "learn from these two files (or one of `a ||| b` lines), then align")
          .in(kOwn),
      setting::choice("combine", alignment::combine_names(), "agree",
                      "how the two directions become one alignment")
          .in(kOwn),
      setting::number("threshold", a.threshold, 0.01, 0.99, "posterior: above it is a link")
          .in(kOwn),
      setting::number("near", a.agree.near, -1000, 0,
                      "agree: what a link beside the other direction's costs")
          .in(kOwn),
      setting::flag("strict", "agree: both directions have the very same links").in(kOwn),
      setting::integer("rounds", a.agree.rounds, 1, 100000, "agree: of prices, before branching")
          .in(kOwn),
      setting::integer("nodes", a.agree.nodes, 1, 10000000, "agree: at most so many").in(kOwn),
      setting::integer("n_best", 1, 1, 1000, "posterior, agree: the best so many").in(kOwn),
      setting::flag("scores", "how sure of each link, and of the whole").in(kOwn),
      setting::text("certificate", "",
                    "agree: file for the proofs (JSON lines); entente verify checks it")
          .in(kOwn),
      setting::flag("summary", "at the end, on standard error: likelihood, proofs, speed").in(kOwn),
      setting::integer("pairs", 20000, 1, 100000000, "agree is measured on the first so many")
          .in(kBench),
      setting::flag("unseen", "leave the gold sentences out of the training text").in(kBench),
  };
}

bool AlignmentTask::train(const TrainRequest& request) const {
  using namespace alignment;
  if (request.train_paths.empty()) {
    throw Error("expected --train: two files of lines, or one of `a ||| b` lines");
  }
  if (!request.dev_paths.empty())
    throw Error("alignment learns without --dev: `entente evaluate alignment` measures links");
  if (request.options.epochs > 0)
    throw Error("alignment has no --epochs: rounds are set by --set model1=N and --set hmm=N");
  const TrainingSettings settings = training_settings(request.settings, request.options.threads);
  const bool tokenize = request.settings.flag("tokenize");
  Bitext text;
  read_bitext(request.train_paths, {tokenize, request.lenient}, settings.threads, *request.monitor,
              text);
  if (request.monitor->stopped()) return false;
  const Trained trained = alignment::train(text, settings, *request.monitor);
  if (request.monitor->stopped()) return false;
  write_model(text, trained, settings, tokenize, *request.writer);
  return true;
}

std::unique_ptr<Annotator> AlignmentTask::load(const ModelFile& file) const {
  return std::make_unique<alignment::AlignmentAnnotator>(file);
}

void AlignmentTask::evaluate(const EvaluateRequest& request) const {
  using namespace alignment;
  if (request.inputs.size() != 2) throw Error("expected two files: gold links, system links");
  CorpusFile gold_file(request.inputs[0]), system_file(request.inputs[1]);
  const GoldLinks gold = read_gold(gold_file);
  expect_some(gold.sentences.size(), "gold links", request.inputs[0]);
  const AlignmentScores s = score_alignments(gold, read_pharaoh(system_file));
  if (request.json) {
    JsonWriter w;
    w.begin_object()
        .key("error_rate")
        .number(s.error_rate())
        .key("precision")
        .number(s.precision());
    w.key("recall")
        .number(s.recall())
        .key("sentences")
        .integer(static_cast<std::int64_t>(gold.sentences.size()));
    w.key("links").integer(s.links).key("sure").integer(s.sure).end_object();
    request.write(w.text() + "\n");
    return;
  }
  request.write(fmt::format(
      "AER {:.2f}  precision {:.2f}  recall {:.2f}  ({} sentences, {} links, {} sure ones)\n",
      100 * s.error_rate(), 100 * s.precision(), 100 * s.recall(), gold.sentences.size(), s.links,
      s.sure));
}

std::vector<TaskCommand> AlignmentTask::commands() const {
  return {{kOwn, "align", "Two texts in, the links between their words out",
           "two files of lines, or one of `a ||| b` lines", alignment::run_align},
          {kBench, "alignment", "Alignment beside fast_align's method, on the same text",
           "training texts, gold texts, gold links: five files", alignment::run_bench}};
}

}  // namespace entente
