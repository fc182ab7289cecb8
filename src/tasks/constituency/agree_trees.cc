// entente agree parse+dependency: the head-lexicalised grammar and the dependency parser over
// y(h, m) = z(h, m).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "corpus/propbank/propbank.h"
#include "entente/error.h"
#include "model/arc_agreement.h"
#include "tasks/constituency/agree_story.h"
#include "tasks/constituency/evalb.h"
#include "tasks/constituency/task.h"

namespace entente::constituency {

namespace {

struct Gold {
  Sentence sentence;  // words alone
  PhraseTree tree;
  std::vector<int> heads;  // from 1, 0: the root
};

Gold gold_of(const propbank::PropSentence& from) {
  Gold out;
  out.tree.words = from.words;
  out.tree.tags = from.tags;
  std::vector<int> place(from.tree.nodes.size(), -1);
  for (std::size_t i = 0; i < from.tree.nodes.size(); ++i) {
    const propbank::PhraseTree::Node& n = from.tree.nodes[i];
    if (n.is_tag) continue;
    place[i] = static_cast<int>(out.tree.phrases.size());
    out.tree.phrases.push_back({n.label, n.begin, n.end, n.parent < 0 ? -1 : place[n.parent]});
  }
  for (int i = 0; i < from.size(); ++i) {
    out.sentence.words.push_back({.form = from.words[i]});
    out.sentence.tokens.push_back({.first = i, .last = i});
    out.heads.push_back(std::max(0, from.heads[i] + 1));
  }
  return out;
}

struct Tally {
  int sentences = 0, single = 0, joint = 0, agreed = 0, proven = 0;
  std::int64_t words = 0, rounds = 0, right_alone = 0, right_joint = 0;
  double alone_seconds = 0, joint_seconds = 0;
  std::vector<BracketScores> best, risk, together, together_risk;
};

std::int64_t right_heads(const Gold& gold, const Sentence& s) {
  std::int64_t right = 0;
  for (std::size_t i = 0; i < gold.heads.size(); ++i) {
    right += s.words[i].head == gold.heads[i] ? 1 : 0;
  }
  return right;
}

class Run {
 public:
  // proofs: may be null.
  Run(const TaskRequest& request, ProofLines* proofs)
      : phrases_(dynamic_cast<const ConstituencyAnnotator&>(request.models->annotator())),
        others_(dynamic_cast<OtherTaskModels&>(*request.models).of("dependency")),
        dependency_(others_.annotator()),
        heads_(dynamic_cast<const ArcAnnotator&>(dependency_)),
        below_(others_.below().make_worker()),
        phrase_scratch_(phrases_.make_scratch()),
        head_scratch_(dependency_.make_scratch()),
        weight_(request.settings.given("arc_weight") ? request.settings.number("arc_weight")
                                                     : phrases_.arc_weight()),
        parse_(agree_parsing(phrases_.options(), request.settings)),
        proofs_(proofs) {
    phrase_scratch_->proofs = proofs;
  }

  void sentence(const Gold& gold, const AgreementOptions& options, Tally& t) {
    ++t.sentences;
    t.words += gold.sentence.size();
    t.single += has_single_heads(gold.tree, gold.heads) ? 1 : 0;
    Sentence alone = gold.sentence;
    below_->annotate(alone);
    const Sentence tagged = alone;
    const auto start = std::chrono::steady_clock::now();
    dependency_.annotate(alone, *head_scratch_);
    ParseOptions parse = parse_;
    parse.decoder = Decoder::kRisk;
    t.risk.push_back(
        compare_trees(gold.tree, phrases_.parser().parse(gold.tree.words, parse, parser_scratch_)));
    t.alone_seconds += since(start);
    t.right_alone += right_heads(gold, alone);
    parse.decoder = Decoder::kBest;
    t.best.push_back(
        compare_trees(gold.tree, phrases_.parser().parse(gold.tree.words, parse, parser_scratch_)));
    together(gold, tagged, alone, options, t);
  }

 private:
  static double since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  // Where nothing comes of it, both layers are as each alone has them.
  void together(const Gold& gold, const Sentence& tagged, const Sentence& alone,
                const AgreementOptions& options, Tally& t) {
    const auto start = std::chrono::steady_clock::now();
    AgreementResult r;
    PhraseTree optimum, least_risk;
    ArcModel* arcs = heads_.arc_model(tagged, weight_, *head_scratch_);
    if (arcs == nullptr || !phrases_.agree(tagged, *arcs, options, r, *phrase_scratch_, parse_,
                                           optimum, &least_risk)) {
      // A search that found nothing proves nothing either.
      if (proofs_ != nullptr && r.rounds > 0 && r.status != Status::infeasible) proofs_->miss();
      t.joint_seconds += since(start);
      t.together.push_back(t.best.back());
      t.together_risk.push_back(t.risk.back());
      t.right_joint += right_heads(gold, alone);
      return;
    }
    Sentence joint = tagged;
    heads_.set_heads(joint, r, *head_scratch_);
    t.joint_seconds += since(start);
    ++t.joint;
    t.agreed += r.agreed && r.parts == 1 && r.status == Status::optimal ? 1 : 0;
    t.proven += r.status == Status::optimal ? 1 : 0;
    t.rounds += r.rounds;
    t.together.push_back(compare_trees(gold.tree, optimum));
    t.together_risk.push_back(compare_trees(gold.tree, least_risk));
    t.right_joint += right_heads(gold, joint);
  }

  const ConstituencyAnnotator& phrases_;
  TaskModels& others_;
  const Annotator& dependency_;
  const ArcAnnotator& heads_;
  std::unique_ptr<LowerLayers::Worker> below_;
  std::unique_ptr<Scratch> phrase_scratch_, head_scratch_;
  ParserScratch parser_scratch_;
  double weight_;
  ParseOptions parse_;
  ProofLines* proofs_;
};

std::string table_of(const Tally& t) {
  const auto share = [](std::int64_t n, std::int64_t of) { return BracketScores::percent(n, of); };
  std::string out = fmt::format(
      "{} sentences, {:.1f}% with a single head for every bracket; {} have trees over the arcs\n"
      "agreed {:.2f}%, proven {:.2f}%, {:.1f} rounds; {:.2f} ms a sentence, {:.2f} ms for each "
      "alone\n",
      t.sentences, share(t.single, t.sentences), t.joint, share(t.agreed, t.sentences),
      share(t.proven, t.sentences), static_cast<double>(t.rounds) / std::max(1, t.joint),
      1e3 * t.joint_seconds / std::max(1, t.sentences),
      1e3 * t.alone_seconds / std::max(1, t.sentences));
  const auto row = [&](const char* name, const std::vector<BracketScores>& s, std::int64_t right) {
    const BracketScores b = total(s);
    out +=
        fmt::format("{:<14} P {:.2f}  R {:.2f}  F1 {:.2f}  exact {:.1f}  tags {:.2f}  UAS {:.2f}\n",
                    name, b.precision(), b.recall(), b.f1(), b.exact_share(), b.tag_accuracy(),
                    share(right, t.words));
  };
  row("alone, best", t.best, t.right_alone);
  row("alone, risk", t.risk, t.right_alone);
  row("together, best", t.together, t.right_joint);
  row("together, risk", t.together_risk, t.right_joint);
  const auto compare = [&](const char* name, const std::vector<BracketScores>& with,
                           const std::vector<BracketScores>& without) {
    const BootstrapInterval b = paired_bootstrap(with, without);
    out += fmt::format("{}: {:+.2f} F1, 95% of resampled corpora {:+.2f} to {:+.2f}\n", name,
                       b.difference, b.low, b.high);
  };
  compare("together over alone, best", t.together, t.best);
  compare("together over alone, risk", t.together_risk, t.risk);
  compare("together, risk over alone, best", t.together_risk, t.best);
  return out;
}

}  // namespace

int parse_and_dependency(const TaskRequest& request) {
  if (request.inputs.size() != 2) {
    throw Error("expected: parse+dependency and columns with trees and heads");
  }
  const std::vector<propbank::PropSentence> sentences = propbank::read_propbank(request.inputs[1]);
  if (sentences.empty()) throw Error("expected sentences, found none", {.file = request.inputs[1]});
  Story story(request);
  Proofs proofs(request);
  Run run(request, proofs.sink());
  Tally tally;
  request.monitor->stage("agreeing", static_cast<std::int64_t>(sentences.size()));
  for (std::size_t i = 0; i < sentences.size() && !request.monitor->stopped(); ++i) {
    if (sentences[i].tree.empty()) continue;
    AgreementOptions options = agree_options(request);
    options.trace = story.of(static_cast<int>(i));
    const double before = tally.joint_seconds;
    run.sentence(gold_of(sentences[i]), options, tally);
    proofs.flush();
    story.cost(sentences[i].size(), tally.joint_seconds - before);
    request.monitor->advance(1);
  }
  story.finish();
  request.write(table_of(tally));
  return proofs.finish();
}

}  // namespace entente::constituency
