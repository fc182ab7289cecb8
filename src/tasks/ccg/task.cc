#include "tasks/ccg/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "base/text.h"
#include "corpus/layers/ccg/auto.h"
#include "entente/error.h"
#include "tasks/ccg/bench.h"
#include "tasks/ccg/evaluate.h"
#include "tasks/ccg/experiment.h"
#include "tasks/ccg/train_parser.h"

namespace entente {

namespace ccg {

namespace {

struct CcgScratch : Scratch {
  explicit CcgScratch(const Parser& parser) : work(parser) {}
  Parser::Work work;
  Parse parse;
  TaggedWords text;
};

FeatureSet feature_set(const std::string& name) {
  return name == "normal_form"  ? FeatureSet::normal_form
         : name == "dependency" ? FeatureSet::dependency
                                : FeatureSet::hybrid;
}

NormalForm normal_form(const std::string& name) {
  return name == "none"               ? NormalForm::none
         : name == "hockenmaier-bisk" ? NormalForm::hockenmaier_bisk
                                      : NormalForm::eisner;
}

std::string table_of(const Scores& s) {
  std::string out = fmt::format("{:12}{:>10}{:>10}{:>10}\n", "", "precision", "recall", "F1");
  for (const auto& [name, c] : {std::pair{"labelled", s.labelled}, {"unlabelled", s.unlabelled}})
    out += fmt::format("{:12}{:10.2f}{:10.2f}{:10.2f}\n", name, c.precision(), c.recall(), c.f1());
  const double all = static_cast<double>(std::max<std::int64_t>(1, s.sentences));
  out += fmt::format("supertags   {:10.2f}\ncoverage    {:10.2f}  ({} of {} sentences)\n",
                     s.supertags.recall(), 100 * static_cast<double>(s.parsed) / all, s.parsed,
                     s.sentences);
  out += fmt::format("exact       {:10.2f}  (all dependencies of a sentence right)\n",
                     100 * static_cast<double>(s.exact) / all);
  return out;
}

std::string json_of(const Scores& s, const TaggerScores& tagger) {
  JsonWriter w;
  w.begin_object();
  for (const auto& [name, c] : {std::pair{"labelled", s.labelled}, {"unlabelled", s.unlabelled}}) {
    w.key(name).begin_object().key("precision").number(c.precision());
    w.key("recall").number(c.recall()).key("f1").number(c.f1()).end_object();
  }
  w.key("supertags").number(s.supertags.recall());
  if (tagger.categories > 0) {
    w.key("supertagger").begin_object().key("best").number(tagger.best);
    w.key("among").number(tagger.among).key("categories").number(tagger.categories).end_object();
  }
  w.key("sentences").number(static_cast<double>(s.sentences));
  w.key("parsed").number(static_cast<double>(s.parsed));
  w.key("exact").number(static_cast<double>(s.exact)).end_object();
  return w.take() + "\n";
}

ccg::TrainingOptions training_options(const TrainRequest& request) {
  const Settings& s = request.settings;
  ccg::TrainingOptions options;
  options.weights.loss = parse_loss(s.text("loss"));
  options.weights.loss.tau = s.number("tau");
  options.weights.l2 = s.number("l2");
  options.weights.iterations = s.integer("iterations");
  options.weights.bits = s.integer("bits");
  options.weights.threads = request.options.threads;
  options.supertags.bits = s.integer("supertag_bits");
  options.supertags.epochs =
      request.options.epochs > 0 ? request.options.epochs : s.integer("supertag_epochs");
  options.supertags.tau = s.number("supertag_tau");
  options.supertags.seed = request.options.seed;
  options.grammar.least_count = s.integer("least_count");
  options.features = feature_set(s.text("features"));
  options.jackknife = s.integer("jackknife");
  options.most = s.integer("training_chart");
  options.add_gold = !s.flag("no_gold_supertags");
  options.all_rules = s.text("rules") == "all";
  options.normal_form = normal_form(s.text("normal_form"));
  options.threshold = s.number("threshold");
  options.weights.supertags = !s.flag("no_supertag_scores");
  options.targets = targets_from(s.text("targets"));
  const std::string& beams = s.text("training_beams");
  options.beams = beams == "large"   ? TrainingBeams::large
                  : beams == "small" ? TrainingBeams::small
                                     : TrainingBeams::narrow;
  return options;
}

// What a training is measured on when it is done; read before it begins.
struct DevFile {
  std::string path;
  std::vector<std::vector<std::string>> tags;
};

std::vector<DevFile> read_dev(const TrainRequest& request) {
  std::vector<DevFile> out;
  for (const std::string& path : request.dev_paths) {
    CategoryTable table;
    const Derivations gold = read_derivations(path, table, true);
    if (gold.all.empty()) refuse_empty(path, gold);
    out.push_back({path, tags_of(gold.all, *request.models, request.settings.flag("file_tags"),
                                 *request.monitor)});
  }
  return out;
}

void say_how_well(const Parser& parser, const DevFile& dev, Monitor& monitor) {
  ParseOptions options;
  options.decoding = Decoding::min_risk;  // as the commands do
  const Scores s = total(score_parser(parser, dev.path, dev.tags, options, monitor));
  if (monitor.stopped()) return;
  monitor.say(
      fmt::format("{}: labelled {:.2f} / {:.2f} / {:.2f}, unlabelled {:.2f}, supertags {:.2f}",
                  dev.path, s.labelled.precision(), s.labelled.recall(), s.labelled.f1(),
                  s.unlabelled.f1(), s.supertags.recall()));
}

bool train(const TrainRequest& request) {
  if (request.train_paths.empty()) throw Error("expected --train: the files to learn from");
  const Settings& s = request.settings;
  const ccg::TrainingOptions options = training_options(request);
  CategoryTable table;
  std::vector<Derivation> all;
  for (const std::string& path : request.train_paths) {
    Derivations read = read_derivations(path, table, true);
    if (read.refused > 0)
      request.monitor->say(
          fmt::format("{} sentences left out, the first: {}", read.refused, read.first_refused));
    if (read.all.empty()) refuse_empty(path, read);
    std::move(read.all.begin(), read.all.end(), std::back_inserter(all));
  }
  const std::vector<DevFile> dev = read_dev(request);
  const auto tags = tags_of(all, *request.models, s.flag("file_tags"), *request.monitor);
  if (request.monitor->stopped()) return false;
  ParserTrainer trainer(all, std::move(table), tags, options);
  if (!trainer.prepare(*request.monitor)) return false;
  const Parser parser = trainer.train(options.weights, *request.monitor);
  if (request.monitor->stopped()) return false;
  for (const DevFile& file : dev) say_how_well(parser, file, *request.monitor);
  parser.save(*request.writer);
  return true;
}

void evaluate(const EvaluateRequest& request) {
  Scores scores;
  ParsingCost cost;
  TaggerScores tagger;
  if (request.inputs.size() == 2) {
    std::string note;
    scores = compare(request.inputs[0], request.inputs[1], note);
    if (!note.empty()) request.monitor->say(note);
  } else if (request.inputs.size() == 1) {
    const auto& annotator = dynamic_cast<const CcgAnnotator&>(request.models->annotator());
    CategoryTable table;
    const Derivations gold = read_derivations(request.inputs[0], table, true);
    if (gold.all.empty()) refuse_empty(request.inputs[0], gold);
    const auto tags =
        tags_of(gold.all, *request.models, request.settings.flag("file_tags"), *request.monitor);
    scores = total(score_parser(annotator.parser(), request.inputs[0], tags,
                                parse_options(request.settings), *request.monitor, &cost));
    tagger = score_tagger(annotator.parser(), request.inputs[0], tags, 2);
  } else {
    throw Error("expected gold.auto and system.auto, or gold.auto alone");
  }
  if (request.json) return request.write(json_of(scores, tagger));
  std::string out = table_of(scores);
  if (tagger.categories > 0)
    out +=
        fmt::format("supertagger {:10.2f}  (its best one; {:.2f} among {:.2f} categories a word)\n",
                    tagger.best, tagger.among, tagger.categories);
  if (cost.seconds > 0)
    out += fmt::format("speed       {:10.0f}  sentences a second of processor time\n",
                       static_cast<double>(scores.sentences) / cost.seconds);
  if (request.inputs.size() == 1 && request.settings.text("decode") == "agreement")
    out += fmt::format("proven      {:10.2f}  (best for parser and supertagger; {:.1f} rounds)\n",
                       100 * static_cast<double>(cost.proven) /
                           static_cast<double>(std::max<std::int64_t>(1, scores.sentences)),
                       static_cast<double>(cost.rounds) /
                           static_cast<double>(std::max<std::int64_t>(1, scores.sentences)));
  request.write(out);
}

void check_known(const Grammar& grammar, const std::string& category) {
  Nearest nearest(category);
  for (CategoryId c = 0; c < grammar.table.size(); ++c) {
    if (grammar.table.text(c) == category) return;
    nearest.consider(grammar.table.text(c));
  }
  throw Error("the model has no category " + quoted(category) + nearest.suggestion());
}

void list(const TaskRequest& request) {
  const auto& annotator = dynamic_cast<const CcgAnnotator&>(request.models->annotator());
  const Grammar& grammar = annotator.parser().grammar();
  std::string out;
  if (request.inputs.empty()) {
    for (CategoryId c = 0; c < grammar.table.size(); ++c) {
      if (grammar.log_counts[c] > 0 || c == 0)
        out += fmt::format("{:8.0f}  {}\n", std::exp(grammar.log_counts[c]), grammar.table.text(c));
    }
  }
  for (const std::string& name : request.inputs) {
    check_known(grammar, name);
    for (const Grammar::Binary& b : grammar.binaries) {
      if (grammar.table.text(b.left) == name || grammar.table.text(b.right) == name)
        out += fmt::format("{} {} -> {}  {}\n", grammar.table.text(b.left),
                           grammar.table.text(b.right), grammar.table.text(b.rule.result),
                           rule_name(b.rule.rule));
    }
    for (const Grammar::Unary& u : grammar.unaries) {
      if (grammar.table.text(u.child) == name)
        out += fmt::format("{} -> {}  {}\n", name, grammar.table.text(u.rule.result),
                           rule_name(u.rule.rule));
    }
  }
  request.write(out);
}

}  // namespace

ParseOptions parse_options(const Settings& settings) {
  ParseOptions out;
  const std::string& decode = settings.text("decode");
  out.decoding = decode == "best"        ? Decoding::best
                 : decode == "agreement" ? Decoding::agreement
                                         : Decoding::min_risk;
  out.rounds = settings.integer("belief_propagation");
  out.threshold = settings.number("threshold");
  out.strategy = settings.text("supertags") == "reverse" ? Strategy::reverse : Strategy::adaptive;
  out.most = settings.integer("max_chart");
  out.all_rules = settings.text("rules") == "all";
  out.normal_form = normal_form(settings.text("normal_form"));
  return out;
}

std::unique_ptr<Scratch> CcgAnnotator::make_scratch() const {
  return std::make_unique<CcgScratch>(parser_);
}

void CcgAnnotator::configure(const Settings& settings) { options_ = parse_options(settings); }

void CcgAnnotator::annotate(Sentence& sentence, Scratch& scratch) const {
  auto& s = dynamic_cast<CcgScratch&>(scratch);
  s.text.words.clear();
  s.text.tags.clear();
  for (const Word& w : sentence.words) {
    s.text.words.push_back(w.form);
    s.text.tags.push_back(w.xpos);
  }
  parser_.parse(s.text, options_, s.work, s.parse);
  sentence.ccg = {};
  sentence.ccg.status = "none";
  if (!s.parse.found) return;
  if (s.proofs) parser_.prove(options_, s.work, *s.proofs);
  const bool all = s.parse.by_all_combinators;
  const CategoryTable& table = (all ? s.work.all_rules : s.work.rules).table();
  const double score = s.parse.score;
  sentence.ccg = layer_of(s.parse.derivation, table, parser_.grammar().plain_conjuncts);
  sentence.ccg.status = s.parse.proven ? "optimal" : "feasible";
  sentence.ccg.score = score;
  sentence.ccg.probability = std::exp(std::min(0.0, score - s.parse.log_z));
  for (std::size_t i = 0; i < s.parse.rules.size(); ++i)
    sentence.ccg.nodes[i].rule =
        s.parse.rules[i] == Rule::lexical ? "" : rule_name(s.parse.rules[i]);
  for (const Dependency& d : s.parse.dependencies) {
    sentence.ccg.dependencies.push_back(
        {d.head, d.slot, d.dependent, d.category < 0 ? "conj" : table.text(d.category)});
  }
}

}  // namespace ccg

std::vector<TaskCommand> CcgTask::commands() const {
  return {{.verb = kBench,
           .name = "ccg",
           .summary = "Tables 3 to 7 and Figures 4 to 6 of Auli and Lopez (2011), our rows beside",
           .inputs_help = {},
           .run = ccg::run_bench}};
}

std::vector<Setting> CcgTask::settings() const {
  const ccg::TrainingOptions t;
  const ccg::ParseOptions p;
  const unsigned use = kAnnotate | kEvaluate;
  std::vector<Setting> out = {
      setting::text("loss", "decf1",
                    "what training minimises: cll, hamming, decp, decr, decf1, precision, recall, "
                    "f1, f:BETA, corpus_f1")
          .option(),
      setting::number("tau", 0.5, 0, 100, "how much the loss counts").option(),
      setting::number("l2", t.weights.l2, 1e-6, 1e6, "how strongly weights are held near 0"),
      setting::integer("iterations", t.weights.iterations, 1, 10000, "of L-BFGS at the most"),
      setting::integer("bits", t.weights.bits, 8, 26, "2^bits weights of the parser"),
      setting::integer("supertag_bits", t.supertags.bits, 8, 26, "2^bits weights of supertags"),
      setting::integer("supertag_epochs", t.supertags.epochs, 1, 1000, "of the supertagger"),
      setting::number("supertag_tau", t.supertags.tau, 0, 100,
                      "cost of a wrong category in its training; 0: likelihood"),
      setting::integer("least_count", t.grammar.least_count, 1, 1000,
                       "rule instances seen less often are left out"),
      setting::choice("features", {"hybrid", "normal_form", "dependency"}, "hybrid",
                      "what the model sees"),
      setting::integer("jackknife", t.jackknife, 1, 100,
                       "parts for supertags of the training charts; 1: none"),
      setting::integer("training_chart", static_cast<int>(t.most), 100, 10000000,
                       "edges of a training chart at the most"),
      setting::flag("no_gold_supertags", "do not add right categories to training charts"),
      setting::flag("file_tags", "parts of speech as the file has them").in(kTrain | kEvaluate),
      setting::flag("no_supertag_scores",
                    "the parser does not see the supertagger's probabilities (the paper's way)"),
      setting::choice("targets", {"treebank", "max_f", "both"}, "treebank",
                      "what training aims at: the treebank's derivations, the best of each chart, "
                      "or these where the treebank's is not in it"),
      setting::choice("training_beams", {"narrow", "small", "large"}, "narrow",
                      "beams of training charts (small, large: Table 2 of the paper)"),
      setting::number("threshold", p.threshold, 0, 1,
                      "what a category must be likely in the coarse pass to be in the chart")
          .in(use | kTrain),
      setting::choice("rules", {"seen", "all"}, "seen",
                      "rule instances of the treebank (every combinator only where these give no "
                      "parse), or every combinator that makes a category of the treebank")
          .in(use | kTrain),
      setting::choice("normal_form", {"none", "eisner", "hockenmaier-bisk"}, "eisner",
                      "which derivations of the same reading are left out")
          .in(use | kTrain),
      setting::choice("decode", {"best", "min-risk", "agreement"}, "min-risk",
                      "the best derivation, the dependencies expected to be right, or the best of "
                      "parser and supertagger together, with a proof")
          .in(use),
      setting::integer("belief_propagation", p.rounds, -1, 10000,
                       "rounds between supertagger and parser; -1: as it was trained")
          .in(use),
      setting::choice("supertags", {"adaptive", "reverse"}, "adaptive",
                      "beams from narrow to wide, or from wide to narrow")
          .in(use),
      setting::integer("max_chart", static_cast<int>(p.most), 100, 100000000,
                       "edges of a chart at the most")
          .in(use),
  };
  for (Setting& s : ccg::bench_settings()) out.push_back(std::move(s));
  return out;
}

bool CcgTask::train(const TrainRequest& request) const { return ccg::train(request); }

void CcgTask::evaluate(const EvaluateRequest& request) const { ccg::evaluate(request); }

void CcgTask::list(const TaskRequest& request) const { ccg::list(request); }

std::unique_ptr<Annotator> CcgTask::load(const ModelFile& file) const {
  return std::make_unique<ccg::CcgAnnotator>(file);
}

}  // namespace entente
