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
  int sentences = 0, joint = 0, agreed = 0, proven = 0, single = 0;
  std::int64_t rounds = 0, words = 0, right_alone = 0, right_joint = 0;
  double alone_seconds = 0, joint_seconds = 0;
  std::vector<BracketScores> best, risk, together, together_risk;

  void count_heads(const Gold& gold, const Sentence& s, std::int64_t& right) {
    for (std::size_t i = 0; i < gold.heads.size(); ++i) {
      right += s.words[i].head == gold.heads[i] ? 1 : 0;
    }
  }
};

class Run {
 public:
  explicit Run(const TaskRequest& request)
      : phrases_(dynamic_cast<const ConstituencyAnnotator&>(request.models->annotator())),
        others_(dynamic_cast<OtherTaskModels&>(*request.models).of("dependency")),
        dependency_(others_.annotator()),
        heads_(dynamic_cast<const ArcAnnotator&>(dependency_)),
        below_(others_.below().make_worker()),
        phrase_scratch_(phrases_.make_scratch()),
        head_scratch_(dependency_.make_scratch()),
        weight_(request.settings.given("arc_weight") ? request.settings.number("arc_weight")
                                                     : phrases_.arc_weight()),
        parse_(agree_parsing(phrases_.options(), request.settings)) {}

  void sentence(const Gold& gold, const AgreementOptions& options, Tally& t) {
    ++t.sentences;
    t.words += gold.sentence.size();
    t.single += has_single_heads(gold.tree, gold.heads) ? 1 : 0;
    Sentence alone = gold.sentence;
    below_->annotate(alone);
    Sentence joint = alone;
    const auto start = std::chrono::steady_clock::now();
    dependency_.annotate(alone, *head_scratch_);
    ParseOptions parse = parse_;
    t.risk.push_back(
        compare_trees(gold.tree, phrases_.parser().parse(gold.tree.words, parse, parser_scratch_)));
    const auto middle = std::chrono::steady_clock::now();
    parse.decoder = Decoder::kBest;
    t.best.push_back(
        compare_trees(gold.tree, phrases_.parser().parse(gold.tree.words, parse, parser_scratch_)));
    const auto before = std::chrono::steady_clock::now();
    AgreementResult r;
    PhraseTree optimum;
    ArcModel* arcs = heads_.arc_model(joint, weight_, *head_scratch_);
    if (arcs != nullptr &&
        phrases_.agree(joint, *arcs, options, r, *phrase_scratch_, parse_, optimum)) {
      heads_.set_heads(joint, r, *head_scratch_);
      ++t.joint;
      t.agreed += r.agreed && r.parts == 1 && r.status == Status::optimal ? 1 : 0;
      t.proven += r.status == Status::optimal ? 1 : 0;
      t.rounds += r.rounds;
      t.together.push_back(compare_trees(gold.tree, optimum));
      t.together_risk.push_back(compare_trees(gold.tree, joint.trees[0]));
    } else {
      joint = alone;
      t.together.push_back(t.risk.back());
      t.together_risk.push_back(t.risk.back());
    }
    t.alone_seconds += std::chrono::duration<double>(middle - start).count();
    t.joint_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    t.count_heads(gold, alone, t.right_alone);
    t.count_heads(gold, joint, t.right_joint);
  }

 private:
  const ConstituencyAnnotator& phrases_;
  TaskModels& others_;
  const Annotator& dependency_;
  const ArcAnnotator& heads_;
  std::unique_ptr<LowerLayers::Worker> below_;
  std::unique_ptr<Scratch> phrase_scratch_, head_scratch_;
  ParserScratch parser_scratch_;
  double weight_;
  ParseOptions parse_;
};

BracketScores total(const std::vector<BracketScores>& scores) {
  BracketScores sum;
  for (const BracketScores& s : scores) sum += s;
  return sum;
}

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
  const auto row = [&](const char* name, const std::vector<BracketScores>& s) {
    const BracketScores b = total(s);
    out += fmt::format("{:<14} P {:.2f}  R {:.2f}  F1 {:.2f}  exact {:.1f}\n", name, b.precision(),
                       b.recall(), b.f1(), b.exact_share());
  };
  row("phrases, best", t.best);
  row("phrases, risk", t.risk);
  row("together, best", t.together);
  row("together, risk", t.together_risk);
  const auto compare = [&](const char* name, const std::vector<BracketScores>& with,
                           const std::vector<BracketScores>& without) {
    const BootstrapInterval b = paired_bootstrap(with, without);
    out += fmt::format("{}: {:+.2f} F1, 95% of resampled corpora {:+.2f} to {:+.2f}\n", name,
                       b.difference, b.low, b.high);
  };
  compare("together over alone, best", t.together, t.best);
  compare("together over alone, risk", t.together_risk, t.risk);
  out += fmt::format("heads alone: UAS {:.2f}; together: UAS {:.2f}\n",
                     share(t.right_alone, t.words), share(t.right_joint, t.words));
  return out;
}

}  // namespace

int parse_and_dependency(const TaskRequest& request) {
  if (request.inputs.size() != 2) {
    throw Error("expected: parse+dependency and columns with trees and heads");
  }
  const std::vector<propbank::PropSentence> sentences = propbank::read_propbank(request.inputs[1]);
  Run run(request);
  Story story(request);
  Tally tally;
  request.monitor->stage("agreeing", static_cast<std::int64_t>(sentences.size()));
  for (std::size_t i = 0; i < sentences.size() && !request.monitor->stopped(); ++i) {
    if (sentences[i].tree.empty()) continue;
    AgreementOptions options = agree_options(request.settings);
    options.trace = story.of(static_cast<int>(i));
    const double before = tally.joint_seconds;
    run.sentence(gold_of(sentences[i]), options, tally);
    story.cost(sentences[i].size(), tally.joint_seconds - before);
    request.monitor->advance(1);
  }
  story.finish();
  request.write(table_of(tally));
  return 0;
}

}  // namespace entente::constituency
