#include "tasks/roles/task.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "corpus/propbank/document.h"
#include "entente/error.h"
#include "tasks/roles/bench.h"

namespace entente {

namespace {

struct RolesScratch : Scratch {
  explicit RolesScratch(const roles::RoleLabeller& labeller) : work(labeller) {}
  roles::RoleLabeller::Work work;
};

std::vector<propbank::PropSentence> read_all(const std::vector<std::string>& paths) {
  std::vector<propbank::PropSentence> out;
  for (const std::string& path : paths) {
    for (propbank::PropSentence& s : propbank::read_propbank(path)) out.push_back(std::move(s));
  }
  return out;
}

// Of the file that training of frames takes, or of a model that keeps them.
std::vector<WordMeaning> meanings_of(const std::string& path) {
  const ModelFile file(path);
  for (const char* name : {"clusters/meanings", "frames/meanings", "roles/meanings"}) {
    if (!file.has(name)) continue;
    const WordMeanings found(file, name);
    return {found.entries().begin(), found.entries().end()};
  }
  file.fail("has no meanings of words: `entente train clusters` makes them");
}

}  // namespace

std::vector<Setting> RolesTask::settings() const {
  const roles::RoleTraining t;
  const roles::KernelTraining k;
  const unsigned rules = kAnnotate | kEvaluate;
  std::vector<Setting> out = {
      setting::integer("size", t.bits, 12, 26, "2^size weights for arguments"),
      setting::number("rate", t.rate, 1e-4, 10, "size of the steps for arguments"),
      setting::number("left_out", t.left_out, 0, 0.9,
                      "share of the features of an example that are left out, others each time"),
      setting::integer("folds", t.folds, 0, 64,
                       "parts whose roles models of the others guess, for the second look (even; "
                       "0: none)"),
      setting::integer("others", t.others, 0, 1000,
                       "trees drawn beside a sentence's own to learn from, at most"),
      setting::integer("network", t.network_epochs, 0, 1000,
                       "epochs of the network beside the log-linear model; 0: none"),
      setting::text("clusters", "", "a model file with meanings of words (entente train clusters)"),
      setting::choice("features", {"all", "usual", "subtrees"}, "all",
                      "paths and heads, marked subtrees, or both"),
      setting::choice("trees", {"gold", "own", "both"}, "gold",
                      "trees of the files, or as our parsers make them; train: both learns from "
                      "either")
          .in(kTrain | kEvaluate)
          .option(),
      setting::flag("phrases_only",
                    "do not learn from the sentences a second time without their phrase trees; "
                    "the model then needs phrase trees")
          .option(),
      setting::choice("learner", {"linear", "kernel"}, "linear",
                      "what recognises arguments: a log-linear model, or a support vector machine "
                      "over tree kernels (needs phrase trees; slow)")
          .option(),
      setting::number("lambda", k.lambda, 1e-3, 1, "kernel: what a node of a subtree counts")
          .option(),
      setting::number("beta", k.beta, 1, 1e9, "kernel: weight of the marks").option(),
      setting::number("C", k.c, 1e-6, 1e6, "kernel: what an error costs").option(),
      setting::integer("kernel_sentences", k.sentences, 0, 1000000,
                       "kernel: the first so many sentences; 0: all")
          .option(),
      setting::list("require", "a role that every predicate must have, such as ARG0").in(rules),
      setting::list("forbid", "a role that none may have").in(rules),
      setting::list("without", "a rule to switch off: overlap, once, continues, refers, frame")
          .in(rules),
      setting::number(
          "role_cost", roles::LabelOptions{}.cost, 0, 1,
          "a role is taken if it is likelier than this, for the highest F1; 0: all roles "
          "of a predicate are to be right at once")
          .in(rules),
      setting::number("role_bias", roles::LabelOptions{}.bias, -20, 20,
                      "added to the log-odds of every role: more are found, fewer of them right")
          .in(rules),
      setting::number("tree_share", roles::LabelOptions{}.tree_share, 0, 1,
                      "what the best phrase tree weighs against others drawn beside it")
          .in(rules),
      setting::flag("first_look", "without what the roles of others say").in(rules),
      setting::flag("local", "the best role of each phrase, whatever the rules").in(rules),
      setting::flag("gold_predicates", "label the predicates that the input has").in(rules),
      setting::flag("all_decoders", "what choosing costs: locally, exactly and by CBC")
          .in(kEvaluate),
      setting::integer("parts", 1, 1, 1000, "of how many parts of the sentences, in runs of 50")
          .in(kOwn),
      setting::integer("part", 0, 0, 999, "the part that is written").in(kOwn),
      setting::flag("explain", "active rules, margins, runner-up and certificate of each")
          .in(kAnnotate),
  };
  for (Setting& s : roles::bench_settings()) out.push_back(std::move(s));
  return out;
}

bool RolesTask::train(const TrainRequest& request) const {
  if (request.train_paths.empty()) throw Error("expected --train: the files to learn from");
  std::vector<propbank::PropSentence> sentences = read_all(request.train_paths);
  std::size_t predicates = 0;
  for (const auto& s : sentences) predicates += s.propositions.size();
  if (predicates == 0)
    throw Error("the files have no predicates", {.file = request.train_paths[0]});
  roles::RoleTraining options;
  const Settings& read = request.settings;
  if (request.options.epochs > 0) options.epochs = request.options.epochs;
  options.seed = request.options.seed;
  options.folds = read.integer("folds") / 2 * 2;
  options.others = read.integer("others");
  options.bits = read.integer("size");
  options.left_out = read.number("left_out");
  options.network_epochs = read.integer("network");
  if (!read.text("clusters").empty()) options.meanings = meanings_of(read.text("clusters"));
  options.rate = static_cast<float>(read.number("rate"));
  options.features.usual = read.text("features") != "subtrees";
  options.features.subtrees = read.text("features") != "usual";
  const std::string& trees = read.text("trees");
  if (trees != "gold") {
    roles::OwnTrees own(request.models->below());
    request.monitor->stage("roles: own trees", static_cast<std::int64_t>(sentences.size()));
    const std::size_t n = sentences.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (request.monitor->stopped()) return false;
      if (trees == "both") sentences.push_back(sentences[i]);
      own.replace(sentences[i]);
      request.monitor->advance(1);
    }
  }
  if (read.text("learner") == "kernel") {
    roles::KernelTraining kernel;
    kernel.lambda = read.number("lambda");
    kernel.beta = read.number("beta");
    kernel.c = read.number("C");
    kernel.sentences = read.integer("kernel_sentences");
    kernel.threads = request.options.threads;
    kernel.seed = options.seed;
    options.folds = 0;  // its guesses are not the linear model's
    if (!roles::train_kernel(sentences, kernel, *request.writer, *request.monitor)) return false;
  }
  if (!read.flag("phrases_only")) {
    const std::size_t n = sentences.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (sentences[i].tree.empty()) continue;
      sentences.push_back(sentences[i]);
      sentences.back().tree = {};
    }
  }
  return roles::train_roles(sentences, options, *request.writer, *request.monitor);
}

std::unique_ptr<Annotator> RolesTask::load(const ModelFile& file) const {
  return std::make_unique<roles::RolesAnnotator>(file);
}

void RolesTask::evaluate(const EvaluateRequest& request) const { roles::run_evaluation(request); }

void RolesTask::list(const TaskRequest& request) const {
  const auto& annotator = dynamic_cast<const roles::RolesAnnotator&>(request.models->annotator());
  const roles::Rolesets& sets = annotator.labeller().rolesets();
  const roles::RoleLabels& labels = annotator.labeller().arguments().labels();
  std::string out;
  if (request.inputs.empty()) {
    for (int l = 1; l < labels.size(); ++l) out += labels.names[l] + "\n";
  }
  for (const std::string& name : request.inputs) {
    const int set = sets.find(name);
    if (set < 0) {
      Nearest nearest(name);
      for (int i = 0; i < sets.size(); ++i) nearest.consider(sets[i].name);
      throw Error("no roleset is called " + quoted(name) + nearest.suggestion());
    }
    out += fmt::format("{} ({} times)\n", name, sets[set].count);
    for (int l = 1; l < labels.size(); ++l) {
      if (sets[set].seen[l]) out += "  " + labels.names[l] + "\n";
    }
  }
  request.write(out);
}

std::vector<TaskCommand> RolesTask::commands() const {
  return {{.verb = kBench,
           .name = "roles",
           .summary = "tree kernels as in the paper's Tables 3 and 4, and what is faster",
           .inputs_help = {},
           .run = roles::run_bench},
          {.verb = kOwn,
           .name = "retree",
           .summary = "PropBank columns with tags, lemmas and trees as our parsers make them",
           .inputs_help = "the columns",
           .run = roles::run_retree}};
}

namespace roles {

propbank::PropSentence role_input(const Sentence& sentence) {
  return propbank::from_document(sentence);
}

void OwnTrees::replace(propbank::PropSentence& sentence) {
  Sentence words;
  for (int i = 0; i < sentence.size(); ++i) {
    Word word;
    word.form = sentence.words[i];
    words.words.push_back(std::move(word));
    words.tokens.push_back({.first = i, .last = i});
  }
  worker_->annotate(words);
  propbank::PropSentence own = role_input(words);
  own.comments = std::move(sentence.comments);
  own.propositions = std::move(sentence.propositions);
  own.line = sentence.line;
  sentence = std::move(own);
}

LabelOptions label_options(const Settings& settings, const RoleLabeller& labeller) {
  LabelOptions out;
  const RoleLabels& labels = labeller.arguments().labels();
  const auto role = [&](const std::string& name) {
    const std::string full = propbank::long_role(name);
    if (labels.find(full) > 0) return full;
    Nearest nearest(full);
    for (int l = 1; l < labels.size(); ++l) nearest.consider(labels.names[l]);
    throw Error("no role is called " + quoted(name) + nearest.suggestion());
  };
  for (const std::string& r : settings.list("require")) out.rules.require.push_back(role(r));
  for (const std::string& r : settings.list("forbid")) out.rules.forbid.push_back(role(r));
  for (const std::string& r : settings.list("without")) out.rules.switch_rule(r, false);
  out.cost = settings.number("role_cost");
  out.bias = settings.number("role_bias");
  out.tree_share = settings.number("tree_share");
  out.second = !settings.flag("first_look");
  out.locally = settings.flag("local");
  out.gold_predicates = settings.flag("gold_predicates");
  return out;
}

std::unique_ptr<Scratch> RolesAnnotator::make_scratch() const {
  return std::make_unique<RolesScratch>(labeller_);
}

void RolesAnnotator::configure(const Settings& settings) {
  options_ = label_options(settings, labeller_);
  options_.explain = settings.flag("explain");
}

void RolesAnnotator::annotate(Sentence& sentence, Scratch& scratch) const {
  RoleLabeller::Work& work = dynamic_cast<RolesScratch&>(scratch).work;
  propbank::PropSentence s = role_input(sentence);
  work.proofs = scratch.proofs;
  labeller_.label(s, options_, work);
  std::erase_if(sentence.frames,
                [](const FrameInstance& f) { return propbank::is_roleset(f.frame); });
  for (std::size_t p = 0; p < s.propositions.size(); ++p) {
    FrameInstance& out = sentence.frames.emplace_back(propbank::to_layer(s.propositions[p]));
    const RoleDetails& details = work.details[p];
    out.value = details.value;
    out.bound = details.bound;
    out.proven = details.proven;
    out.wish_dropped = !details.feasible;
    std::size_t at = 0;  // arguments are the roles without V
    for (std::size_t r = 0; r < s.propositions[p].roles.size(); ++r) {
      if (propbank::bare_role(s.propositions[p].roles[r].label) == "V") continue;
      out.arguments[at].score = details.scores[r];
      if (!details.explanation.empty()) {
        out.arguments[at].margin = details.explanation[0].margins[r];
      }
      ++at;
    }
    if (details.explanation.empty()) continue;
    const RoleExplanation& why = details.explanation[0];
    FrameExplanation& to = out.explanation.emplace_back();
    to.active_rules = why.active_rules;
    to.broken_locally = why.broken_locally;
    to.runner_up = propbank::to_layer({0, "", "", why.runner_up}).arguments;
    to.runner_up_value = why.runner_up_value;
    to.problem = why.problem;
    to.certificate = why.certificate;
  }
}

}  // namespace roles
}  // namespace entente
